import { formatMoney, parseCents } from '#shared/money';

/**
 * An amount from the API. Screen readers get the word "minus" without the sign, since only some of them read the sign.
 */
export function Money({ amount, currency }: { amount: string | null; currency: string }) {
  const cents = parseCents(amount);
  if (cents === null) return 'N/A';
  return (
    <span className="money">
      {cents < 0 && (
        <>
          <span className="sr-only">minus </span>
          <span aria-hidden="true">−</span>
        </>
      )}
      <span>{formatMoney(Math.abs(cents), currency)}</span>
    </span>
  );
}
