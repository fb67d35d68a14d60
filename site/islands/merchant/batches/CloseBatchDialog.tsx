import { useState } from 'react';
import type { Batch, CloseBatchReply, ClosingReply } from '#shared/contracts/payments/batches';
import type { Device } from '#shared/contracts/staff/session';
import { formatMoney, parseCents } from '#shared/money';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { formatSince, formatTime } from '#site/islands/ui/format-moment.ts';
import { logFailure } from '../parts/use-load.tsx';
import { closeBatch } from './api.ts';
import { netOf } from './BatchCards.tsx';

type Props = {
  device: Device;
  closing: ClosingReply & { batch: Batch };
  onClosed(reply: CloseBatchReply): void;
  onCancel(): void;
};

const money = (amount: string) => {
  const cents = parseCents(amount);
  return cents === null ? amount : formatMoney(cents, 'USD');
};
const counted = (n: string, one: string) => `${n || 'N/A'} ${n === '1' ? one : `${one}s`}`;

/** Asks before a batch is closed, and shows what the close includes. */
export function CloseBatchDialog({ device, closing, onClosed, onCancel }: Props) {
  const { batch, unknown, duplicates } = closing;
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const close = async () => {
    setBusy(true);
    setFailure(null);
    const answer = await closeBatch(device.terminal_id, batch.id);
    setBusy(false);
    if (answer.ok) return onClosed(answer.value);
    const { message } = answer.error;
    logFailure('Failed to close batch', answer.error);
    setFailure(message.startsWith('Failed to close batch') ? message : `Failed to close batch. ${message}`);
  };
  return (
    <Dialog
      title={`Close batch ${batch.id} on ${device.terminal_name}?`}
      verb="Close Batch"
      busy={isBusy}
      failure={failure}
      onConfirm={() => void close()}
      onCancel={onCancel}
    >
      <p>
        {counted(batch['sales-count'], 'sale')}, {counted(batch['refund-count'], 'refund')}, net{' '}
        <strong className="money">{netOf(batch)}</strong>. Payments in it can be refunded afterwards, but not voided.
      </p>
      {unknown.length > 0 && (
        <Banner
          tone="warn"
          lead={`${counted(String(unknown.length), 'payment')} on this device ${unknown.length === 1 ? 'is' : 'are'} not confirmed yet.`}
        >
          {unknown
            .map(({ invoice_number, amount, since }) => `${invoice_number}, ${money(amount)}, ${formatSince(since)}`)
            .join('; ')}
          . {unknown.length === 1 ? 'It' : 'Each'} may land in this batch or in the next one.
        </Banner>
      )}
      {duplicates?.map((alike) => (
        <Banner
          key={`${alike.card} ${alike.created[0]}`}
          tone="warn"
          lead={`${alike.created.length === 2 ? 'Two' : alike.created.length} payments look alike.`}
        >
          {money(alike.amount)}, {alike['card-type']} {alike.card},{' '}
          {alike.created.map((at) => formatTime(new Date(at))).join(' and ')}. Void one now if it was not meant.
        </Banner>
      ))}
      {duplicates === null && <p>Whether payments look alike could not be checked.</p>}
    </Dialog>
  );
}
