import { formatMoney, parseCents } from '../../../../shared/money.ts';

/** Stands for what is not known. */
export const NONE = 'N/A';

/** An amount as it came on the wire, as a plain text. */
export function moneyOf(amount: string | null, currency: string): string {
  const cents = parseCents(amount);
  return cents === null ? NONE : formatMoney(cents, currency);
}
