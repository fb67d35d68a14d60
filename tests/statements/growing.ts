/**
 * An exception for a statement: the file that sends it, a pattern of its text, and the reason. With `isBySpan` the cost
 * follows the span of time that is asked for: the replay takes one of the tests' spans, so it may not need the excuse.
 */
export type Excuse = { file: string; is: RegExp; why: string; isBySpan?: true };

/** Statements that may cost a big clinic more than twice as much as a small one. */
export const growing: Excuse[] = [
  {
    file: 'worker/data/alerts/measure.ts',
    is: /FROM hubs h CROSS JOIN ledger l INDEXED BY ledger_day/,
    why: 'It reads the days that it compares.',
    isBySpan: true,
  },
  {
    file: 'worker/data/audit/trail.ts',
    is: /FROM users WHERE hub_id = \?/,
    why: 'The people of an account, to choose one: as many as its staff.',
  },
  {
    file: 'worker/data/directory/staff-addresses.ts',
    is: /select distinct "email" from "users"/,
    why: 'The addresses of a clinic’s staff, which the directory is told.',
  },
  {
    file: 'worker/data/leaving/archives.ts',
    is: /SELECT count\(\*\) FROM payment_attempts/,
    why: 'What a download of everything will hold, counted once when it is begun.',
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
    file: 'worker/data/merchants/merchants.ts',
    is: /from "merchant_logs"/,
    why: 'The provider tells of an application a few times in its life, however big the clinic.',
  },
  {
    file: 'worker/data/merchants/team.ts',
    is: /from "users" where \("users"\."hub_id" = \? and "users"\."removed_at" is null\) order by/,
    why: 'The people of a clinic, all of whom are shown.',
  },
  {
    file: 'worker/data/operate/dumps.ts',
    is: /FROM ledger WHERE rowid <= .* GROUP BY day/,
    why: 'The sums that a dump is checked by: all of the ledger, once a night.',
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
    file: 'worker/data/operate/files.ts',
    is: /WHERE rowid > \?1 AND signature_key IS NOT NULL/,
    why: 'A dump looks at each payment once a night, to copy the pictures that are new; those that were drawn have none.',
  },
  {
    file: 'worker/data/reconciliation/gateway-transactions.ts',
    is: /FROM ledger l INDEXED BY ledger_day/,
    why: 'It reads the span of time that it is asked for: a batch, or sixty days.',
    isBySpan: true,
  },
  {
    file: 'worker/data/retention/person.ts',
    is: /./,
    why: 'The operator looks for one person in all accounts, by hand; an index by e-mail would only serve that.',
  },
  {
    file: 'worker/data/retention/signatures.ts',
    is: /INDEXED BY/,
    why: 'Only what has outlived its period is in its way, 50 rows at a time; a young clinic has none.',
  },
  {
    file: 'worker/data/retention/statements.ts',
    is: / LIMIT (20|200)\)/,
    why: 'The same, 200 rows at a time.',
  },
  {
    file: 'worker/data/today/today.ts',
    is: /FROM owed_totals/,
    why: 'A row for each day on which something open is or was due, however many invoices there are.',
  },
  {
    file: 'worker/data/today/today.ts',
    is: /FROM ledger l INDEXED BY ledger_day/,
    why: 'It reads the movements of one day.',
    isBySpan: true,
  },
  {
    file: 'worker/domain/analytics/view-analytics.ts',
    is: /from "daily_totals"/,
    why: 'A row for each day of the span that is shown, a year at most.',
  },
];

