import type { ReconciliationLine, ReconciliationVerdict } from '#shared/contracts/payments/reconciliation';
import { formatMoney, parseCents } from '#shared/money';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { formatMoment } from '#site/islands/ui/format-moment.ts';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import '#site/styles/areas/merchant/money/reconciliation.css';

/** The labels of those verdicts that are differences. */
const DIFFERENCE_LABELS: Partial<Record<ReconciliationVerdict, string>> = {
  'only-gateway': 'Only at the card provider',
  'only-ours': 'Only in our books',
  'amount-differs': 'Amounts differ',
};

/** The next step for staff for each kind of difference. */
const NEXT_STEPS: typeof DIFFERENCE_LABELS = {
  'only-gateway':
    'Find out from the card provider whose payment this is. If it belongs to no invoice here, void or refund it there.',
  'only-ours': 'Look for it at the card provider. If it is not there, no money was received: ask the provider why.',
  'amount-differs': 'Ask the card provider what was charged, and settle the difference with the customer.',
};

const describeGap = ({ amount, ours }: ReconciliationLine) =>
  amount === null || ours === null
    ? ''
    : ` by ${formatMoney(Math.abs((parseCents(amount) ?? 0) - (parseCents(ours) ?? 0)), 'USD')}`;

/** Returns the text in place of the provider’s amount if that is not known. */
const missingAmountText = ({ verdict }: ReconciliationLine): string =>
  verdict === 'amount-differs' ? 'Does not show if it was paid' : 'Not there';

export const isDifference = ({ verdict }: ReconciliationLine): boolean => verdict in DIFFERENCE_LABELS;

/** Lists the lines that do not agree, with both amounts, the customer and the invoice. */
export function Differences({ lines }: { lines: ReconciliationLine[] }) {
  return (
    <ul className="differences">
      {lines.map((line) => (
        <li key={`${line.verdict} ${line.type} ${line.id} ${line.at}`} className="difference">
          <p className="difference-head">
            <Badge tone="bad" icon="alert">
              {DIFFERENCE_LABELS[line.verdict]}
              {describeGap(line)}
            </Badge>
            <span className="difference-id">
              {line.type} {line.id}
            </span>
            {line.at && <time dateTime={line.at}>{formatMoment(line.at)}</time>}
          </p>
          <dl className="difference-facts">
            <div>
              <dt>Card provider</dt>
              <dd>{line.amount === null ? missingAmountText(line) : <Money amount={line.amount} currency="USD" />}</dd>
            </div>
            <div>
              <dt>Our books</dt>
              <dd>{line.ours === null ? 'Not there' : <Money amount={line.ours} currency="USD" />}</dd>
            </div>
            <div>
              <dt>Customer</dt>
              <dd>{line.customer || line.payer || 'N/A'}</dd>
            </div>
            <div>
              <dt>Invoice</dt>
              <dd>
                {line.invoice ? (
                  <AppLink href={`/invoice/${encodeURIComponent(line.invoice.id)}`}>
                    {line.invoice.number || line.invoice.id}
                  </AppLink>
                ) : (
                  'N/A'
                )}
              </dd>
            </div>
          </dl>
          <p>{NEXT_STEPS[line.verdict]}</p>
        </li>
      ))}
    </ul>
  );
}
