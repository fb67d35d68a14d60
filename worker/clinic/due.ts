/** Least time between two syncs of an account (ms), as the sync's own claim has it. */
export const SYNC_GAP_MS = 5000;
/** Events wait this long (ms) for others, so that one seal stands for several. */
export const SEAL_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * When anything of a clinic is due first, as UTC ms; null: nothing is. Each line waits for the same things as the claim
 * of its step, because an alarm that is earlier than what it may do would ring again and again. `?1`: the gap between
 * two syncs (ms), `?2`: how long events wait for their seal (ms).
 */
const DUE = `SELECT min(at) AS due FROM (
  SELECT min(next_check_at) AS at FROM payment_attempts WHERE next_check_at IS NOT NULL
  UNION ALL SELECT min(next_try_at) FROM outbox WHERE state = 'due'
  UNION ALL SELECT min(next_check_at) FROM reversals WHERE next_check_at IS NOT NULL
  UNION ALL SELECT min(max(next_at, lease_until)) FROM match_marks
  UNION ALL SELECT 0 FROM terminals WHERE hub_id NOT IN (SELECT hub_id FROM match_marks)
  UNION ALL SELECT min(max(due_at, wait_until, lease_until, asked_at + ?1)) FROM crm_copies
  UNION ALL SELECT min(e.at) + ?2 FROM (SELECT hub_id FROM hubs UNION ALL SELECT 0) h
    JOIN audit_events e ON e.hub_id = h.hub_id AND e.seq = 1 + coalesce(
      (SELECT to_seq FROM audit_seals WHERE hub_id = h.hub_id ORDER BY from_seq DESC LIMIT 1), 0)
  UNION ALL SELECT min(hour) + ${HOUR_MS} FROM audit_refusals
  UNION ALL SELECT min(due_at) FROM audit_checks
  UNION ALL SELECT min(m.next_at) FROM audit_mails m
    JOIN users u ON u.hub_id = m.hub_id AND u.user_id = m.user_id AND u.is_admin = 1)`;

/** The earliest time (UTC ms) at which the clinic's clock has work; null: none is known. Throws before all tables are there. */
export const firstDue = (sql: SqlStorage): number | null =>
  sql.exec<{ due: number | null }>(DUE, SYNC_GAP_MS, SEAL_MS).one().due;
