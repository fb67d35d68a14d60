import type { Db } from '../db.ts';
import { SILENT_MS } from '../directory/status-reports.ts';
import { UNDECIDED } from '../schema/payments.ts';
import { isCounted } from '../takings/day.ts';

/**
 * A problem found in the database. Each check searches for all problems again; a problem that is no longer found has
 * ended. There is one row per event, subject and account; `since` in UTC ms.
 */
export type Problem = { event: string; subject: string; account: number; since: number };

export type Measurement = {
  problems: Problem[];
  /** True if the check would have found this problem of this account. */
  covers(event: string, account: number): boolean;
  /** True if everything was checked; expensive checks run less often. */
  isComplete: boolean;
  /** The sum of the newest event numbers of all trails. If it is unchanged, nothing has happened. */
  newestEvent: number;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The minimum age at which an item counts as a problem (ms). */
const LATE_MS = {
  approval: 15 * MINUTE,
  /** The list of batches is read every night. */
  close: 26 * HOUR,
  mail: 5 * MINUTE,
  crm: HOUR,
  reconciliation: HOUR,
  seal: 15 * MINUTE,
  clinic: SILENT_MS,
};
/** A failing job is reported after ten minutes; a daily job is overdue after 26 hours, whether it failed or not. */
const LATE_JOB_MS = 10 * MINUTE;
const DAILY_JOBS: Record<string, number> = { backup: 26 * HOUR };
/** The number of recent days whose sums are always compared, because they still change. */
const COMPARED_DAYS = 2;

/** The oldest unsealed event of each of these accounts. */
const selectUnsealed = (accounts: string) => `SELECT 'audit-unsealed' AS event, a.account, e.at AS since
FROM (${accounts}) a CROSS JOIN audit_events e ON e.account_id = a.account AND e.seq = 1 + coalesce(
  (SELECT to_seq FROM audit_seals s WHERE s.account_id = a.account ORDER BY from_seq DESC LIMIT 1), 0)
WHERE e.at < ?1`;

type Query = [sql: string, ...values: number[]];

const clinicQueries = (now: number): Query[] => [
  [
    `SELECT 'payment-needs-a-person' AS event, account_id AS account, ?1 AS since
FROM payment_attempts INDEXED BY payment_attempts_undecided
WHERE ${UNDECIDED} AND state = 'needs_human' GROUP BY account_id`,
    now,
  ],
  [
    `SELECT 'payment-unknown' AS event, account_id AS account, min(hold_until) AS since
FROM payment_attempts INDEXED BY payment_attempts_undecided
WHERE ${UNDECIDED} AND state <> 'needs_human' AND hold_until < ?1 GROUP BY account_id`,
    now,
  ],
  [
    `SELECT 'reversal-needs-a-person' AS event, account_id AS account, ?1 AS since
FROM reversals INDEXED BY reversals_undecided WHERE state = 'needs_human' GROUP BY account_id`,
    now,
  ],
  [
    `SELECT 'reversal-unknown' AS event, account_id AS account, min(hold_until) AS since
FROM reversals INDEXED BY reversals_one_live
WHERE ${UNDECIDED} AND state <> 'needs_human' AND hold_until < ?1 GROUP BY account_id`,
    now,
  ],
  [
    `SELECT 'approved-refund-not-made' AS event, account_id AS account, min(decided_at) AS since
FROM approvals INDEXED BY approvals_due
WHERE next_try_at IS NOT NULL AND state = 'approved' AND decided_at < ?1 GROUP BY account_id`,
    now - LATE_MS.approval,
  ],
  [
    `SELECT 'batch-close-unknown' AS event, account_id AS account, min(requested_at) AS since
FROM batch_closes INDEXED BY batch_closes_open
WHERE state IN ('sent', 'unknown', 'processing') AND requested_at < ?1 GROUP BY account_id`,
    now - LATE_MS.close,
  ],
  [
    `SELECT 'mail-overdue' AS event, account_id AS account, min(created_at) AS since FROM outbox INDEXED BY outbox_due
WHERE state = 'due' AND account_id IS NOT NULL AND created_at < ?1 GROUP BY account_id`,
    now - LATE_MS.mail,
  ],
  [
    `SELECT 'crm-copy-old' AS event, c.account_id AS account, c.failing_since AS since
FROM crm_sync_states c JOIN crm_tokens t ON t.account_id = c.account_id AND t.revoked_at IS NULL WHERE c.failing_since < ?1`,
    now - LATE_MS.crm,
  ],
  [
    `SELECT 'crm-grant-revoked' AS event, account_id AS account, revoked_at AS since
FROM crm_tokens WHERE revoked_at IS NOT NULL`,
  ],
  [
    `SELECT 'reconciliation-late' AS event, account_id AS account, min(failing_since) AS since
FROM reconciliation_cursors WHERE failing_since < ?1 GROUP BY account_id`,
    now - LATE_MS.reconciliation,
  ],
  [selectUnsealed('SELECT account_id AS account FROM accounts'), now - LATE_MS.seal],
  [
    `SELECT 'audit-trail-broken' AS event, account_id AS account, at AS since
FROM audit_checks WHERE problem <> '' AND account_id <> 0`,
  ],
];

/** `day` is the clinic's local day, which starts within a day of the UTC one. */
const sumsQuery = (now: number, days: 'all' | 'newest'): Query => [
  `SELECT 'daily-sums-differ' AS event, account_id AS account, ?1 AS since FROM (
  SELECT l.account_id, l.day, l.amount_cents AS cents FROM accounts h
  CROSS JOIN ledger l INDEXED BY ledger_day ON l.account_id = h.account_id AND l.at > ?2
  WHERE l.day >= strftime('%Y-%m-%d', ?3 / 1000, 'unixepoch') AND ${isCounted('l')}
  UNION ALL
  SELECT d.account_id, d.day, -d.net_cents FROM accounts h
  CROSS JOIN daily_totals d ON d.account_id = h.account_id AND d.day >= strftime('%Y-%m-%d', ?3 / 1000, 'unixepoch')
) GROUP BY account_id, day HAVING sum(cents) <> 0`,
  now,
  days === 'all' ? 0 : now - (COMPARED_DAYS + 2) * DAY,
  days === 'all' ? 0 : now - COMPARED_DAYS * DAY,
];

/**
 * Invoices whose status or amounts do not match their payments, or whose payments do not match the ledger. Only
 * invoices with a payment or a ledger entry in the last days are checked, because no others can have changed.
 */
const balancesQuery = (now: number): Query => [
  `SELECT 'invoice-balances-differ' AS event, r.account_id AS account, ?1 AS since FROM (
  SELECT h.account_id, l.invoice_id FROM accounts h CROSS JOIN ledger l INDEXED BY ledger_day ON l.account_id = h.account_id AND l.at > ?2
  UNION
  SELECT h.account_id, a.invoice_id FROM accounts h
  CROSS JOIN payment_attempts a INDEXED BY payment_attempts_hub ON a.account_id = h.account_id AND a.created_at > ?2
) r
CROSS JOIN invoices i ON i.account_id = r.account_id AND i.invoice_id = r.invoice_id
CROSS JOIN invoice_labels b ON b.account_id = r.account_id AND b.invoice_id = r.invoice_id
WHERE (i.local_status, i.given_back_cents, i.collection_base_cents, i.collection_paid_cents)
    IS NOT (b.label, b.given_back_cents, b.base_cents, iif(b.base_cents IS NULL, 0, b.kept_cents))
  OR b.kept_cents <> (SELECT coalesce(sum(l.amount_cents), 0) FROM payment_attempts a JOIN ledger l ON l.attempt_id = a.id
    WHERE a.account_id = r.account_id AND a.invoice_id = r.invoice_id)
    -- A debit that was refunded and then returned by its bank has been paid back twice.
    + (SELECT coalesce(sum(a.refunded_cents), 0) FROM payment_attempts a
      WHERE a.account_id = r.account_id AND a.invoice_id = r.invoice_id AND a.state = 'returned')
GROUP BY r.account_id`,
  now,
  now - COMPARED_DAYS * DAY,
];

const installationQueries = (now: number): Query[] => [
  [
    `SELECT 'mail-overdue' AS event, 0 AS account, min(created_at) AS since FROM outbox INDEXED BY outbox_due
WHERE state = 'due' AND account_id IS NULL AND created_at < ?1 HAVING min(created_at) IS NOT NULL`,
    now - LATE_MS.mail,
  ],
  [selectUnsealed('SELECT 0 AS account'), now - LATE_MS.seal],
  [
    "SELECT 'audit-trail-broken' AS event, 0 AS account, at AS since FROM audit_checks WHERE problem <> '' AND account_id = 0",
  ],
  [
    `SELECT iif(kind = 'script-changed', kind, 'pay-page-differs') AS event, 0 AS account, min(first_seen_at) AS since
FROM monitor_findings INDEXED BY monitor_findings_open
WHERE closed_at IS NULL AND source IN ('inside', 'outside') GROUP BY 1`,
  ],
  [
    `SELECT 'build-failed' AS event, 0 AS account, requested_at AS since
FROM (SELECT state, requested_at FROM site_builds ORDER BY requested_at DESC LIMIT 1) WHERE state = 'failed'`,
  ],
  [
    `SELECT 'job-overdue' AS event, job AS subject, 0 AS account, ok_at AS since FROM heartbeats
WHERE ok_at < ?1 - coalesce((SELECT value FROM json_each('${JSON.stringify(DAILY_JOBS)}') WHERE key = job), ?2)
AND (ok = 0 OR job IN (SELECT key FROM json_each('${JSON.stringify(DAILY_JOBS)}')))`,
    now,
    LATE_JOB_MS,
  ],
  [
    `SELECT 'clinic-silent' AS event, account, max(heard_at, founded_at) AS since FROM clinics INDEXED BY clinics_silent
WHERE erased_at IS NULL AND heard_at < ?1 AND founded_at < ?1 AND account IS NOT NULL`,
    now - LATE_MS.clinic,
  ],
];

async function runQueries({ $client: d1 }: Db, queries: Query[]): Promise<Problem[]> {
  const results = await d1.batch<Problem>(queries.map(([sql, ...values]) => d1.prepare(sql).bind(...values)));
  return results.flatMap(({ results }) => results.map((row) => ({ ...row, subject: row.subject ?? '' })));
}

/** Events that are checked less often, because their queries are expensive. */
const sumEvents = new Set(['daily-sums-differ', 'invoice-balances-differ']);
const installationEvents = new Set([
  'job-overdue',
  'clinic-silent',
  'script-changed',
  'pay-page-differs',
  'build-failed',
]);

const SELECT_ACCOUNTS = `SELECT account_id,
  coalesce((SELECT max(seq) FROM audit_events e WHERE e.account_id = accounts.account_id), 0) AS seq FROM accounts`;

/**
 * The problems of all clinics with records in this database, in two round trips. `now`: UTC ms. `withSums`: also
 * compare sums, which is expensive, especially for all `days`.
 */
export async function measureClinics(
  db: Db,
  now: number,
  withSums: boolean,
  days: 'all' | 'newest' = 'all',
): Promise<Measurement> {
  const { results } = await db.$client.prepare(SELECT_ACCOUNTS).all<{ account_id: number; seq: number }>();
  const newestEvent = results.reduce((sum, { seq }) => sum + seq, 0);
  const accounts = new Set(results.map(({ account_id }) => account_id));
  const problems = await runQueries(db, [
    ...clinicQueries(now),
    ...(withSums ? [sumsQuery(now, days), balancesQuery(now)] : []),
  ]);
  const covers = (event: string, account: number) =>
    accounts.has(account) && !installationEvents.has(event) && (withSums || !sumEvents.has(event));
  return { problems, covers, isComplete: withSums, newestEvent };
}

/** The problems of the installation itself, in one round trip. `now`: UTC ms. */
export async function measureInstallation(db: Db, now: number): Promise<Measurement> {
  return {
    problems: await runQueries(db, installationQueries(now)),
    covers: (event, account) => account === 0 || installationEvents.has(event),
    isComplete: true,
    newestEvent: 0,
  };
}
