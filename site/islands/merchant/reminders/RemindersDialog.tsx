import { useEffect, useRef, useState } from 'react';
import type { Reminders, ReminderTiming } from '#shared/contracts/payments/reminders';
import { describeDays } from '#shared/text/reminder-steps';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatDay, todayLocal } from '#site/islands/ui/format-moment.ts';
import { LoadFailure, type LoadState } from '../common/use-load.tsx';
import { linesOf, type ScheduleLine, saveReminders, sendTestReminder, stepsOf } from './reminder-schedule.ts';
import { Schedule } from './Schedule.tsx';
import '#site/styles/areas/merchant/account/reminders.css';

type MailProps = { sample: Reminders['sample']; timing: ReminderTiming; onTimingChange(timing: ReminderTiming): void };

const TIMING_NAMES: Record<ReminderTiming, string> = { before: 'Before', on: 'On the day', after: 'After' };

/** The reminder as the payer sees it, rendered for a real invoice. */
export function ReminderMail({ sample, timing, onTimingChange }: MailProps) {
  const mail = sample?.mails[timing];
  return (
    <section className="reminders-mail">
      <h3>Example</h3>
      <fieldset>
        <legend className="sr-only">Which reminder</legend>
        {Object.entries(TIMING_NAMES).map(([value, name]) => (
          <label key={value}>
            <input
              className="sr-only"
              type="radio"
              name="when"
              checked={value === timing}
              onChange={() => onTimingChange(value as ReminderTiming)}
            />
            {name}
          </label>
        ))}
      </fieldset>
      {sample && mail ? (
        <div className="reminders-letter">
          <p>
            <strong>{mail.subject}</strong>
            <small>to {mail.to}</small>
            <small>
              {mail.day < todayLocal()
                ? `No open invoice will get the reminder ${describeDays([mail.step])}.`
                : `The reminder ${describeDays([mail.step])} would go out on ${formatDay(mail.day)}.`}
            </small>
          </p>
          <div>
            <p>{mail.greeting}</p>
            <p>{mail.what}</p>
            <p className="reminders-sum">{sample.amount}</p>
            <p>
              <span className="button button-primary">View and pay</span>
            </p>
            {sample.reach && <small>Questions? {sample.reach}</small>}
            <small>{sample.stop}</small>
          </div>
        </div>
      ) : (
        <p>There is no open invoice for an example yet.</p>
      )}
    </section>
  );
}

/** `value` contains the settings that were last loaded or saved. */
type Props = {
  load: LoadState<Reminders>;
  value: Reminders | null;
  onSaved(settings: Reminders): void;
  onClose(): void;
};

/** The schedule of reminders beside a preview. The first save switches reminders on. */
export function RemindersDialog({ load, value, onSaved, onClose }: Props) {
  const [changed, setChanged] = useState<ScheduleLine[] | null>(null);
  const [timing, setTiming] = useState<ReminderTiming>('after');
  const [busy, setBusy] = useState<'save' | 'test' | null>(null);
  const [message, setMessage] = useState<{ failure: string | null; sentTo: string }>({ failure: null, sentTo: '' });
  const body = useRef<HTMLDivElement>(null);
  // The focused Cancel button is below the window on a phone, so scroll back to the top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again once the content has loaded
  useEffect(() => {
    body.current?.closest('dialog')?.scrollTo(0, 0);
  }, [value === null]);
  const lines = changed ?? (value ? linesOf(value.steps) : []);
  const selection = stepsOf(lines);

  const save = async () => {
    if ('problem' in selection) return setMessage({ failure: selection.problem, sentTo: '' });
    setBusy('save');
    const answer = await saveReminders(selection.steps);
    setBusy(null);
    if (!answer.ok) return setMessage({ failure: answer.error.message, sentTo: '' });
    toast(answer.value.is_on ? 'Reminders are on.' : 'Reminders are off.');
    onSaved(answer.value);
    onClose();
  };
  const sendTestEmail = async () => {
    setBusy('test');
    const answer = await sendTestReminder(timing);
    setBusy(null);
    setMessage(answer.ok ? { failure: null, sentTo: answer.value.to } : { failure: answer.error.message, sentTo: '' });
  };
  return (
    <Dialog
      title={`When to remind${value?.is_on === false ? ' (off now)' : ''}`}
      confirmLabel="Save reminders"
      busy={busy === 'save' || !value}
      failure={message.failure}
      onConfirm={() => void save()}
      onCancel={onClose}
    >
      <LoadFailure lead="The reminders could not be loaded." load={load} />
      <div className="reminders" ref={body}>
        <Schedule areRemindersOn={value?.is_on === true} lines={lines} selection={selection} onChange={setChanged} />
        {value && <ReminderMail sample={value.sample} timing={timing} onTimingChange={setTiming} />}
        <div className="reminders-test">
          <Button kind="ghost" busy={busy === 'test'} disabled={!value?.sample} onClick={() => void sendTestEmail()}>
            Send me a test
          </Button>
          <span role="status">{message.sentTo && `Sent to ${message.sentTo}`}</span>
        </div>
      </div>
    </Dialog>
  );
}
