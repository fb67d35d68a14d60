import type { ReactNode } from 'react';
import { type ListedPayment, PaymentListReply, paymentRules } from '#shared/contracts/payments/payment-list';
import { paymentStatusWords } from '#shared/contracts/payments/payment-list-values';
import { methodName } from '#shared/text/wallet-name';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatDay, formatTime } from '#site/islands/ui/format-moment.ts';
import type { IconName } from '#site/islands/ui/Icon.tsx';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { TruncatedText } from '#site/islands/ui/table/CutText.tsx';
import type { Column } from '#site/islands/ui/table/list-view.ts';
import { transactionsAddress } from '../batches/api.ts';
import { NOT_AVAILABLE } from '../common/amount.ts';
import { statusStyles } from '../common/InvoiceStatus.tsx';
import { otherPayer } from '../common/other-payer.ts';
import { CustomerLink } from '../lists/CustomerLink.tsx';
import { isDay, isRange } from '../lists/range.ts';
import type { ListSource } from '../lists/use-list.ts';

export const paymentSource: ListSource<ListedPayment> = {
  path: '/api/payments',
  readRows: readWith(PaymentListReply, ({ payments }) => payments),
  sort: paymentRules.defaultSort,
  sorts: paymentRules.sorts,
  filters: ['day', 'status', 'terminal'],
  canFilter(name, value) {
    if (name === 'day') return isRange(value, isDay);
    return name === 'terminal' || value.split(',').every((status) => Object.hasOwn(paymentStatusWords, status));
  },
};

export type PaymentFacts = Omit<PaymentListReply, 'payments'>;
export const readFacts = readWith(
  PaymentListReply,
  ({ period, totals, unknown }): PaymentFacts => ({
    period,
    totals,
    unknown,
  }),
);

const BADGE_STYLES: Record<string, { tone: 'plain' | 'bad'; icon: IconName }> = {
  refund: { tone: 'plain', icon: 'arrowBack' },
  return: { tone: 'bad', icon: 'arrowBack' },
  correction: { tone: 'plain', icon: 'info' },
};

function Status({ status }: { status: ListedPayment['status'] }) {
  const { tone, icon } = BADGE_STYLES[status] ?? statusStyles[status] ?? { tone: 'plain', icon: 'info' };
  return (
    <Badge tone={tone} icon={icon}>
      {paymentStatusWords[status]}
    </Badge>
  );
}

export const numberOf = ({ invoice }: ListedPayment): string => invoice.number || `Invoice ${invoice.id}`;

/** Only card payments that were not voided get a batch. */
const missingBatchText = (method: ListedPayment['method'], status: ListedPayment['status']): string =>
  method === 'ach' || status === 'voided' ? NOT_AVAILABLE : 'Not yet';

type RowActions = {
  canReverse: boolean;
  /** The id of the payment whose possible reversal is loading. */
  loadingId: string | null;
  onReverse(payment: ListedPayment): void;
};

const SecondLine = ({ children }: { children: ReactNode }) => <span className="payment-second">{children}</span>;

export const paymentColumns = ({
  canReverse,
  loadingId: readingId,
  onReverse,
}: RowActions): Column<ListedPayment>[] => [
  {
    id: 'at',
    header: 'Date',
    value: ({ at }) => (
      <time dateTime={at}>
        {formatDay(at)} <SecondLine>{formatTime(new Date(at))}</SecondLine>
      </time>
    ),
    sort: 'desc',
    width: 6.5,
    place: 'by',
    label: '',
  },
  {
    id: 'customer',
    header: 'Customer',
    value: ({ customer, payer }) => (
      <>
        <CustomerLink id={customer.name && customer.id} name={customer.name || payer || 'No name'} />{' '}
        {otherPayer(customer.name, payer) && (
          <SecondLine>
            paid by <TruncatedText text={payer} />
          </SecondLine>
        )}
      </>
    ),
    width: 9,
    isHead: true,
    place: 'title',
    label: '',
  },
  {
    id: 'invoice',
    header: 'Invoice',
    value: (row) => (
      <AppLink href={`/invoice/${encodeURIComponent(row.invoice.id)}`} className="row-link">
        {numberOf(row)}
      </AppLink>
    ),
    width: 6,
    place: 'fact',
    label: '',
  },
  {
    id: 'amount',
    header: 'Amount',
    value: ({ amount, currency, status, counted }) => {
      // A submitted payment is not counted yet, but will be.
      const isStruck = status !== 'submitted' && Number(counted) === 0;
      const money = <Money amount={amount} currency={currency} />;
      return isStruck ? <s>{money}</s> : money;
    },
    width: 6.25,
    align: 'end',
    place: 'amount',
    label: '',
  },
  {
    id: 'status',
    header: 'Status',
    value: ({ status, waiting }) => (
      <>
        <Status status={status} /> {waiting && <SecondLine>{waiting} waiting for approval</SecondLine>}
      </>
    ),
    width: 7.5,
    place: 'state',
    label: '',
  },
  {
    id: 'method',
    header: 'Method',
    value: ({ method, wallet, card, terminal, by }) => (
      <>
        {methodName({ method, wallet }, card)}{' '}
        <SecondLine>
          <TruncatedText text={[terminal || 'online', by && `by ${by.split('@')[0]}`].filter(Boolean).join(', ')} />
        </SecondLine>
      </>
    ),
    width: 9.5,
  },
  {
    id: 'batch',
    header: 'Batch',
    value: ({ batch_id, terminal_id, method, status }) =>
      batch_id ? (
        <AppLink href={transactionsAddress(terminal_id, batch_id)} className="row-link">
          {batch_id}
        </AppLink>
      ) : (
        missingBatchText(method, status)
      ),
    width: 4,
  },
  ...(canReverse
    ? [
        {
          id: 'acts',
          header: 'Actions',
          value: (row: ListedPayment) =>
            row.can_go_back && (
              <Button size="sm" busy={readingId === row.payment_id} onClick={() => onReverse(row)}>
                Void or refund<span className="sr-only"> the payment of {numberOf(row)}</span>
              </Button>
            ),
          width: 9.5,
          place: 'action' as const,
          label: '',
        },
      ]
    : []),
];
