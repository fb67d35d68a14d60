import { useState } from 'react';
import * as z from 'zod/mini';
import {
  ReopenInvoiceReply,
  type ReversalBody,
  ReversalReply,
  ReversalView,
  type ShownReversal,
} from '#shared/contracts/payments/batches';
import { WaitingReply } from '#shared/contracts/staff/proof';
import { formatMoney, parseCents } from '#shared/money';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { formatSince } from '#site/islands/ui/format-moment.ts';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { api, sendJson } from '../api/api.ts';

const readView = readWith(ReversalView);
const readRequestReply = readWith(z.union([WaitingReply, ReversalReply]));
const readReopenReply = readWith(ReopenInvoiceReply);

/** The reply to a reversal request: the gateway's answer, or a wait for approval by a second person. */
export type ReversalRequestReply = ReversalReply | WaitingReply;

const paymentPath = (paymentId: string) => `/api/payments/${encodeURIComponent(paymentId)}`;

export const fetchReversal = (paymentId: string) => api.call(`${paymentPath(paymentId)}/reversal`, readView);
export const reversalsPath = (paymentId: string) => `${paymentPath(paymentId)}/reversals`;
export const requestReversal = (paymentId: string, request: z.input<typeof ReversalBody>) =>
  api.call<ReversalRequestReply>(reversalsPath(paymentId), readRequestReply, sendJson('POST', request));
export const reopenInvoice = (invoiceId: string) =>
  api.call(`/api/invoices/${encodeURIComponent(invoiceId)}/collect-again`, readReopenReply, { method: 'POST' });

const POLL_MS = 3000;

type Props = {
  paymentId: string;
  number: string;
  reply: ReversalRequestReply;
  /** Returns the URL of a batch of the payment's terminal. */
  batchUrlOf?(batchId: string): string;
  /** Called once the outcome is known. */
  onSettled(): void;
  onClose(): void;
};

/** The notice about a requested reversal. */
export function ReversalNotice({ reply, ...props }: Props) {
  if ('reversal' in reply) return <GatewayReply key={reply.reversal.id} {...props} reply={reply} />;
  return (
    <LateBanner tone="note" lead="Waiting for a second person." onDismiss={props.onClose}>
      {props.number}: {reply.message} <AppLink href="/account/approvals">Approvals</AppLink>
    </LateBanner>
  );
}

/** Shows the gateway's answer, and polls while the outcome is unknown. */
function GatewayReply({
  paymentId,
  number,
  reply,
  batchUrlOf: batchAt,
  onSettled,
  onClose,
}: Props & { reply: ReversalReply }) {
  const [reversal, setReversal] = useState<ShownReversal>(reply.reversal);
  const isPending = reversal.state === 'under-way';
  usePoll(
    async () => {
      const answer = await fetchReversal(paymentId);
      if (!answer.ok) return false;
      const current = answer.value.reversals.find(({ id }) => id === reversal.id);
      if (current && current.state !== 'under-way') {
        setReversal(current);
        onSettled();
      }
      return true;
    },
    isPending ? POLL_MS : null,
  );
  if (isPending || reversal.state === 'needs-a-person') {
    return (
      <LateBanner tone="warn" lead={reply.message}>
        {number}, asked {formatSince(reversal.at)}.{' '}
        {isPending ? 'This updates automatically.' : <AppLink href="/checks">Payments to check</AppLink>}
      </LateBanner>
    );
  }
  const money = formatMoney(parseCents(reversal.amount) ?? 0, 'USD');
  if (reversal.state === 'done') {
    const lead = `${reversal.kind === 'void' ? 'Voided' : 'Refunded'} ${money}.`;
    return (
      <LateBanner tone="ok" lead={lead} onDismiss={onClose}>
        {number}: the card provider confirmed it at {formatSince(reversal.at)}.{' '}
        {batchAt && reversal.batch_id && reversal.kind === 'refund' && (
          <AppLink href={batchAt(reversal.batch_id)}>The batch of the refund</AppLink>
        )}
      </LateBanner>
    );
  }
  return (
    <LateBanner tone="bad" lead={`The ${reversal.kind} of ${money} did not happen.`} onDismiss={onClose}>
      {number}: {reversal.message || 'it did not reach the card provider.'} Nothing was refunded.
    </LateBanner>
  );
}
