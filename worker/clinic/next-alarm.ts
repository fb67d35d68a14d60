/** The minimum time between two syncs of an account (ms). The claim of a sync uses the same value. */
export const SYNC_GAP_MS = 5000;
/** Events wait this long (ms), so that one seal covers several. */
export const SEAL_MS = 60_000;
/** The provider's data may lag by this much (ms); the reconciliation uses the same value. */
export const CATCH_UP_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;

/** Later than any real time. */
const NEVER = 9_000_000_000_000_000;

/** After a restore, the first sync of the CRM's records must be complete. */
const MAY_RECONCILE = `NOT EXISTS (SELECT 1 FROM accounts o JOIN crm_sync_states c ON c.account_id = o.account_id
  WHERE o.account_id = m.account_id AND o.restored_at IS NOT NULL AND c.complete_at IS NULL)`;

/**
 * Queries for the time (UTC ms) at which each kind of work is due. They return no row or NULL if there is no such work.
 * Each query has the same conditions as the claim of its step, because the alarm would otherwise fire early, again and
 * again.
 */
const STEPS = {
  payments: 'SELECT min(next_check_at) FROM payment_attempts WHERE next_check_at IS NOT NULL',
  mails: "SELECT min(next_try_at) FROM outbox WHERE state = 'due'",
  // Owed reminders wait until `wait_until`, or until the plan's next day.
  reminders: `SELECT min(iif(EXISTS (SELECT 1 FROM reminders r INDEXED BY reminders_owed
      WHERE r.account_id = p.account_id AND r.state = 'owed'), min(p.wait_until, p.next_run_at), p.next_run_at))
    FROM reminder_plans p WHERE p.next_run_at IS NOT NULL`,
  mailings: 'SELECT min(next_at) FROM mailings WHERE next_at IS NOT NULL',
  'payment notices': 'SELECT min(next_at) FROM payment_notices WHERE next_at IS NOT NULL',
  'mail questions': 'SELECT min(ask_at) FROM outbox WHERE ask_at IS NOT NULL',
  'apple pay': 'SELECT min(apple_pay_next_at) FROM accounts',
  revocations: "SELECT min(revoke_at) FROM pay_links WHERE state = 'live' AND revoke_at IS NOT NULL",
  reversals: 'SELECT min(next_check_at) FROM reversals WHERE next_check_at IS NOT NULL',
  approvals: 'SELECT min(next_try_at) FROM approvals WHERE next_try_at IS NOT NULL',
  // Writes wait until the sync is done and the CRM no longer limits our calls.
  'write-back': `SELECT min(max(s.wait_until,
      coalesce((SELECT max(c.wait_until, c.lease_until) FROM crm_sync_states c WHERE c.account_id = s.account_id), 0),
      (SELECT min(w.next_try_at) FROM crm_writes w INDEXED BY crm_writes_due
        WHERE w.account_id = s.account_id AND w.next_try_at IS NOT NULL))) FROM crm_write_settings s WHERE s.is_on = 1`,
  reconciliation: `SELECT min(max(m.next_at, m.lease_until)) FROM reconciliation_cursors m WHERE ${MAY_RECONCILE}`,
  // The provider's data may lag, so the first run waits ten minutes after a restore. A failed read waits for its next
  // try.
  'catching up': `SELECT min(max(h.restored_at + ${CATCH_UP_MS}, m.lease_until, iif(m.failing_since IS NULL, 0, m.next_at)))
    FROM reconciliation_cursors m JOIN accounts h ON h.account_id = m.account_id WHERE m.read_until < h.restored_at
    AND ${MAY_RECONCILE}`,
  'new terminals':
    'SELECT 0 FROM terminals WHERE account_id NOT IN (SELECT account_id FROM reconciliation_cursors) LIMIT 1',
  sync: `SELECT min(max(due_at, wait_until, lease_until, requested_at + ${SYNC_GAP_MS})) FROM crm_sync_states`,
  seals: `SELECT min(e.at) + ${SEAL_MS} FROM accounts h
    JOIN audit_events e ON e.account_id = h.account_id AND e.seq = 1 + coalesce(
      (SELECT to_seq FROM audit_seals WHERE account_id = h.account_id ORDER BY from_seq DESC LIMIT 1), 0)`,
  refusals: `SELECT min(hour) + ${HOUR_MS} FROM audit_refusals`,
  'audit checks': 'SELECT min(due_at) FROM audit_checks',
  dumps: 'SELECT min(due_at) FROM dumps',
  archives: 'SELECT min(coalesce(due_at, ends_at)) FROM archives',
  closing: 'SELECT min(try_at) FROM closings',
  'audit mails': `SELECT min(m.next_at) FROM audit_mails m
    JOIN users u ON u.account_id = m.account_id AND u.user_id = m.user_id AND u.role = 'admin' AND u.removed_at IS NULL`,
};

/** Avoids UNION, because the platform allows at most five parts. */
export const DUE = `SELECT min(${Object.values(STEPS)
  .map((query) => `\n  coalesce((${query}), ${NEVER})`)
  .join()}) AS due`;

/**
 * Returns the time (UTC ms) at which the first work of a clinic is due, or Infinity. Throws if a table is still
 * missing.
 */
export function firstDue(sql: SqlStorage): number {
  const { due } = sql.exec<{ due: number }>(DUE).one();
  return due === NEVER ? Number.POSITIVE_INFINITY : due;
}
