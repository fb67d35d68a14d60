/**
 * An exception for a statement: the file that sends it, a pattern of its text, and the reason. With `isBySpan` the cost
 * follows the span of time that is asked for: the replay takes one of the tests' spans, so it may not need the excuse.
 */
export type Excuse = { file: string; is: RegExp; why: string; isBySpan?: true };

/** Statements that may cost a big clinic more than twice as much as a small one. */
export const growing: Excuse[] = [
  {
    file: 'worker/data/alerts/measure.ts',
    is: /FROM accounts h CROSS JOIN ledger l INDEXED BY ledger_day/,
    why: 'It reads the days that it compares.',
    isBySpan: true,
  },
  {
    file: 'worker/data/audit/checks.ts',
    is: /FROM audit_mails m JOIN users/,
    why: 'The administrators who get the weekly mail: some of the staff of one account.',
  },
  {
    file: 'worker/data/audit/trail.ts',
    is: /FROM users WHERE account_id = \?/,
    why: 'The people of an account, to choose one: as many as its staff.',
  },
  {
    file: 'worker/data/directory/clinic-keys.ts',
    is: /select distinct "email" from "users"/,
    why: 'The addresses of a clinic’s staff, which the directory is told.',
  },
  {
    file: 'worker/data/first-hour/first-hour.ts',
    is: /^SELECT h\.connected_at/,
    why: 'What the provider told of the application, and the people of the account: few, however big the clinic.',
  },
  {
    file: 'worker/data/leaving/closings.ts',
    is: /from "users"/,
    why: 'The people of an account, to name who asked: as many as its staff.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    is: /IN \(SELECT rowid FROM \w+_search/,
    why: 'A walk holds all that a search finds, since the words hand it out in no order of the list.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    is: /LIMIT \? OFFSET \?$/,
    why: 'A page by its number is walked to, from the nearer end or as far as is counted.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    is: /SELECT \* FROM \(.* UNION ALL /s,
    why: 'The rows that a filter leaves may lie together at the far end of an order.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    is: /SELECT count\(\*\) AS n FROM \(SELECT 1 FROM/,
    why: 'What is filtered is counted, up to ten thousand.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    is: /SELECT t\.rowid AS found FROM/,
    why: 'What is filtered is sorted: a thousand rows, or all that are counted for a page by its number.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    is: /WITH found AS MATERIALIZED/,
    why: 'What is searched is sorted likewise.',
  },
  {
    file: 'worker/data/mail/notices.ts',
    is: /FROM payment_notices n JOIN accounts/,
    why: 'The people whose mail of a day is due: as many as its staff.',
  },
  {
    file: 'worker/data/merchants/merchants.ts',
    is: /FROM \(SELECT role, name, email, max\(last_login_at\) FROM users/,
    why: 'The newest person of each role, whom to ask: as many are read as the account has staff.',
  },
  {
    file: 'worker/data/merchants/merchants.ts',
    is: /from "merchant_logs"/,
    why: 'The provider tells of an application a few times in its life, however big the clinic.',
  },
  {
    file: 'worker/data/merchants/support-views.ts',
    is: /support_views/,
    why: 'The operator’s views of the last week: a few, since an administrator grants each.',
  },
  {
    file: 'worker/data/merchants/team.ts',
    is: /EXISTS \(SELECT 1 FROM staff_passkeys .* from "users" where/,
    why: 'The people of a clinic, all of whom are shown.',
  },
  {
    file: 'worker/data/operate/dumps.ts',
    is: /FROM ledger WHERE rowid <= .* GROUP BY day/,
    why: 'The sums that a dump is checked by: all of the ledger, once a night.',
  },
  {
    file: 'worker/data/operate/erase.ts',
    is: /^WITH open_looks AS/,
    why: 'The operator erases a clinic once, by hand, and every payment without an outcome has to be found.',
  },
  {
    file: 'worker/data/operate/export.ts',
    is: / AS k0, .* LIMIT \d+$/,
    why: 'A piece of a table, up to its limit, of one that is shorter in a small clinic.',
  },
  {
    file: 'worker/data/operate/export.ts',
    is: /SELECT \(SELECT c/,
    why: 'What an export is checked by: every row is counted, once, by hand.',
  },
  {
    file: 'worker/data/operate/figures.ts',
    is: /FROM payment_attempts GROUP BY state/,
    why: 'The operator looks into one clinic, by hand.',
  },
  {
    file: 'worker/data/operate/file-copies.ts',
    is: /WHERE rowid > \?1 AND signature_key IS NOT NULL/,
    why: 'A dump looks at each payment once a night, to copy the pictures that are new; those that were drawn have none.',
  },
  {
    file: 'worker/data/operators/look.ts',
    is: /outbox_done/,
    why: 'The newest 200 of whom it asks for: the installation and each clinic have a database of their own, where the first 200 are theirs.',
  },
  {
    file: 'worker/data/parts/collections.ts',
    is: /INDEXED BY invoices_in_parts/,
    why: 'It looks at those in parts whose copy was read in the last hour.',
    isBySpan: true,
  },
  {
    file: 'worker/data/pay-links/owed.ts',
    is: /FROM owed_totals/,
    why: 'A row for each day on which something open is or was due, however many invoices there are.',
  },
  {
    file: 'worker/data/payments/attempts.ts',
    is: /insert into "ledger"/,
    why: 'Each of the people who want a notice of a payment at once is owed one: as many as its staff.',
  },
  {
    file: 'worker/data/reconciliation/gateway-transactions.ts',
    is: /FROM ledger l INDEXED BY ledger_day/,
    why: 'It reads the span of time that it is asked for: a batch, or sixty days.',
    isBySpan: true,
  },
  {
    file: 'worker/data/refunds/approvals.ts',
    is: /insert into "outbox" .* FROM users/,
    why: 'Each of the people of an account who may approve is told.',
  },
  {
    file: 'worker/data/retention/payer-data.ts',
    is: /INDEXED BY/,
    why: 'Only what has outlived its period is in its way, 50 rows at a time; a young clinic has none.',
  },
  {
    file: 'worker/data/retention/person.ts',
    is: /./,
    why: 'The operator looks for one person in all accounts, by hand; an index by email would only serve that.',
  },
  {
    file: 'worker/data/retention/statements.ts',
    is: / LIMIT (20|200)\)/,
    why: 'The same, 200 rows at a time; where no index finds them, the table has few others.',
  },
  {
    file: 'worker/data/takings/day.ts',
    is: /FROM ledger l INDEXED BY ledger_day/,
    why: 'It reads the movements of one day.',
    isBySpan: true,
  },
  {
    file: 'worker/data/takings/payment-list.ts',
    is: /FROM ledger l INDEXED BY ledger_day/,
    why: 'A row for each payment of the days that are asked for, a year of them at most.',
    isBySpan: true,
  },
  {
    file: 'worker/data/today/today.ts',
    is: /FROM ledger l INDEXED BY ledger_day/,
    why: 'It reads the movements of one day.',
    isBySpan: true,
  },
  {
    file: 'worker/data/today/today.ts',
    is: /FROM mail_addresses INDEXED BY mail_addresses_at/,
    why: 'Addresses that came back in thirteen months, 200 at most; a young clinic has few, and a neighbour has a database of its own.',
  },
  {
    file: 'worker/data/today/today.ts',
    is: /FROM owed_totals/,
    why: 'A row for each day on which something open is or was due, however many invoices there are.',
  },
  {
    file: 'worker/domain/analytics/view-analytics.ts',
    is: /from "daily_totals"/,
    why: 'A row for each day of the span that is shown and of the one before it, each a year at most.',
    isBySpan: true,
  },
  {
    file: 'worker/domain/pay-links/open-invoices.ts',
    is: /from "daily_totals"/,
    why: 'It asks for 30 days; the text is that of the analytics, whose spans the replay takes.',
    isBySpan: true,
  },
  {
    file: 'worker/domain/proofs/pin.ts',
    is: /from "pins" inner join "users"/,
    why: 'The people who can be switched to, all of whom are shown.',
  },
  {
    file: 'worker/domain/refunds/second-person.ts',
    is: /insert into "outbox" .* FROM users/,
    why: 'Each of the people of an account who may approve is told.',
  },
  {
    file: 'worker/domain/today/view-today.ts',
    is: /from "daily_totals"/,
    why: 'It asks for 14 days; the text is that of the analytics, whose spans the replay takes.',
    isBySpan: true,
  },
];
