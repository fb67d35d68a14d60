import { useEffect, useRef, useState } from 'react';
import type { Reminders } from '#shared/contracts/reminders';
import type { When } from '#shared/contracts/reminders-request';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { toast } from '#site/islands/ui/feedback/toast.ts';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { LoadFailure } from '../parts/LoadFailure.tsx';
import type { Loaded } from '../parts/use-load.ts';
import { saveReminders, sendTest } from './api.ts';
import { ReminderMail } from './ReminderMail.tsx';
import { Schedule } from './Schedule.tsx';
import { type Line, linesOf, stepsOf } from './steps.ts';
import '#site/styles/areas/merchant/reminders.css';

/** `value`: as last read or saved. */
type Props = { load: Loaded<Reminders>; value: Reminders | null; onSaved(now: Reminders): void; onClose(): void };

/** When payers are reminded, beside what they get. The first save switches reminders on. */
export function RemindersDialog({ load, value, onSaved, onClose }: Props) {
  const [changed, change] = useState<Line[] | null>(null);
  const [when, setWhen] = useState<When>('after');
  const [busy, setBusy] = useState<'save' | 'test' | null>(null);
  const [said, say] = useState<{ failure: string | null; sentTo: string }>({ failure: null, sentTo: '' });
  const body = useRef<HTMLDivElement>(null);
  // The focus is on Cancel, which on a phone is below the window.
  // biome-ignore lint/correctness/useExhaustiveDependencies: again once there is something to read
  useEffect(() => {
    body.current?.closest('dialog')?.scrollTo(0, 0);
  }, [value === null]);
  const lines = changed ?? (value ? linesOf(value.steps) : []);
  const chosen = stepsOf(lines);

  const save = async () => {
    if ('wrong' in chosen) return say({ failure: chosen.wrong, sentTo: '' });
    setBusy('save');
    const answer = await saveReminders(chosen.steps);
    setBusy(null);
    if (!answer.ok) return say({ failure: answer.error.message, sentTo: '' });
    toast(answer.value.is_on ? 'Reminders are on.' : 'Reminders are off.');
    onSaved(answer.value);
    onClose();
  };
  const test = async () => {
    setBusy('test');
    const answer = await sendTest(when);
    setBusy(null);
    say(answer.ok ? { failure: null, sentTo: answer.value.to } : { failure: answer.error.message, sentTo: '' });
  };
  return (
    <Dialog
      title={`When to remind${value?.is_on === false ? ' (off now)' : ''}`}
      verb="Save reminders"
      busy={busy === 'save' || !value}
      failure={said.failure}
      onConfirm={() => void save()}
      onCancel={onClose}
    >
      <LoadFailure lead="The reminders could not be loaded." load={load} />
      <div className="reminders" ref={body}>
        <Schedule lines={lines} chosen={chosen} onChange={change} />
        {value && <ReminderMail sample={value.sample} when={when} onWhen={setWhen} />}
        <div className="reminders-test">
          <Button kind="ghost" busy={busy === 'test'} disabled={!value?.sample} onClick={() => void test()}>
            Send me a test
          </Button>
          <span role="status">{said.sentTo && `Sent to ${said.sentTo}`}</span>
        </div>
      </div>
    </Dialog>
  );
}
