import { formatMoney, parseCents } from '#shared/money';

/** Shown for an unknown value. */
export const NONE = 'N/A';

/** Formats an amount from the API. */
export function moneyOf(amount: string | null, currency: string): string {
  const cents = parseCents(amount);
  return cents === null ? NONE : formatMoney(cents, currency);
}
