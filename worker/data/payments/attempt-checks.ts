import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Attempt, type AttemptState, paymentAttempts as attemptTable } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';
import { LIVE_ATTEMPT_STATES } from './attempts.ts';

/**
 * States in which another attempt of the invoice may have moved money too. `refunded` only counts in the same
 * collection.
 */
const BLOCKING_STATES: AttemptState[] = [...LIVE_ATTEMPT_STATES, 'refunded'];

/**
 * Conditions on our own data under which an attempt may leave `needs_human` without a person because of the charge
 * `txnId`; they are part of the statement that changes its state. domain/payments/resolve-automatically lists them,
 * with the conditions on the gateway's response.
 */
export function mayResolveAutomatically({ id, accountId, invoiceId, collection, method }: Attempt, txnId: string): SQL {
  const blockingStates = sql.join(
    BLOCKING_STATES.map((state) => sql`${state}`),
    sql`, `,
  );
  return sql.join(
    [
      sql`needs_human_from IN ('unknown', 'pending')`,
      sql`NOT EXISTS (SELECT 1 FROM payment_attempts other WHERE other.account_id = ${accountId} AND other.invoice_id = ${invoiceId}
        AND (other.collection = ${collection} OR other.state <> 'refunded') AND other.id <> ${id} AND other.state IN (${blockingStates}))`,
      sql`NOT EXISTS (SELECT 1 FROM resolutions WHERE attempt_id = ${id})`,
      sql`NOT EXISTS (SELECT 1 FROM gateway_transactions WHERE account_id = ${accountId} AND parent_id = ${txnId} AND parent_id <> ''
        AND method = ${method} AND state <> 'declined')`,
      sql`NOT EXISTS (SELECT 1 FROM gateway_transactions WHERE account_id = ${accountId} AND provider_txn_id = ${txnId}
        AND method = ${method} AND (is_voided = 1 OR state IN ('declined', 'returned')))`,
      sql`NOT EXISTS (SELECT 1 FROM ledger WHERE account_id = ${accountId} AND provider_txn_id = ${txnId}
        AND method = ${method})`,
    ],
    sql` AND `,
  );
}

/**
 * Record a check of an accepted bank debit that decided nothing. `unreadableChecks`: the number of consecutive checks
 * without a readable result.
 */
export async function recordDebitCheck(db: Db, attempt: Attempt, unreadableChecks: number): Promise<void> {
  await db
    .update(attemptTable)
    .set({ emptyChecks: unreadableChecks })
    .where(and(eq(attemptTable.id, attempt.id), eq(attemptTable.state, attempt.state)));
}
