import { useState } from 'react';
import type { Reminders as ReminderSettings } from '#shared/contracts/payments/reminders';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { setSearch, useSearch } from '#site/islands/ui/routing/router.tsx';
import { Lazy } from '../parts/Lazy.tsx';
import { useLoad } from '../parts/use-load.tsx';
import { fetchReminders } from './reminder-schedule.ts';

const dialog = lazyScreen(() => import('./RemindersDialog.tsx').then((code) => code.RemindersDialog));

/** Shows if reminders are on, and opens their settings; the account menu opens them by the address. */
export function Reminders() {
  const [isPressed, setPressed] = useState(false);
  const search = new URLSearchParams(useSearch());
  const isLedTo = search.has('reminders');
  const load = useLoad('reminders', 'Failed to fetch the reminders', fetchReminders);
  // The reply to the last save: the dialog may be reopened at once.
  const [saved, setSaved] = useState<ReminderSettings | null>(null);
  const value = saved ?? load.value;
  const close = () => {
    setPressed(false);
    search.delete('reminders');
    if (isLedTo) setSearch(search.toString(), { replace: true });
  };
  return (
    <>
      <Button onClick={() => setPressed(true)}>{value?.is_on === false ? 'Reminders: off' : 'Reminders'}</Button>
      {(isPressed || isLedTo) && <Lazy of={dialog} props={{ load, value, onSaved: setSaved, onClose: close }} />}
    </>
  );
}
