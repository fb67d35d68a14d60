import { decimalFromCents } from '#shared/money';
import type { ReversalOutcome, ReversalRequest } from '../gateway-port.ts';
import {
  type ClearentCall,
  doubtAboutRefusal,
  indicatesMoneyMoved,
  type Reply,
  refusedOrUnknown,
  sealedKeyRejection,
} from './http.ts';
import { CHARGE_ONCE, SOFTWARE, transactionFrom } from './transaction.ts';
import type { WireTransaction } from './wire.ts';

type RefusedReversal = Extract<ReversalOutcome, { kind: 'refused' }>;

const ALREADY_REVERSED = '024';
const REFUSAL_REASONS: Record<string, RefusedReversal['reason']> = {
  '013': 'not-in-open-batch',
  [ALREADY_REVERSED]: 'already-reversed',
  '025': 'over-remainder',
  '027': 'not-found',
  '040': 'not-in-open-batch',
};

export const voidTransaction = (call: ClearentCall, request: ReversalRequest): Promise<ReversalOutcome> =>
  reverse(call, request, { type: 'VOID' }, (record) => {
    // The documentation does not state if the response shows the void or the payment marked as voided.
    if (record.id === request.providerTxnId) return record.voided ? null : 'the payment is not voided';
    if (record.type !== '' && record.type !== 'VOID') return `the answer shows a ${record.type}`;
    const isSamePayment = record['ref-id'] === '' || record['ref-id'] === request.providerTxnId;
    return isSamePayment ? null : 'the answer is about another payment';
  });

export const refund = (
  call: ClearentCall,
  request: ReversalRequest & { dedupeKey: string; amountCents: number },
): Promise<ReversalOutcome> =>
  reverse(
    call,
    request,
    { type: 'REFUND', amount: decimalFromCents(request.amountCents), invoice: request.dedupeKey, ...CHARGE_ONCE },
    (record) => {
      if (record['order-id'] !== request.reversalId) return 'the answer is about another refund';
      if (record['ref-id'] !== '' && record['ref-id'] !== request.providerTxnId)
        return 'the answer is about another payment';
      return transactionFrom(record, 'card').amountCents === request.amountCents
        ? null
        : 'the answer names another amount';
    },
  );

/** `doubt` returns the reason why an approval may belong to another call, or null. */
async function reverse(
  call: ClearentCall,
  request: ReversalRequest,
  body: Record<string, unknown>,
  doubt: (record: WireTransaction) => string | null,
): Promise<ReversalOutcome> {
  const reply = await call(request.terminal, '/rest/v2/transactions', {
    method: 'POST',
    body: { ...body, id: request.providerTxnId, 'order-id': request.reversalId, ...SOFTWARE },
  });
  if (reply.kind === 'sealed') return sealedKeyRejection;
  if (reply.kind === 'lost') return { kind: 'unknown', cause: reply.cause, exchangeId: '' };
  return outcomeOf(reply, request, doubt);
}

function outcomeOf(
  reply: Reply & { kind: 'answer' },
  { providerTxnId }: ReversalRequest,
  doubt: (record: WireTransaction) => string | null,
): ReversalOutcome {
  const { status, envelope, exchangeId, detail } = reply;
  const unknownOutcome = (cause: string): ReversalOutcome => ({ kind: 'unknown', cause, exchangeId });
  if (status === 200) {
    const record = envelope.payload.transaction;
    if (!record?.id) return unknownOutcome('200 without a transaction');
    const txn = transactionFrom(record, 'card');
    const cause = txn.state === 'approved' ? doubt(record) : `200 with result ${txn.result}`;
    return cause === null ? { kind: 'approved', txn, exchangeId } : unknownOutcome(cause);
  }
  // A refusal may include the approved payment itself. Only a void of that payment contradicts the refusal.
  const contradicts = (record: WireTransaction) =>
    record.id === providerTxnId
      ? record.voided && detail.code !== ALREADY_REVERSED
      : indicatesMoneyMoved(record, 'card');
  const cause = doubtAboutRefusal({ status, envelope, contradicts });
  if (cause !== null) return unknownOutcome(cause);
  if (status === 402) {
    const reason = REFUSAL_REASONS[detail.code] ?? 'other';
    return { kind: 'refused', reason, message: detail.message, providerCode: detail.code, exchangeId };
  }
  return refusedOrUnknown(reply);
}
