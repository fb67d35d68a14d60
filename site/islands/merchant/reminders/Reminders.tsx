import { useState } from 'react';
import type { Reminders as ReminderSettings } from '#shared/contracts/payments/reminders';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { Lazy } from '../common/Lazy.tsx';
import { useLoad } from '../common/use-load.tsx';
import { fetchReminders } from './reminder-schedule.ts';

const dialog = lazyScreen(() => import('./RemindersDialog.tsx').then((code) => code.RemindersDialog));

/** A button that shows whether reminders are on, and opens their schedule. */
export function Reminders() {
  const [isOpen, setOpen] = useState(false);
  const load = useLoad('reminders', 'Failed to fetch the reminders', fetchReminders);
  // The reply to the last save is kept, since the dialog may be reopened at once.
  const [saved, setSaved] = useState<ReminderSettings | null>(null);
  const value = saved ?? load.value;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{value?.is_on === false ? 'Reminders: off' : 'Reminders'}</Button>
      {isOpen && <Lazy screen={dialog} props={{ load, value, onSaved: setSaved, onClose: () => setOpen(false) }} />}
    </>
  );
}
