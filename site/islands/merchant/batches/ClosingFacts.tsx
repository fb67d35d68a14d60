import type { Batch, ClosingReply } from '#shared/contracts/payments/batches';
import { formatMoney, parseCents } from '#shared/money';
import { hasNoMessage } from '#site/islands/ui/api/parse-response.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { formatSince, formatTime } from '#site/islands/ui/format-moment.ts';
import type { ClientError } from '../api/api.ts';
import { netOf } from './BatchCards.tsx';

export type Closing = ClosingReply & { batch: Batch };

const money = (amount: string) => {
  const cents = parseCents(amount);
  return cents === null ? amount : formatMoney(cents, 'USD');
};
const describeCount = (n: string, noun: string) => `${n || 'N/A'} ${n === '1' ? noun : `${noun}s`}`;

/** Shows for example "37 sales, 1 refund, net $1,204.00". */
export const BatchTotals = ({ batch }: { batch: Batch }) => (
  <>
    {describeCount(batch['sales-count'], 'sale')}, {describeCount(batch['refund-count'], 'refund')}, net{' '}
    <strong className="money">{netOf(batch)}</strong>
  </>
);

/** Warns of payments without an outcome and of likely duplicates before a batch is closed. */
export function ClosingWarnings({ unknown, duplicates }: Pick<ClosingReply, 'unknown' | 'duplicates'>) {
  return (
    <>
      {unknown.length > 0 && (
        <Banner
          tone="warn"
          lead={`${describeCount(String(unknown.length), 'payment')} on this terminal ${unknown.length === 1 ? 'is' : 'are'} not confirmed yet.`}
        >
          {unknown
            .map(({ invoice_number, amount, since }) => `${invoice_number}, ${money(amount)}, ${formatSince(since)}`)
            .join('; ')}
          . {unknown.length === 1 ? 'It' : 'Each'} may land in this batch or in the next one.
        </Banner>
      )}
      {duplicates?.map((group) => (
        <Banner
          key={`${group.card} ${group.created[0]}`}
          tone="warn"
          lead={`${group.created.length === 2 ? 'Two' : group.created.length} payments look alike.`}
        >
          {money(group.amount)}, {group['card-type']} {group.card},{' '}
          {group.created.map((time) => formatTime(new Date(time))).join(' and ')}. Void one now if it was taken by
          mistake.
        </Banner>
      ))}
      {duplicates === null && <p>We could not check if payments look alike.</p>}
    </>
  );
}

/** `isUnknown` is true if the batch may have been closed. A retry is safe, since a batch can be closed only once. */
export function describeFailure(error: ClientError, batchId: string): { isUnknown: boolean; text: string } {
  if (hasNoMessage(error)) {
    return {
      isUnknown: true,
      text: `We do not know yet whether batch ${batchId} was closed, as no answer came. The list of batches shows it.`,
    };
  }
  const { message } = error;
  return {
    isUnknown: false,
    text: message.startsWith('Failed to close batch') ? message : `Failed to close batch. ${message}`,
  };
}
