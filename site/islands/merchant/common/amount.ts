import { formatMoney, parseCents } from '#shared/money';

/** The text for an unknown value. */
export const NOT_AVAILABLE = 'N/A';

/** Adds a minus sign to an amount of returned money, which the card provider and our totals report without a sign. */
export const negate = (amount: string): string => {
  const cents = parseCents(amount);
  return cents === null || cents === 0 ? amount : `-${amount.replace('-', '')}`;
};

/** Formats an amount from the API. */
export function moneyOf(amount: string | null, currency: string): string {
  const cents = parseCents(amount);
  return cents === null ? NOT_AVAILABLE : formatMoney(cents, currency);
}
