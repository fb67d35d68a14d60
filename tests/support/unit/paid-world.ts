import { eq } from 'drizzle-orm';
import { paymentForm } from '#tests/support/pay-form';
import { freshId, makeWorld, transaction, type World } from '#tests/support/unit/world';
import { reversals } from '#worker/data/schema/refunds';
import { users } from '#worker/data/schema/schema';
import type { Merchant } from '#worker/domain/merchants/session';
import { takePayment } from '#worker/domain/payments/take-payment';
import { reversePayment } from '#worker/domain/refunds/refund';
import type { GatewayTransaction, ReversalOutcome } from '#worker/vendors/gateway-port';

type ReversalFields = { kind: 'void' | 'refund'; amountCents: number | null; requestKey: string; reason: string };

/** A merchant with one card payment, and a gateway with its own records and rules. */
export async function paidWorld(batchStatus: 'open' | 'closed' | 'pending' = 'closed') {
  const world = await makeWorld();
  const merchant: Merchant = { sessionId: 's', accountId: world.accountId, userId: freshId(), role: 'admin' };
  await world.db.insert(users).values({
    accountId: world.accountId,
    userId: merchant.userId,
    email: 'a@example.test',
    role: 'admin',
    lastLoginAt: 0,
  });
  const books = keepBooks(world, batchStatus);
  const outcome = await takePayment(world.deps, world.payId, paymentForm(), { clientIp: null });
  if (outcome.kind !== 'approved') throw new Error(`the payment was ${outcome.kind}`);
  const reverse = (fields: Partial<ReversalFields> = {}, requester = merchant) =>
    reversePayment(world.deps, requester, outcome.attempt.id, {
      kind: 'refund',
      amountCents: 18_400,
      reason: 'Appointment cancelled',
      requestKey: `key-${freshId()}`,
      ...fields,
    });
  const rows = () => world.db.select().from(reversals).where(eq(reversals.attemptId, outcome.attempt.id));
  return { ...world, world, merchant, books, attempt: outcome.attempt, reverse, reversals: rows };
}

function keepBooks(world: World, batchStatus: 'open' | 'closed' | 'pending') {
  const books = { transactions: [] as GatewayTransaction[], batchStatus, refundBatch: '8', answersToLose: 0, calls: 0 };
  const { script } = world.gateway;
  script.charge = (request) => {
    const txn = transaction(request);
    books.transactions.push(txn);
    return { kind: 'approved', txn, exchangeId: 'x' };
  };
  script.find = (searchKey) => {
    if ('attemptId' in searchKey)
      return books.transactions.filter(({ attemptId }) => attemptId === searchKey.attemptId);
    if ('dedupeKey' in searchKey)
      return books.transactions.filter(({ dedupeKey }) => dedupeKey === searchKey.dedupeKey);
    return books.transactions.filter(({ id }) => id === searchKey.providerTxnId);
  };
  script.batches = () => [
    {
      id: '7',
      status: books.batchStatus,
      terminalId: 'T',
      terminalName: 'Web',
      openedAt: 0,
      settledAt: null,
      salesCount: 1,
      salesCents: 18_400,
      refundCount: 0,
      refundCents: 0,
      netCents: 18_400,
      confirmationCode: '',
    },
  ];
  script.reverse = async ({ providerTxnId, reversalId, amountCents, ...request }): Promise<ReversalOutcome> => {
    books.calls++;
    await new Promise((resolve) => setTimeout(resolve, 2));
    const payment = books.transactions.find(({ id }) => id === providerTxnId);
    const refuse = (reason: 'over-remainder' | 'already-reversed', message: string): ReversalOutcome => ({
      kind: 'refused',
      reason,
      message,
      providerCode: '025',
      exchangeId: 'x',
    });
    if (!payment || payment.isVoided) return refuse('already-reversed', 'Transaction was already reversed');
    const refunded = books.transactions
      .filter(({ parentId, kind }) => parentId === providerTxnId && kind === 'REFUND')
      .reduce((sum, txn) => sum + (txn.amountCents ?? 0), 0);
    const cents = amountCents ?? payment.amountCents ?? 0;
    if (refunded + cents > (payment.amountCents ?? 0)) return refuse('over-remainder', 'Over the refundable amount');
    const txn: GatewayTransaction = {
      ...payment,
      id: `rev-${reversalId}`,
      attemptId: reversalId,
      dedupeKey: 'dedupeKey' in request ? String(request.dedupeKey) : payment.dedupeKey,
      kind: amountCents === undefined ? 'VOID' : 'REFUND',
      amountCents: cents,
      batchId: amountCents === undefined ? payment.batchId : books.refundBatch,
      parentId: providerTxnId,
    };
    if (amountCents === undefined) payment.isVoided = true;
    books.transactions.push(txn);
    if (books.answersToLose-- > 0) return { kind: 'unknown', cause: 'TimeoutError', exchangeId: '' };
    return { kind: 'approved', txn, exchangeId: 'x' };
  };
  return books;
}
