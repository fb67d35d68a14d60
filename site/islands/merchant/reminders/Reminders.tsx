import { useState } from 'react';
import { Button } from '../../ui/form/Button.tsx';
import { lazyScreen } from '../../ui/routing/lazy-screen.ts';
import { Lazy } from '../parts/Lazy.tsx';
import { useLoad } from '../parts/use-load.ts';
import { fetchReminders } from './api.ts';

const dialog = lazyScreen(() => import('./RemindersDialog.tsx').then((code) => code.RemindersDialog));

/** Whether payers are reminded, and the way to say when. */
export function Reminders() {
  const [isOpen, setOpen] = useState(false);
  const load = useLoad('reminders', 'Failed to fetch the reminders', fetchReminders);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{load.value?.is_on === false ? 'Reminders: off' : 'Reminders'}</Button>
      {isOpen && <Lazy of={dialog} props={{ load, onClose: () => setOpen(false) }} />}
    </>
  );
}
