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
const readAsked = readWith(z.union([WaitingReply, ReversalReply]));
const readReopened = readWith(ReopenInvoiceReply);

/** The reply to a reversal request: the gateway's answer, or a wait for a second person. */
export type Asked = ReversalReply | WaitingReply;

const of = (paymentId: string) => `/api/payments/${encodeURIComponent(paymentId)}`;

export const fetchReversal = (paymentId: string) => api.call(`${of(paymentId)}/reversal`, readView);
export const reversalsOf = (paymentId: string) => `${of(paymentId)}/reversals`;
export const askReversal = (paymentId: string, asked: z.input<typeof ReversalBody>) =>
  api.call<Asked>(reversalsOf(paymentId), readAsked, sendJson('POST', asked));
export const askReopenInvoice = (invoiceId: string) =>
  api.call(`/api/invoices/${encodeURIComponent(invoiceId)}/collect-again`, readReopened, { method: 'POST' });

const POLL_MS = 3000;

type Props = {
  paymentId: string;
  number: string;
  reply: Asked;
  /** The address of a batch of the payment's terminal. */
  batchAt?(batchId: string): string;
  /** The outcome is known now. */
  onSettled(): void;
  onClose(): void;
};

/** The notice about a requested reversal. */
export function ReversalNotice({ reply, ...props }: Props) {
  if ('reversal' in reply) return <Answered key={reply.reversal.id} {...props} reply={reply} />;
  return (
    <LateBanner tone="note" lead="Waiting for a second person." onDismiss={props.onClose}>
      {props.number}: {reply.message} <AppLink href="/account/approvals">Approvals</AppLink>
    </LateBanner>
  );
}

/** The gateway's answer; polls while the outcome is unknown. */
function Answered({ paymentId, number, reply, batchAt, onSettled, onClose }: Props & { reply: ReversalReply }) {
  const [reversal, setReversal] = useState<ShownReversal>(reply.reversal);
  const isOpen = reversal.state === 'under-way';
  usePoll(
    async () => {
      const answer = await fetchReversal(paymentId);
      if (!answer.ok) return false;
      const found = answer.value.reversals.find(({ id }) => id === reversal.id);
      if (found && found.state !== 'under-way') {
        setReversal(found);
        onSettled();
      }
      return true;
    },
    isOpen ? POLL_MS : null,
  );
  if (isOpen || reversal.state === 'needs-a-person') {
    return (
      <LateBanner tone="warn" lead={reply.message}>
        {number}, asked {formatSince(reversal.at)}.{' '}
        {isOpen ? 'This updates by itself.' : <AppLink href="/checks">Payments to check</AppLink>}
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
