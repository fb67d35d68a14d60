/**
 * An exception for a statement: the file that sends it, a pattern of its text, and the reason. With `isBySpan` the cost
 * depends on the requested time span; the replay uses one of the tests' spans, so it may not need the exception.
 */
export type Excuse = { file: string; pattern: RegExp; reason: string; isBySpan?: true };

/** Exceptions for statements that may cost a big clinic more than twice as much as a small one. */
export const growthExcuses: Excuse[] = [
  {
    file: 'worker/data/alerts/measure.ts',
    pattern: /FROM accounts h CROSS JOIN ledger l INDEXED BY ledger_day/,
    reason: 'Reads the days that it compares.',
    isBySpan: true,
  },
  {
    file: 'worker/data/audit/checks.ts',
    pattern: /FROM audit_mails m JOIN users/,
    reason: 'Reads the administrators who get the weekly mail, at most the account’s staff.',
  },
  {
    file: 'worker/data/audit/trail.ts',
    pattern: /FROM users WHERE account_id = \?/,
    reason: 'Reads the account’s staff to choose one.',
  },
  {
    file: 'worker/data/directory/clinic-keys.ts',
    pattern: /select distinct "email" from "users"/,
    reason: 'Reads the addresses of the clinic’s staff for the directory.',
  },
  {
    file: 'worker/data/first-hour/first-hour.ts',
    pattern: /^SELECT h\.connected_at/,
    reason: 'Reads the provider’s messages about the application and the account’s staff; both are few in any clinic.',
  },
  {
    file: 'worker/data/installments/collections.ts',
    pattern: /INDEXED BY invoices_in_parts/,
    reason: 'Reads invoices in parts that were synced in the last hour.',
    isBySpan: true,
  },
  {
    file: 'worker/data/leaving/closings.ts',
    pattern: /from "users"/,
    reason: 'Reads the account’s staff to name the person who made the request.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    pattern: /IN \(SELECT rowid FROM \w+_search/,
    reason: 'Reads all search matches, because the index does not return them in the order of the list.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    pattern: /LIMIT \? OFFSET \?$/,
    reason: 'Walks to a page by its number, from the nearer end or up to the counting limit.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    pattern: /SELECT \* FROM \(.* UNION ALL /s,
    reason: 'The rows that pass a filter may all be at the far end of the order.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    pattern: /SELECT count\(\*\) AS n FROM \(SELECT 1 FROM/,
    reason: 'Counts the filtered rows, up to ten thousand.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    pattern: /SELECT t\.rowid AS found FROM/,
    reason: 'Sorts the filtered rows: a thousand, or all counted rows for a page by its number.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    pattern: /WITH found AS MATERIALIZED/,
    reason: 'Sorts the search matches, with the same limits.',
  },
  {
    file: 'worker/data/mail/notices.ts',
    pattern: /FROM payment_notices n JOIN accounts/,
    reason: 'Reads the people whose daily mail is due, at most the staff.',
  },
  {
    file: 'worker/data/merchants/merchants.ts',
    pattern: /FROM \(SELECT role, name, email, max\(last_login_at\) FROM users/,
    reason: 'Reads the account’s staff to find the newest contact of each role.',
  },
  {
    file: 'worker/data/merchants/merchants.ts',
    pattern: /from "merchant_logs"/,
    reason: 'Reads the provider’s messages about an application, which are few in any clinic.',
  },
  {
    file: 'worker/data/merchants/support-views.ts',
    pattern: /support_views/,
    reason: 'Reads the operator’s views of the last week, which are few because an administrator grants each.',
  },
  {
    file: 'worker/data/merchants/team.ts',
    pattern: /EXISTS \(SELECT 1 FROM staff_passkeys .* from "users" where/,
    reason: 'Reads the clinic’s staff, all of whom are shown.',
  },
  {
    file: 'worker/data/operate/dumps.ts',
    pattern: /FROM ledger WHERE rowid <= .* GROUP BY day/,
    reason: 'Sums the complete ledger once a night to check a dump.',
  },
  {
    file: 'worker/data/operate/erase.ts',
    pattern: /^WITH open_looks AS/,
    reason: 'Finds every payment without an outcome when the operator erases the clinic, once and manually.',
  },
  {
    file: 'worker/data/operate/export.ts',
    pattern: / AS k0, .* LIMIT \d+$/,
    reason: 'Reads a table up to a limit that a small clinic’s table does not reach.',
  },
  {
    file: 'worker/data/operate/export.ts',
    pattern: /SELECT \(SELECT c/,
    reason: 'Counts every row to check an export, which the operator runs manually.',
  },
  {
    file: 'worker/data/operate/figures.ts',
    pattern: /FROM payment_attempts GROUP BY state/,
    reason: 'Runs only when the operator inspects one clinic.',
  },
  {
    file: 'worker/data/operate/file-copies.ts',
    pattern: /WHERE rowid > \?1 AND signature_key IS NOT NULL/,
    reason: 'Scans the payments once a night for new signature pictures; drawn payments have none.',
  },
  {
    file: 'worker/data/operators/unsent-mails.ts',
    pattern: /outbox_done/,
    reason: 'Reads the newest 200 mails; in production each clinic has its own database, where these are its own.',
  },
  {
    file: 'worker/data/pay-links/owed.ts',
    pattern: /FROM owed_totals/,
    reason: 'Reads one row per due date, regardless of the number of invoices.',
  },
  {
    file: 'worker/data/payments/attempts.ts',
    pattern: /insert into "ledger"/,
    reason: 'Writes a notice for each person who wants one per payment, at most the staff.',
  },
  {
    file: 'worker/data/reconciliation/gateway-transactions.ts',
    pattern: /FROM ledger l INDEXED BY ledger_day/,
    reason: 'Reads the requested time span: a batch, or sixty days.',
    isBySpan: true,
  },
  {
    file: 'worker/data/refunds/approvals.ts',
    pattern: /insert into "outbox" .* FROM users/,
    reason: 'Writes a mail to each person of the account who may approve.',
  },
  {
    file: 'worker/data/retention/expired-rows.ts',
    pattern: / LIMIT (20|200)\)/,
    reason:
      'Reads rows past their retention period, 200 at a time; tables without an index for it have few other rows.',
  },
  {
    file: 'worker/data/retention/payer-data.ts',
    pattern: /INDEXED BY/,
    reason: 'Reads only rows past their retention period, 50 at a time; a young clinic has none.',
  },
  {
    file: 'worker/data/retention/person.ts',
    pattern: /./,
    reason: 'The operator searches all accounts for a person, manually; an index by email would serve only that.',
  },
  {
    file: 'worker/data/takings/day.ts',
    pattern: /FROM ledger l INDEXED BY ledger_day/,
    reason: 'Reads the movements of one day.',
    isBySpan: true,
  },
  {
    file: 'worker/data/takings/payment-list.ts',
    pattern: /FROM ledger l INDEXED BY ledger_day/,
    reason: 'Reads one row per payment of the requested days, at most a year.',
    isBySpan: true,
  },
  {
    file: 'worker/data/today/today.ts',
    pattern: /FROM ledger l INDEXED BY ledger_day/,
    reason: 'Reads the movements of one day.',
    isBySpan: true,
  },
  {
    file: 'worker/data/today/today.ts',
    pattern: /FROM mail_addresses INDEXED BY mail_addresses_at/,
    reason: 'Reads up to 200 bounced addresses; a young clinic has few, and neighbours have their own database.',
  },
  {
    file: 'worker/data/today/today.ts',
    pattern: /FROM owed_totals/,
    reason: 'Reads one row per due date, regardless of the number of invoices.',
  },
  {
    file: 'worker/domain/analytics/view-analytics.ts',
    pattern: /from "daily_totals"/,
    reason: 'Reads one row per day of the shown span and the previous one, each at most a year.',
    isBySpan: true,
  },
  {
    file: 'worker/domain/pay-links/open-invoices.ts',
    pattern: /from "daily_totals"/,
    reason: 'Reads 30 days; its text equals the one of the analytics, whose spans the replay uses.',
    isBySpan: true,
  },
  {
    file: 'worker/domain/proofs/pin.ts',
    pattern: /from "pins" inner join "users"/,
    reason: 'Reads the people who can be switched to, all of whom are shown.',
  },
  {
    file: 'worker/domain/refunds/second-person.ts',
    pattern: /insert into "outbox" .* FROM users/,
    reason: 'Writes a mail to each person of the account who may approve.',
  },
  {
    file: 'worker/domain/today/view-today.ts',
    pattern: /from "daily_totals"/,
    reason: 'Reads 14 days; its text equals the one of the analytics, whose spans the replay uses.',
    isBySpan: true,
  },
];
