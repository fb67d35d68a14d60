import { useState } from 'react';
import type { Reminders } from '#shared/contracts/payments/reminders';
import { hasRight } from '#site/islands/merchant/common/app-view.ts';
import { Lazy } from '#site/islands/merchant/common/Lazy.tsx';
import { RequireRight } from '#site/islands/merchant/common/RequireRight.tsx';
import { LoadFailure, type LoadState, useLoad } from '#site/islands/merchant/common/use-load.tsx';
import { describeNext, describeSteps, fetchForecast } from '#site/islands/merchant/reminders/reminder-schedule.ts';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';

const dialog = lazyScreen(() =>
  import('#site/islands/merchant/reminders/RemindersDialog.tsx').then((code) => code.RemindersDialog),
);

/** Shows the days on which reminders go out, with a button that opens their schedule. */
export function ReminderSettings({ load }: { load: LoadState<Reminders> }) {
  const [isOpen, setOpen] = useState(false);
  const [saved, setSaved] = useState<Reminders | null>(null);
  const value = saved ?? load.value;
  return (
    <section className="card account-part" aria-labelledby="reminders">
      <h2 id="reminders">Reminders</h2>
      <LoadFailure lead="The reminders could not be loaded." load={load} />
      {value && (
        <p>
          <Badge tone={value.is_on ? 'ok' : 'plain'} icon={value.is_on ? 'check' : 'minus'}>
            {value.is_on ? 'On' : 'Off'}
          </Badge>
        </p>
      )}
      {value && <p>{value.is_on ? describeSteps(value.steps) : 'Payers get no reminders of invoices that are due.'}</p>}
      {value?.is_on && hasRight('configure') && <NextReminders steps={value.steps} />}
      <RequireRight right="configure" action="change this">
        <div>
          <Button disabled={!value} onClick={() => setOpen(true)}>
            {value?.is_on ? 'Change reminders' : 'Set up reminders'}
          </Button>
        </div>
      </RequireRight>
      {isOpen && <Lazy screen={dialog} props={{ load, value, onSaved: setSaved, onClose: () => setOpen(false) }} />}
    </section>
  );
}

/** Shows the next day on which reminders go out, and the number of invoices. */
function NextReminders({ steps }: { steps: number[] }) {
  const { value } = useLoad(steps.join(), 'Failed to fetch the forecast', () => fetchForecast(steps));
  return <p className="app-quiet">{value ? describeNext(value) : '\u00a0'}</p>;
}
