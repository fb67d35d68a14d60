import { formatMoney, parseCents } from '#shared/money';

/** An amount from the API. Screen readers get the word "minus" in place of the sign, which only some of them read. */
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
