import { navigate } from '#site/islands/ui/routing/router.tsx';
import { may } from '../parts/app-view.ts';

/** The keys of the app, as Help and the palette show them. All but the first are single letters. */
export const keys: { keys: string[]; does: string }[] = [
  { keys: ['Ctrl', 'K'], does: 'Search or jump to' },
  { keys: ['G', 'B'], does: 'Batches Dashboard' },
  { keys: ['G', 'O'], does: 'Open Invoices' },
  { keys: ['G', 'A'], does: 'Payment Analytics' },
  { keys: ['P'], does: 'Take Payment' },
  { keys: ['/'], does: 'Search this list' },
  { keys: ['?'], does: 'Help' },
];

/** Kept in localStorage: with voice input, single letters would trigger actions by accident. */
const OFF = 'keysOff';

export const areLettersOn = (): boolean => localStorage.getItem(OFF) === null;

export function switchLetters(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, 'yes');
}

/** Longest time (ms) between the two letters of a pair. */
const PAIR_MS = 1500;
const afterG: Record<string, string> = { b: '/batches', o: '/openInvoices', a: '/analytics' };

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]') !== null;

/** Focuses the list's own search field. Returns false if the screen has none. */
function searchHere(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}

/** Ctrl K works everywhere; single letters only outside fields and dialogs, and not if they are switched off. */
export function hearKeys(open: () => void, help: () => void): void {
  let gAt = Number.NEGATIVE_INFINITY;

  const press = (key: string, at: number): boolean => {
    const isSecond = at - gAt < PAIR_MS;
    gAt = key === 'g' ? at : Number.NEGATIVE_INFINITY;
    const to = isSecond ? afterG[key] : key === 'p' && may('collect') ? '/payments' : undefined;
    if (to) navigate(to);
    if (key === '?') help();
    return key === '?' || to !== undefined || (key === '/' && searchHere());
  };

  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target, timeStamp } = event;
    if (altKey || event.defaultPrevented) return;
    if (ctrlKey || metaKey) {
      if (key.toLowerCase() !== 'k' || event.shiftKey) return;
      event.preventDefault();
      open();
      return;
    }
    if (isTyping(target) || document.querySelector('dialog[open]') || !areLettersOn()) return;
    if (press(key.toLowerCase(), timeStamp)) event.preventDefault();
  });
}
