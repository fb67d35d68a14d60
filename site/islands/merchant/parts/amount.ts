import { formatMoney, parseCents } from '#shared/money';

/** Shown for an unknown value. */
export const NONE = 'N/A';

/** Money that went back, with the minus that screens show: the card provider and our sums report it without a sign. */
export const negated = (amount: string): string => {
  const cents = parseCents(amount);
  return cents === null || cents === 0 ? amount : `-${amount.replace('-', '')}`;
};

/** Formats an amount from the API. */
export function moneyOf(amount: string | null, currency: string): string {
  const cents = parseCents(amount);
  return cents === null ? NONE : formatMoney(cents, currency);
}
