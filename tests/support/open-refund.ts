import { hubs } from '#sandbox/credentials';
import type { Db } from '#worker/data/db';
import { reversals } from '#worker/data/schema/refunds';
import { paymentAttempts } from '#worker/data/schema/schema';

/** Adds a refund in manual review for a payment that is unknown to the gateway. Returns the id of both. */
export async function openRefund(db: Db, terminalId: string): Promise<string> {
  const [id, at] = [`r${crypto.randomUUID()}`, Date.now()];
  const { hubId: accountId } = hubs[0];
  await db.insert(paymentAttempts).values({
    id,
    accountId,
    terminalId,
    invoiceId: id,
    collection: 1,
    channel: 'link',
    method: 'card',
    state: 'approved',
    amountCents: 18_400,
    currency: 'USD',
    invoiceNumber: 'INV-1',
    dedupeKey: id,
    receiptId: id,
    providerTxnId: id,
    holdUntil: at,
    createdAt: at,
    timeZone: 'UTC',
    day: '2026-03-04',
    nextCheckAt: null,
  });
  await db.insert(reversals).values({
    id,
    accountId,
    attemptId: id,
    invoiceId: id,
    kind: 'refund',
    amountCents: 7_110,
    dedupeKey: `${id}-r1`,
    requestKey: id,
    reason: 'Billed twice',
    requestedBy: 1,
    state: 'needs_human',
    holdUntil: at,
    createdAt: at,
  });
  return id;
}
