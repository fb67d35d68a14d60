import { formatMoney, parseCents } from '#shared/money';

/** Shown for an unknown value. */
export const NONE = 'N/A';

/** Money that went back, which the card provider and our sums report without a sign, as screens show it. */
export const wentBack = (amount: string): string => {
  const cents = parseCents(amount);
  return cents === null || cents === 0 ? amount : `-${amount.replace('-', '')}`;
};

/** Formats an amount from the API. */
export function moneyOf(amount: string | null, currency: string): string {
  const cents = parseCents(amount);
  return cents === null ? NONE : formatMoney(cents, currency);
}
