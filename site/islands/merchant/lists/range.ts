import { decimalFromCents, formatMoney, parseCents, typedCents } from '#shared/money';

/** Either end may be open, not both. */
export type Range = { from: string; to: string };

export function readRange(text: string | undefined): Range | null {
  const [from = '', to = from] = (text ?? '').split('..');
  return from || to ? { from, to } : null;
}

/** True if each given end of the range is valid. */
export function isRange(text: string, isEnd: (end: string) => boolean): boolean {
  const range = readRange(text);
  return range !== null && [range.from, range.to].every((end) => end === '' || isEnd(end));
}

export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

export const writeRange = ({ from, to }: Range): string => (from || to ? `${from}..${to}` : '');

/** "$1,200.5" in the server's format, '' for ''; null when it is no amount. */
export function readAmount(text: string): string | null {
  const plain = text.replace(/[\s$,]/g, '');
  if (plain === '') return '';
  const cents = typedCents(plain);
  return cents === null || cents < 0 ? null : decimalFromCents(cents);
}

export function describeDays(range: Range | null, say: (day: string) => string): string {
  if (!range) return 'Due';
  const { from, to } = range;
  if (!from) return `Due until ${say(to)}`;
  return to ? `Due ${say(from)} to ${say(to)}` : `Due from ${say(from)}`;
}

export function describeAmounts(range: Range | null): string {
  if (!range) return 'Amount';
  const say = (amount: string) => {
    const cents = parseCents(amount);
    return cents === null ? amount : formatMoney(cents, 'USD');
  };
  const { from, to } = range;
  if (!from) return `Up to ${say(to)}`;
  return to ? `${say(from)} to ${say(to)}` : `From ${say(from)}`;
}
