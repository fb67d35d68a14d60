/**
 * A copy is of one moment, that of its ledger: no entry is ever changed, and none from after the copy was begun is in
 * it. Other tables are read later and may say more; what they say of money is therefore made anew from the ledger, and
 * what the ledger does not know is looked up at the card provider, which books it.
 */
const entry = (kind: string) =>
  `EXISTS (SELECT 1 FROM ledger l WHERE l.attempt_id = payment_attempts.id AND l.kind = '${kind}')`;
const payment = (column: string) =>
  `(SELECT l.${column} FROM ledger l WHERE l.attempt_id = payment_attempts.id AND l.kind = 'payment')`;

const GIVEN_BACK = `(SELECT min(payment_attempts.amount_cents, -coalesce(sum(l.amount_cents), 0)) FROM ledger l
  WHERE l.attempt_id = payment_attempts.id AND l.kind IN ('refund', 'void'))`;
const STATE = `CASE WHEN ${entry('return')} THEN 'returned' WHEN ${entry('void')} THEN 'voided'
  WHEN ${GIVEN_BACK} >= amount_cents THEN 'refunded' ELSE 'approved' END`;

const PAYMENTS = [
  `UPDATE payment_attempts SET refunded_cents = ${GIVEN_BACK} WHERE refunded_cents <> ${GIVEN_BACK}`,
  `UPDATE payment_attempts SET state = ${STATE}, provider_txn_id = coalesce(provider_txn_id, ${payment('provider_txn_id')}),
  settled_at = coalesce(settled_at, ${payment('at')})
WHERE ${entry('payment')} AND state <> ${STATE}`,
  // A debit that came back before it was settled is in no ledger.
  `UPDATE payment_attempts
SET state = 'unknown', settled_at = NULL, hold_until = ?1, next_check_at = ?1, checks = 0, empty_checks = 0
WHERE state IN ('approved', 'voided', 'refunded') AND NOT ${entry('payment')}`,
];

/** The ledger names a void that has no transaction of its own after its payment. */
const BOOKED = `EXISTS (SELECT 1 FROM ledger l WHERE l.attempt_id = reversals.attempt_id AND l.kind = reversals.kind
  AND l.provider_txn_id IN (reversals.provider_txn_id, reversals.provider_txn_id || '-' || reversals.kind))`;
const ASKED_AGAIN = 'settled_at = NULL, hold_until = ?1, next_check_at = ?1, checks = 0, empty_checks = 0';
const UNBOOKED = `state = 'approved' AND provider_txn_id IS NOT NULL AND NOT ${BOOKED}`;

const REVERSALS = [
  `UPDATE reversals SET state = 'approved', next_check_at = NULL WHERE state <> 'approved' AND ${BOOKED}`,
  // A payment has one reversal under way at most; the others are asked for as those that count as not done.
  `UPDATE reversals SET state = 'unknown', ${ASKED_AGAIN} WHERE ${UNBOOKED} AND NOT EXISTS (
  SELECT 1 FROM reversals r WHERE r.attempt_id = reversals.attempt_id AND r.rowid <> reversals.rowid
    AND (r.state IN ('sent', 'unknown', 'needs_human') OR (r.state = 'approved' AND r.rowid > reversals.rowid)))`,
  `UPDATE reversals SET state = 'not_done', ${ASKED_AGAIN} WHERE ${UNBOOKED}`,
];

/** Statements of a restore, in their order; `?1` is the moment of its end (ms). */
export const OF_LEDGER: readonly string[] = [...PAYMENTS, ...REVERSALS];

/** Then how each invoice with a payment stands, by its payments. */
export const OF_PAYMENTS = `UPDATE invoices SET local_status = b.label, given_back_cents = b.given_back_cents,
  collection_base_cents = b.base_cents, collection_paid_cents = iif(b.base_cents IS NULL, 0, b.kept_cents)
FROM invoice_labels b WHERE invoices.rowid = b.doc
  AND EXISTS (SELECT 1 FROM payment_attempts a WHERE a.account_id = b.account_id AND a.invoice_id = b.invoice_id)`;
