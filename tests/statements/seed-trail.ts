import { AT, CLOCK, ID, numbered, pickName } from './seed-parts.ts';

// The audit trail of a clinic.

/** The number of the newest event. Row n has the same number in every clinic, so older clinics start lower. */
const NEWEST_SEQ = 1_000_000;
/** The number of events per seal. */
const SEALED_AT_ONCE = 5;
/** The number of events of a clinic's first day. They may be deleted by now; those after them are deleted already. */
const FIRST_EVENTS = 20;
const FIRST_DAY = CLOCK - 8 * 366 * 86_400_000;

/** A row whose event is of the first day. */
export const FIRST_DAY_ROW = NEWEST_SEQ - 17;

/** Converts a number of a test's trail, which starts at 1, to the clinic's trail; the third event is the row's own. */
export const seqFor = (row: number, seq: number): number => NEWEST_SEQ - row - 3 + Math.min(seq, 10);

/** Times that a statement compares with a time read from a row earlier. */
export const SEEN_TIMES: Record<string, number> = {
  next_at: CLOCK - 1000,
  due_at: CLOCK - 1000,
  // Tests of reminders begin some days before the other tests.
  next_run_at: CLOCK - 30 * 86_400_000,
};

const EVENTS = `INSERT INTO audit_events (account_id, seq, id, at, actor_kind, actor_id, session_id, ip_hash, action,
      subject_kind, subject_id, before, after, request_id)`;
const ACTORS = pickName(['payer', 'payer', 'user', 'user', 'system'], 'n');
const ACTIONS = pickName(['payment.claimed', 'payment.moved', 'link.issued', 'session.opened', 'reversal.moved'], 'n');
const HASH = `printf('%064x', n)`;

export const trailAccount = [
  `UPDATE audit_checks SET at = ${CLOCK}, due_at = ${SEEN_TIMES.due_at} WHERE account_id = ?1`,
  `WITH RECURSIVE g (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < ${FIRST_EVENTS})
    ${EVENTS} SELECT ?1, n, 'f-' || ?1 || '-' || n, ${FIRST_DAY}, 'user', '1', '', '', 'account.connected', 'account', '',
      '', '', '' FROM g`,
  `INSERT INTO audit_seals (account_id, from_seq, to_seq, rows_hash, prev_hash, hash, at) VALUES
    (?1, 1, 5, 'r', 'p', 'h', ${FIRST_DAY}), (?1, 6, ${FIRST_EVENTS}, 'r', 'p', 'h', ${FIRST_DAY})`,
];

export const trailRows = [
  `${numbered} ${EVENTS} SELECT ?1, ${NEWEST_SEQ} - n, 'e-' || ?1 || '-' || n, ${AT}, ${ACTORS},
      CAST(1 + n / 100 AS TEXT), 's-' || ?1 || '-' || n, 'ip', ${ACTIONS}, 'invoice', ${ID}, '', '{"state":"sent"}', '' FROM g`,
  // The newest event has no seal yet.
  `${numbered} INSERT INTO audit_seals (account_id, from_seq, to_seq, rows_hash, prev_hash, hash, at)
    SELECT ?1, ${NEWEST_SEQ} - n, ${NEWEST_SEQ} - n + ${SEALED_AT_ONCE - 1}, ${HASH}, ${HASH}, ${HASH}, ${AT} FROM g
    WHERE n > 0 AND n % ${SEALED_AT_ONCE} = 0`,
  `${numbered} INSERT INTO audit_refusals (account_id, session_id, action, hour, actor_kind, actor_id, ip_hash, route, n)
    SELECT ?1, 's-' || ?1 || '-' || n, 'access.refused', ${CLOCK}, 'user', '1', '', '/', 3 FROM g WHERE n % 20 = 0`,
  `${numbered} INSERT INTO audit_mails (account_id, user_id, next_at) SELECT ?1, 1 + n / 100, ${SEEN_TIMES.next_at} FROM g
    WHERE n % 1000 = 0`,
  `${numbered} INSERT INTO payment_notices (account_id, user_id, how, told_until, next_at)
    SELECT ?1, 1 + n / 100, 'daily', ${CLOCK} - 86400000, ${SEEN_TIMES.next_at} FROM g WHERE n % 1000 = 0`,
];
