import { navigate } from '#site/islands/ui/routing/router.tsx';
import { hasRight } from '../common/app-view.ts';

/** The keyboard shortcuts that Help lists. All except the first can be switched off. */
export const shortcuts: { keys: string[]; action: string }[] = [
  { keys: ['Ctrl', 'K'], action: 'Search or jump to' },
  { keys: ['G', 'B'], action: 'Batches Dashboard' },
  { keys: ['G', 'O'], action: 'Open Invoices' },
  { keys: ['G', 'A'], action: 'Payment Analytics' },
  { keys: ['P'], action: 'Take Payment' },
  { keys: ['/'], action: 'Search this list' },
  { keys: ['?'], action: 'Help' },
];

/** The localStorage key for switching single letters off. With voice input, they could trigger actions by accident. */
const OFF_KEY = 'keysOff';

export const areLetterKeysOn = (): boolean => localStorage.getItem(OFF_KEY) === null;

export function setLetterKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF_KEY);
  else localStorage.setItem(OFF_KEY, 'yes');
}

/** The maximum time (ms) between the two letters of a pair such as G B. */
const PAIR_MS = 1500;
const pathsAfterG: Record<string, string> = { b: '/batches', o: '/openInvoices', a: '/analytics' };

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]') !== null;

/** Focuses the list's search field. Returns false if the screen has none. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}

/** Handles shortcuts. Ctrl K works everywhere. If switched on, single letters work outside fields and dialogs. */
export function listenForKeys(openPalette: () => void, openHelp: () => void): void {
  let lastGTime = Number.NEGATIVE_INFINITY;

  const handleLetter = (key: string, time: number): boolean => {
    const isSecond = time - lastGTime < PAIR_MS;
    lastGTime = key === 'g' ? time : Number.NEGATIVE_INFINITY;
    const path = isSecond ? pathsAfterG[key] : key === 'p' && hasRight('collect') ? '/payments' : undefined;
    if (path) navigate(path);
    if (key === '?') openHelp();
    return key === '?' || path !== undefined || (key === '/' && focusSearch());
  };

  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target, timeStamp } = event;
    if (altKey || event.defaultPrevented) return;
    if (ctrlKey || metaKey) {
      if (key.toLowerCase() !== 'k' || event.shiftKey) return;
      event.preventDefault();
      openPalette();
      return;
    }
    if (isTyping(target) || document.querySelector('dialog[open]') || !areLetterKeysOn()) return;
    if (handleLetter(key.toLowerCase(), timeStamp)) event.preventDefault();
  });
}
