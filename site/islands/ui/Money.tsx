import { formatMoney, parseCents } from '#shared/money';

/** An amount from the API, formatted for display. */
export function Money({ amount, currency }: { amount: string | null; currency: string }) {
  const cents = parseCents(amount);
  if (cents === null) return 'N/A';
  return (
    <span className="money">
      {cents < 0 && <span className="sr-only">minus </span>}
      {formatMoney(cents, currency)}
    </span>
  );
}
