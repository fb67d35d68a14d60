import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { approvals } from '#worker/data/schema/proofs';
import { reversals } from '#worker/data/schema/refunds';
import { refusedKeys } from '#worker/data/schema/refused-tokens';
import type { Db } from '../db.ts';
import { selectValues } from '../select-values.ts';

/** A press on Void or Refund: the payment, and the key of its form. */
export type SentRequest = { accountId: number; attemptId: string; requestKey: string };

const invoiceOf = ({ accountId, attemptId }: SentRequest): SQL =>
  sql`(SELECT invoice_id FROM payment_attempts WHERE id = ${attemptId} AND account_id = ${accountId})`;

/** SQL: staff were told of this press that nothing was given back. */
export const isRequestRefused = (request: SentRequest): SQL => sql`EXISTS (SELECT 1 FROM refused_keys
  WHERE account_id = ${request.accountId} AND invoice_id = ${invoiceOf(request)} AND attempt_key = ${request.requestKey})`;

/** A press that has begun: its reversal, or the approval that it waits for. */
export type Begun = { kind: 'reversal' } | { kind: 'waiting'; approvalId: string };

/** Refuse a press for good, unless it has begun. All in one moment, so that it is either refused or has begun. `now`: UTC ms. */
export async function refuseRequest(db: Db, request: SentRequest, now: number): Promise<Begun | null> {
  const { accountId, attemptId, requestKey } = request;
  const asReversal = and(eq(reversals.attemptId, attemptId), eq(reversals.requestKey, requestKey));
  const asApproval = and(
    eq(approvals.accountId, accountId),
    eq(approvals.requestKey, requestKey),
    inArray(approvals.state, ['waiting', 'approved']),
  );
  const [[reversal], [approval]] = await db.batch([
    db.select({ id: reversals.id }).from(reversals).where(asReversal),
    db.select({ id: approvals.id }).from(approvals).where(asApproval),
    db
      .insert(refusedKeys)
      .select(
        selectValues(
          refusedKeys,
          { accountId, invoiceId: '', attemptKey: requestKey, refusedAt: now },
          sql`${invoiceOf(request)} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM reversals WHERE ${asReversal})
            AND NOT EXISTS (SELECT 1 FROM approvals WHERE ${asApproval})`,
          { invoiceId: invoiceOf(request) },
        ),
      )
      .onConflictDoNothing(),
  ]);
  if (reversal) return { kind: 'reversal' };
  return approval ? { kind: 'waiting', approvalId: approval.id } : null;
}
