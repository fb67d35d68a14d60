import type { ReconciliationLine, ReconciliationVerdict } from '../../../../shared/contracts/reconciliation.ts';
import { Badge } from '../../ui/Badge.tsx';
import { formatMoment } from '../../ui/format-moment.ts';
import { Money } from '../../ui/Money.tsx';
import { AppLink } from '../../ui/routing/router.tsx';
import '../../../styles/areas/merchant/reconciliation.css';

/** Meaning of each verdict for the money. */
const WORDS: Partial<Record<ReconciliationVerdict, string>> = {
  'only-gateway': 'Only at the card provider',
  'only-ours': 'Only in our books',
  'amount-differs': 'Amounts differ',
};

export const isDifference = ({ verdict }: ReconciliationLine): boolean => verdict in WORDS;

/** Lines that do not agree: both sides' amounts, the customer, and the name on the card. */
export function Differences({ lines }: { lines: ReconciliationLine[] }) {
  return (
    <ul className="differences">
      {lines.map((line) => (
        <li key={`${line.verdict} ${line.id}`} className="difference">
          <p className="difference-head">
            <Badge tone="bad" icon="alert">
              {WORDS[line.verdict]}
            </Badge>
            <span className="difference-id">
              {line.type} {line.id}
            </span>
            {line.at && <time dateTime={line.at}>{formatMoment(line.at)}</time>}
          </p>
          <dl className="difference-facts">
            <div>
              <dt>Card provider</dt>
              <dd>{line.amount === null ? 'Not there' : <Money amount={line.amount} currency="USD" />}</dd>
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
        </li>
      ))}
    </ul>
  );
}
