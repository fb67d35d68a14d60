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

/** In the browser's own storage: a person who speaks to the browser may not want single letters to do anything. */
const OFF = 'keysOff';

export const areLettersOn = (): boolean => localStorage.getItem(OFF) === null;

export function switchLetters(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, 'yes');
}
