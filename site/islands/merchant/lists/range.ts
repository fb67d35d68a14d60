import { decimalFromCents, formatMoney, parseCents, typedCents } from '#shared/money';

/** A range. One of its ends may be open (''), but not both. */
export type Range = { from: string; to: string };

export function parseRange(text: string | undefined): Range | null {
  const [from = '', to = from] = (text ?? '').split('..');
  return from || to ? { from, to } : null;
}

/** True if the text is a range and each end that is not open is valid. */
export function isRange(text: string, isValidEnd: (end: string) => boolean): boolean {
  const range = parseRange(text);
  return range !== null && [range.from, range.to].every((end) => end === '' || isValidEnd(end));
}

export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

export const formatRange = ({ from, to }: Range): string => (from || to ? `${from}..${to}` : '');

/** Converts an amount such as "$1,200.5" to the server's format. Returns '' for '', and null for invalid text. */
export function parseAmount(text: string): string | null {
  const plain = text.replace(/[\s$,]/g, '');
  if (plain === '') return '';
  const cents = typedCents(plain);
  return cents === null || cents < 0 ? null : decimalFromCents(cents);
}

export function describeDays(range: Range | null, format: (day: string) => string): string {
  if (!range) return 'Due';
  const { from, to } = range;
  if (!from) return `Due until ${format(to)}`;
  return to ? `Due ${format(from)} to ${format(to)}` : `Due from ${format(from)}`;
}

export function describeAmounts(range: Range | null): string {
  if (!range) return 'Amount';
  const format = (amount: string) => {
    const cents = parseCents(amount);
    return cents === null ? amount : formatMoney(cents, 'USD');
  };
  const { from, to } = range;
  if (!from) return `Up to ${format(to)}`;
  return to ? `${format(from)} to ${format(to)}` : `From ${format(from)}`;
}
