import { decimalFromCents } from '#shared/money';
import type { ReversalOutcome, ReversalRequest } from '../gateway-port.ts';
import { type Clearent, doubtOfRefusal, indicatesMoneyMoved, type Reply, refusedOrUnknown, unopened } from './http.ts';
import { CHARGE_ONCE, SOFTWARE, transactionFrom } from './transaction.ts';
import type { WireTransaction } from './wire.ts';

type Refused = Extract<ReversalOutcome, { kind: 'refused' }>;

const ALREADY_REVERSED = '024';
const REASONS: Record<string, Refused['reason']> = {
  '013': 'not-in-open-batch',
  [ALREADY_REVERSED]: 'already-reversed',
  '025': 'over-remainder',
  '027': 'not-found',
  '040': 'not-in-open-batch',
};

export const voidTransaction = (call: Clearent, request: ReversalRequest): Promise<ReversalOutcome> =>
  reverse(call, request, { type: 'VOID' }, (shown) => {
    // The documentation does not state if the response shows the void or the payment marked as voided.
    if (shown.id === request.providerTxnId) return shown.voided ? null : 'the payment is not voided';
    if (shown.type !== '' && shown.type !== 'VOID') return `the answer shows a ${shown.type}`;
    const isAboutIt = shown['ref-id'] === '' || shown['ref-id'] === request.providerTxnId;
    return isAboutIt ? null : 'the answer is about another payment';
  });

export const refund = (
  call: Clearent,
  request: ReversalRequest & { dedupeKey: string; amountCents: number },
): Promise<ReversalOutcome> =>
  reverse(
    call,
    request,
    { type: 'REFUND', amount: decimalFromCents(request.amountCents), invoice: request.dedupeKey, ...CHARGE_ONCE },
    (shown) => {
      if (shown['order-id'] !== request.reversalId) return 'the answer is about another refund';
      if (shown['ref-id'] !== '' && shown['ref-id'] !== request.providerTxnId)
        return 'the answer is about another payment';
      return transactionFrom(shown, 'card').amountCents === request.amountCents
        ? null
        : 'the answer names another amount';
    },
  );

/** `doubt` returns the reason why an approval may belong to another call, or null. */
async function reverse(
  call: Clearent,
  request: ReversalRequest,
  body: Record<string, unknown>,
  doubt: (shown: WireTransaction) => string | null,
): Promise<ReversalOutcome> {
  const reply = await call(request.terminal, '/rest/v2/transactions', {
    method: 'POST',
    body: { ...body, id: request.providerTxnId, 'order-id': request.reversalId, ...SOFTWARE },
  });
  if (reply.kind === 'sealed') return unopened;
  if (reply.kind === 'lost') return { kind: 'unknown', cause: reply.cause, exchangeId: '' };
  return outcomeOf(reply, request, doubt);
}

function outcomeOf(
  reply: Reply & { kind: 'answer' },
  { providerTxnId }: ReversalRequest,
  doubt: (shown: WireTransaction) => string | null,
): ReversalOutcome {
  const { status, envelope, exchangeId, said } = reply;
  const unknown = (cause: string): ReversalOutcome => ({ kind: 'unknown', cause, exchangeId });
  if (status === 200) {
    const shown = envelope.payload.transaction;
    if (!shown?.id) return unknown('200 without a transaction');
    const txn = transactionFrom(shown, 'card');
    const cause = txn.state === 'approved' ? doubt(shown) : `200 with result ${txn.result}`;
    return cause === null ? { kind: 'approved', txn, exchangeId } : unknown(cause);
  }
  // A refusal may include the approved payment itself. Only a void of that payment contradicts the refusal.
  const contradicts = (shown: WireTransaction) =>
    shown.id === providerTxnId ? shown.voided && said.code !== ALREADY_REVERSED : indicatesMoneyMoved(shown, 'card');
  const cause = doubtOfRefusal({ status, envelope, contradicts });
  if (cause !== null) return unknown(cause);
  if (status === 402) {
    const reason = REASONS[said.code] ?? 'other';
    return { kind: 'refused', reason, message: said.message, providerCode: said.code, exchangeId };
  }
  return refusedOrUnknown(reply);
}
