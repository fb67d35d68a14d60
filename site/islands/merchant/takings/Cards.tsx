import type { Takings } from '#shared/contracts/payments/takings';
import { parseCents } from '#shared/money';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { type Check, compareTotals, type DayBatches, describeAgreement, isCompared } from './day-batches.ts';
import { formatAmount, formatCents } from './takings.ts';

/** The day's sales by card brand, with bars that can be distinguished without color. */
export function CardSales({ takings: { methods, paid_elsewhere: elsewhere } }: { takings: Takings }) {
  const max = Math.max(1, ...methods.map(({ amount }) => parseCents(amount) ?? 0));
  return (
    <section className="sheet-part">
      <h3>Cards</h3>
      {methods.length === 0 && <p className="sheet-note">No payments.</p>}
      {methods.length > 0 && (
        <table className="sheet-cards">
          <thead className="sr-only">
            <tr>
              <th scope="col">Card</th>
              <th scope="col">Share</th>
              <th scope="col">Payments</th>
              <th scope="col">Amount</th>
            </tr>
          </thead>
          <tbody>
            {methods.map(({ name, count, amount }, index) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <span
                    className={`sheet-bar sheet-bar-${Math.min(index, 3)}`}
                    style={{ width: `${(100 * (parseCents(amount) ?? 0)) / max}%` }}
                  />
                </td>
                <td>{count}</td>
                <td>{formatAmount(amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {elsewhere && (
        <p className="sheet-note">
          Paid in HubSpot, not by card: {elsewhere.count}, {formatAmount(elsewhere.amount)}
        </p>
      )}
    </section>
  );
}

/** Compares the card provider's totals with ours. */
export function ProviderChecks({ batches }: { batches: DayBatches | null }) {
  const closed = batches?.closed ?? [];
  const { checks, withoutInvoice } = compareTotals(closed);
  const uncompared = closed.filter(({ match }) => !isCompared(match));
  return (
    <section className="sheet-part">
      <h3>Checked against the card provider</h3>
      <ul className="sheet-checks">
        {checks.map((check) => (
          <CheckLine key={check.what} doesAgree={check.ours === check.theirs}>
            {describeCheck(check)}
          </CheckLine>
        ))}
        {checks.length > 0 && (
          <CheckLine doesAgree={withoutInvoice.count === 0}>
            {withoutInvoice.count === 0
              ? 'Every payment has an invoice'
              : `${withoutInvoice.count === 1 ? '1 payment matches' : `${withoutInvoice.count} payments match`} no invoice: ${formatCents(withoutInvoice.cents)}`}
          </CheckLine>
        )}
        {uncompared.map(({ terminal, batch, match }) => (
          <CheckLine key={`${terminal} ${batch.id}`} doesAgree={false}>
            {terminal}, batch {batch.id}: {describeAgreement(match)}
            {describeAgreement(match) === 'Before Tillway' && ', so not in our books'}
          </CheckLine>
        ))}
        {checks.length + uncompared.length === 0 && <li>Cannot be compared yet: no batch of this day is closed.</li>}
      </ul>
    </section>
  );
}

function describeCheck({ what, ours, theirs }: Check): string {
  const [agree, disagree] = what === 'Net' ? ['agrees', 'does not agree'] : ['agree', 'do not agree'];
  if (ours === theirs) return `${what} ${agree}: ${formatCents(ours)}`;
  return `${what} ${disagree}: ours ${formatCents(ours)}, theirs ${formatCents(theirs)}. Difference ${formatCents(Math.abs(ours - theirs))}.`;
}

const CheckLine = ({ doesAgree: isFine, children }: { doesAgree: boolean; children: React.ReactNode }) => (
  <li className={isFine ? undefined : 'sheet-wrong'}>
    {isFine ? <Icon name="check" size="sm" /> : <span className="sheet-box" />}
    <span>{children}</span>
  </li>
);
