import { decimalFromCents, formatMoney, parseCents } from '../../../../shared/money.ts';

/** Either end may be open, not both. */
export type Range = { from: string; to: string };

export function readRange(text: string | undefined): Range | null {
  const [from = '', to = ''] = (text ?? '').split('..');
  return from || to ? { from, to } : null;
}

export const writeRange = ({ from, to }: Range): string => (from || to ? `${from}..${to}` : '');

/** "$1,200.5" as the wire has it, nothing as nothing; null for what is no amount. */
export function readAmount(text: string): string | null {
  const plain = text.replace(/[\s$,]/g, '');
  if (plain === '') return '';
  const cents = parseCents(plain);
  return cents === null || cents < 0 ? null : decimalFromCents(cents);
}

export function sayDays(range: Range | null, say: (day: string) => string): string {
  if (!range) return 'Due';
  const { from, to } = range;
  if (!from) return `Due until ${say(to)}`;
  return to ? `Due ${say(from)} to ${say(to)}` : `Due from ${say(from)}`;
}

export function sayAmounts(range: Range | null): string {
  if (!range) return 'Amount';
  const say = (amount: string) => {
    const cents = parseCents(amount);
    return cents === null ? amount : formatMoney(cents, 'USD');
  };
  const { from, to } = range;
  if (!from) return `Up to ${say(to)}`;
  return to ? `${say(from)} to ${say(to)}` : `From ${say(from)}`;
}