/** Statements that found rows in their test but find none in a drawn clinic. */
export const bare: Excuse[] = [
  { file: 'worker/data/alerts/measure.ts', is: /./, why: 'It asks for trouble, of which the clinic has none.' },
  {
    file: 'worker/data/audit/checks.ts',
    is: /FROM audit_mails m JOIN users/,
    why: 'Weekly mails wait while another mail is overdue, as some of the clinic are.',
  },
  {
    file: 'worker/data/batches/closes.ts',
    is: /update "batch_closes"/,
    why: 'A close that is sent or has failed, of which the clinic has none.',
  },
  {
    file: 'worker/data/crm-sync/records.ts',
    is: /UPDATE \w+ INDEXED BY/,
    why: 'It writes a changed name through; a record is drawn as it stands here.',
  },
  {
    file: 'worker/data/crm-sync/records.ts',
    is: /WHERE NOT EXISTS \(SELECT 1 FROM/,
    why: 'It finds records that are not synced; a record is drawn as it stands here.',
  },
  { file: 'worker/data/crm-sync/state.ts', is: /lease_id/, why: 'It asks for the lease of a run that is under way.' },
  {
    file: 'worker/data/keys/sealed-values.ts',
    is: /./,
    why: 'It asks for values of an older key; those of the clinic are sealed with none.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    is: /SELECT \* FROM \(.* UNION ALL /,
    why: 'The row it goes on from stood in the test’s own list.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    is: /SELECT t\.rowid AS found FROM/,
    why: 'In a big clinic there are too many to sort, and the order is walked instead.',
  },
  {
    file: 'worker/data/lists/read-page.ts',
    is: /_search WHERE \w+_search MATCH/,
    why: 'The words are the test’s own.',
  },
  { file: 'worker/data/lists/read-page.ts', is: /_search s CROSS JOIN/, why: 'The words are the test’s own.' },
  {
    file: 'worker/data/merchants/accounts.ts',
    is: /(?:invitations|update "users")/,
    why: 'By an address of the test’s own, or an invitation that is open in it alone.',
  },
  { file: 'worker/data/merchants/accounts.ts', is: /insert into "crm_marks"/, why: 'For a new account.' },
  {
    file: 'worker/data/merchants/join.ts',
    is: /(?:invitations|"users")/,
    why: 'By an address of the test’s own, or an invitation that is open in it alone.',
  },
  { file: 'worker/data/merchants/merchants.ts', is: /"merchants"/, why: 'For a merchant that is not boarded yet.' },
  { file: 'worker/data/operate/dumps.ts', is: /dump/, why: 'It asks for a dump that is due or under way.' },
  {
    file: 'worker/data/operate/files.ts',
    is: /signature_key IS NOT NULL/,
    why: 'It asks for pictures; those payments that were drawn have none.',
  },
  {
    file: 'worker/data/operators/look.ts',
    is: /payment_attempts_undecided/,
    why: 'It asks for payments without an outcome, of which the clinic has none.',
  },
  { file: 'worker/data/operators/put-forward.ts', is: /./, why: 'It puts forward what trouble has put off.' },
  {
    file: 'worker/data/merchants/people.ts',
    is: /(?:invitations|"users")/,
    why: 'By an address of the test’s own, or an invitation that is open in it alone.',
  },
  {
    file: 'worker/data/merchants/staff-invitations.ts',
    is: /invitations/,
    why: 'By an address of the test’s own, or an invitation that is open in it alone.',
  },
  {
    file: 'worker/data/merchants/team.ts',
    is: /(?:invitations|COLLATE NOCASE|update "sessions")/,
    why: 'By an address of the test’s own, or an invitation that is open in it alone.',
  },
  {
    file: 'worker/data/payments/attempts.ts',
    is: /"overlay" = |into "outbox"/,
    why: 'What follows from a payment that the bank returned, by its id.',
  },
  {
    file: 'worker/data/payments/attempts.ts',
    is: /update "payment_attempts"/,
    why: 'A move of one attempt from a state that it is not in, by its id.',
  },
  {
    file: 'worker/data/preview/mail.ts',
    is: /from "outbox"/,
    why: 'Mails that staff sent by hand on this day.',
  },
  { file: 'worker/data/reconciliation/cursors.ts', is: /match_marks/, why: 'For a new merchant.' },
  {
    file: 'worker/data/reconciliation/gateway-transactions.ts',
    is: /"parent_id" = \?/,
    why: 'The refunds of one charge, of which the clinic has none.',
  },
  {
    file: 'worker/data/reconciliation/gateway-transactions.ts',
    is: /insert into "gateway_transactions"/,
    why: 'It keeps a verdict only while the ledger says what the test’s own ledger said; readBooks shows what that costs.',
  },
  {
    file: 'worker/data/refunds/reopened-invoices.ts',
    is: /update "invoices"/,
    why: 'The collection of an invoice that was paid back, by its id.',
  },
  {
    file: 'worker/data/refunds/reversals.ts',
    is: /refund_limit_cents/,
    why: 'For a manager, where the account lets them give back a sum.',
  },
  {
    file: 'worker/data/refunds/reversals.ts',
    is: /update /,
    why: 'A move of one reversal from a state that it is not in, by its id.',
  },
  { file: 'worker/data/retention/person.ts', is: /./, why: 'It asks for the test’s own person, by e-mail.' },
  {
    file: 'worker/data/retention/signatures.ts',
    is: /./,
    why: 'It asks for signatures older than two years, by their payers’ data; those that were drawn have none.',
  },
  {
    file: 'worker/data/retention/statements.ts',
    is: /./,
    why: 'It asks for rows that have outlived their period, as a test leaves them on purpose.',
  },
  {
    file: 'worker/domain/merchants/handle-boarding-webhook.ts',
    is: /from "merchants"/,
    why: 'By the number that the provider gave to the test’s own merchant.',
  },
  { file: 'worker/domain/operate/dump.ts', is: /dump_tables/, why: 'Of a dump that is under way.' },
];
