import type { BatchTransaction } from '#shared/contracts/payments/batches';
import { parseCents } from '#shared/money';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatMoment } from '#site/islands/ui/format-moment.ts';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import type { RankedColumn } from '#site/islands/ui/table/use-sorted.ts';
import { negate } from '../common/amount.ts';
import { hasRight } from '../common/app-view.ts';
import { CustomerLink } from '../lists/CustomerLink.tsx';

const isRefund = ({ type }: BatchTransaction) => /^(REFUND|CREDIT)/i.test(type);
const centsOf = (row: BatchTransaction) => (parseCents(row.amount) ?? 0) * (isRefund(row) ? -1 : 1);
const nameOf = ({ billing }: BatchTransaction) => `${billing['first-name']} ${billing['last-name']}`.trim();
/** Returns the card with a shorter mask than the gateway's. */
const cardOf = (row: BatchTransaction) =>
  `${row['card-type']} ${row.card.replace(/^[X*]+(?=\d{4}$)/i, '••••\u00a0')}`.trim();

const reversalLabels = { void: 'Void', refund: 'Refund' } as const;

export const transactionColumns = (onReverse: (row: BatchTransaction) => void): RankedColumn<BatchTransaction>[] => [
  {
    id: 'id',
    header: 'ID',
    width: 6,
    isHead: true,
    place: 'by',
    sort: 'asc',
    value: ({ id }) => id,
    rank: ({ id }) => id,
  },
  {
    id: 'amount',
    header: 'Amount',
    width: 6.5,
    align: 'end',
    place: 'amount',
    label: '',
    sort: 'desc',
    value: (row) => <Money amount={isRefund(row) && row.amount ? negate(row.amount) : row.amount} currency="USD" />,
    rank: centsOf,
  },
  {
    id: 'type',
    header: 'Type',
    // Wide enough for the badge "Voided".
    width: 6.75,
    place: 'title',
    label: '',
    sort: 'asc',
    value: ({ type, voided }) =>
      voided && type !== 'VOID' ? (
        <>
          {type}{' '}
          <Badge tone="plain" icon="minus">
            Voided
          </Badge>
        </>
      ) : (
        type
      ),
    rank: ({ type }) => type,
  },
  {
    id: 'result',
    header: 'Result',
    width: 6,
    place: 'fact',
    sort: 'asc',
    value: ({ result }) => result,
    rank: ({ result }) => result,
  },
  { id: 'card', header: 'Card', width: 9, sort: 'asc', value: cardOf, rank: cardOf },
  {
    id: 'name',
    header: 'Name',
    width: 7,
    place: 'fact',
    sort: 'asc',
    value: (row) => {
      const name = nameOf(row);
      return name && row.payment?.customer_id ? (
        <CustomerLink id={row.payment.customer_id} name={name} />
      ) : (
        name || 'N/A'
      );
    },
    rank: nameOf,
  },
  {
    id: 'date',
    header: 'Date',
    width: 10.75,
    place: 'fact',
    sort: 'desc',
    value: ({ created }) =>
      created ? (
        <time className="txn-date" dateTime={created}>
          {formatMoment(created)}
        </time>
      ) : (
        'N/A'
      ),
    rank: ({ created }) => created ?? '',
  },
  {
    id: 'payment',
    header: 'Payment',
    width: 10,
    place: 'action',
    label: '',
    value: (row) => <PaymentCell row={row} onReverse={onReverse} />,
  },
];

/** The paid invoice, and a button for the reversal that is possible now. */
function PaymentCell({ row, onReverse }: { row: BatchTransaction; onReverse(row: BatchTransaction): void }) {
  const { payment } = row;
  if (!payment) return <span className="txn-why">Not taken here</span>;
  const { offer, invoice_id, invoice_number } = payment;
  return (
    <span className="txn-payment">
      <AppLink href={`/invoice/${encodeURIComponent(invoice_id)}`}>{invoice_number || invoice_id}</AppLink>
      {offer?.kind && (
        <Button size="sm" onClick={() => onReverse(row)}>
          {reversalLabels[offer.kind]}
          <span className="sr-only"> payment {row.id}</span>
        </Button>
      )}
      {offer && !offer.kind && hasRight('refund') && <span className="txn-why">{offer.why}</span>}
    </span>
  );
}
