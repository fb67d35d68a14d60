import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import type { DeclaredTable } from '../schema/table.ts';
import { jsonParts } from '../sql.ts';
import { columnsIn, type ExportRow } from './export.ts';

/**
 * A copy contains the ledger as of the start of the copy, because ledger entries never change. Other tables are read
 * later and may be newer. Therefore their money columns are recomputed from the ledger, and payments missing from the
 * ledger are looked up at the card provider and booked.
 */
const hasEntry = (kind: string) =>
  `EXISTS (SELECT 1 FROM ledger l WHERE l.attempt_id = payment_attempts.id AND l.kind = '${kind}')`;
const paymentEntryColumn = (column: string) =>
  `(SELECT l.${column} FROM ledger l WHERE l.attempt_id = payment_attempts.id AND l.kind = 'payment')`;

const REFUNDED_CENTS = `(SELECT min(payment_attempts.amount_cents, -coalesce(sum(l.amount_cents), 0)) FROM ledger l
  WHERE l.attempt_id = payment_attempts.id AND l.kind IN ('refund', 'void'))`;
const STATE_FROM_LEDGER = `CASE WHEN ${hasEntry('return')} THEN 'returned' WHEN ${hasEntry('void')} THEN 'voided'
  WHEN ${REFUNDED_CENTS} >= amount_cents THEN 'refunded' ELSE 'approved' END`;

const PAYMENT_UPDATES = [
  `UPDATE payment_attempts SET refunded_cents = ${REFUNDED_CENTS} WHERE refunded_cents <> ${REFUNDED_CENTS}`,
  `UPDATE payment_attempts SET state = ${STATE_FROM_LEDGER}, provider_txn_id = coalesce(provider_txn_id, ${paymentEntryColumn('provider_txn_id')}),
  settled_at = coalesce(settled_at, ${paymentEntryColumn('at')})
WHERE ${hasEntry('payment')} AND state <> ${STATE_FROM_LEDGER}`,
  // The ledger has no entry for a debit that was returned before it settled.
  `UPDATE payment_attempts
SET state = 'unknown', settled_at = NULL, hold_until = ?1, next_check_at = ?1, checks = 0, empty_checks = 0
WHERE state IN ('approved', 'voided', 'refunded') AND NOT ${hasEntry('payment')}`,
];

/**
 * True if the ledger has the reversal. There, a void without its own transaction id has the payment's with a suffix.
 */
const IS_BOOKED = `EXISTS (SELECT 1 FROM ledger l WHERE l.attempt_id = reversals.attempt_id AND l.kind = reversals.kind
  AND l.provider_txn_id IN (reversals.provider_txn_id, reversals.provider_txn_id || '-' || reversals.kind))`;
const CHECK_AGAIN = 'settled_at = NULL, hold_until = ?1, next_check_at = ?1, checks = 0, empty_checks = 0';
const IS_APPROVED_BUT_UNBOOKED = `state = 'approved' AND provider_txn_id IS NOT NULL AND NOT ${IS_BOOKED}`;

const REVERSAL_UPDATES = [
  `UPDATE reversals SET state = 'approved', next_check_at = NULL WHERE state <> 'approved' AND ${IS_BOOKED}`,
  // A payment has at most one reversal under way; the others are checked again as `not_done`.
  `UPDATE reversals SET state = 'unknown', ${CHECK_AGAIN} WHERE ${IS_APPROVED_BUT_UNBOOKED} AND NOT EXISTS (
  SELECT 1 FROM reversals r WHERE r.attempt_id = reversals.attempt_id AND r.rowid <> reversals.rowid
    AND (r.state IN ('sent', 'unknown', 'needs_human') OR (r.state = 'approved' AND r.rowid > reversals.rowid)))`,
  `UPDATE reversals SET state = 'not_done', ${CHECK_AGAIN} WHERE ${IS_APPROVED_BUT_UNBOOKED}`,
];

/** Statements of a restore, in order; `?1`: its end (UTC ms). */
export const LEDGER_UPDATES: readonly string[] = [...PAYMENT_UPDATES, ...REVERSAL_UPDATES];

/** Runs after LEDGER_UPDATES, and updates each invoice that has payments from these payments. */
export const INVOICE_UPDATE = `UPDATE invoices SET local_status = b.label, given_back_cents = b.given_back_cents,
  collection_base_cents = b.base_cents, collection_paid_cents = iif(b.base_cents IS NULL, 0, b.kept_cents)
FROM invoice_labels b WHERE invoices.rowid = b.doc
  AND EXISTS (SELECT 1 FROM payment_attempts a WHERE a.account_id = b.account_id AND a.invoice_id = b.invoice_id)`;

/** The value of `restored_at` during a restore: later than any time up to which transactions were read (ms). */
export const RESTORE_IN_PROGRESS = Number.MAX_SAFE_INTEGER;

/** True while rows are still being restored into this clinic; nothing else may run for it in the meantime. */
export const isRestoreInProgress = async ({ $client }: Db): Promise<boolean> =>
  (await $client.prepare('SELECT 1 AS is_so FROM waiting_triggers LIMIT 1').first('is_so')) !== null;

/** True if a clinic's database holds an account's records. */
export const hasAccount = async ({ $client }: Db): Promise<boolean> =>
  (await $client.prepare('SELECT 1 AS is_so FROM accounts LIMIT 1').first('is_so')) !== null;

/** The account for which the object was created; null if unknown. */
export const readOriginalAccount = ({ $client }: Db): Promise<number | null> =>
  $client.prepare('SELECT account_id FROM clinic').first<number>('account_id');

export type Trigger = { name: string; text: string };

/** Drop all triggers, and store them in `waiting_triggers`, in one transaction. */
export async function beginRestore({ $client }: Db): Promise<void> {
  const { results } = await $client
    .prepare("SELECT name, sql AS text FROM sqlite_schema WHERE type = 'trigger'")
    .all<Trigger>();
  if (results.length === 0) return;
  await $client.batch([
    $client
      .prepare(
        `INSERT INTO waiting_triggers (name, text)
SELECT value ->> 'name', value ->> 'text' FROM json_each(?1)`,
      )
      .bind(JSON.stringify(results)),
    ...results.map(({ name }) => $client.prepare(`DROP TRIGGER "${name}"`)),
  ]);
}

/** `fill` returns columns that replace those of each row; `omitted` lists columns that are not restored. */
type RestoredColumns = { fill: () => ExportRow; omitted: readonly string[] };

/**
 * Restore rows as they were written, all or none. An unknown column was dropped by a later version and is omitted. Rows
 * written during the restore are replaced.
 */
export async function insertRestoredRows(
  db: Db,
  table: Pick<DeclaredTable, 'name'>,
  rows: ExportRow[],
  { fill, omitted }: RestoredColumns,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const filledRows = rows.map((row) => ({ ...row, ...fill() }));
  const existing = await columnsIn(db, table.name);
  const filledNames = Object.keys(fill());
  const isRestored = (name: string) => existing.includes(name) && ![...omitted, ...filledNames].includes(name);
  const names = [...Object.keys(first).filter(isRestored), ...filledNames];
  const sql = `INSERT OR REPLACE INTO ${table.name} (${names.join(', ')})
SELECT ${names.map((name) => `value ->> '${name}'`).join(', ')} FROM json_each(?1)`;
  await db.$client.batch(jsonParts(filledRows).map((json) => db.$client.prepare(sql).bind(json)));
}

/** Recomputes the data that triggers normally maintain. */
const DERIVED_DATA_UPDATES = [
  `INSERT INTO list_counts (account_id, list, status, n)
SELECT account_id, list, status, count(*) FROM invoice_tallies GROUP BY account_id, list, status`,
  `INSERT INTO list_counts (account_id, list, status, n)
SELECT account_id, 'customers', '*', count(*) FROM contacts WHERE deleted_at IS NULL GROUP BY account_id`,
  `INSERT INTO owed_totals (account_id, due_day, n, cents)
SELECT account_id, due_day, count(*), sum(cents) FROM due_invoices GROUP BY account_id, due_day`,
  `UPDATE contacts SET owed_cents = s.owed_cents, first_due = s.first_due, last_paid_at = s.last_paid_at
FROM customer_sums s WHERE s.doc = contacts.rowid`,
  `INSERT INTO owing_customers (account_id, first_due, n)
SELECT account_id, first_due, count(*) FROM contacts WHERE deleted_at IS NULL AND owed_cents > 0 GROUP BY account_id, first_due`,
  "INSERT INTO invoice_search (rowid, words) SELECT doc, words FROM search_words WHERE list = 'invoices'",
  "INSERT INTO customer_search (rowid, words) SELECT doc, words FROM search_words WHERE list = 'customers'",
  'INSERT OR IGNORE INTO audit_checks (account_id) SELECT account_id FROM accounts',
];

const UNDECIDED = "('sent', 'unknown', 'pending', 'needs_human')";

/** Computes the same counts as the triggers of daily_totals, for all rows at once. */
const DAILY_TOTAL_UPDATES = [
  `INSERT INTO daily_totals (account_id, day)
SELECT account_id, day FROM ledger WHERE kind <> 'void'
UNION SELECT account_id, day FROM payment_attempts WHERE state NOT IN ${UNDECIDED}`,
  `UPDATE daily_totals SET net_cents = (SELECT coalesce(sum(amount_cents), 0) FROM counted_entries AS moved
  WHERE moved.account_id = daily_totals.account_id AND moved.day = daily_totals.day)`,
  `UPDATE daily_totals SET (refund_cents, refunds) = (SELECT -coalesce(sum(amount_cents), 0), coalesce(sum(corrects = 0), 0) FROM counted_entries AS back
  WHERE back.account_id = daily_totals.account_id AND back.day = daily_totals.day AND back.kind IN ('refund', 'return'))`,
  `UPDATE daily_totals SET hours = coalesce((SELECT json_group_object(hour, n) FROM (
  SELECT paid.hour, sum(void.attempt_id IS NULL) AS n FROM payments_by_method AS paid
    LEFT JOIN ledger AS void ON void.attempt_id = paid.attempt_id AND void.kind = 'void'
  WHERE paid.account_id = daily_totals.account_id AND paid.day = daily_totals.day AND paid.hour IS NOT NULL
  GROUP BY paid.hour)), '{}')`,
  `UPDATE daily_totals SET methods = coalesce((SELECT json_group_object(method, n) FROM (
  SELECT paid.method, sum(void.attempt_id IS NULL) AS n FROM payments_by_method AS paid
    LEFT JOIN ledger AS void ON void.attempt_id = paid.attempt_id AND void.kind = 'void'
  WHERE paid.account_id = daily_totals.account_id AND paid.day = daily_totals.day GROUP BY paid.method)), '{}')`,
  `UPDATE daily_totals SET statuses = coalesce((SELECT json_group_object(state, n) FROM (
  SELECT state, count(*) AS n FROM payment_attempts a
  WHERE a.account_id = daily_totals.account_id AND a.day = daily_totals.day AND state NOT IN ${UNDECIDED} GROUP BY state)), '{}')`,
];

/** Prevents emails from being sent a second time. */
const MAIL_UPDATES = [
  "UPDATE outbox SET state = 'failed', details = '{}', sent_at = ?1 WHERE state = 'due'",
  'UPDATE payment_notices SET told_until = ?1',
  'UPDATE audit_mails SET next_at = ?1 + 7 * 86400000 WHERE next_at <= ?1',
];
const CRM_UPDATES = [
  'UPDATE crm_tokens SET lease_until = 0',
  'INSERT OR IGNORE INTO crm_sync_states (account_id) SELECT account_id FROM crm_tokens WHERE revoked_at IS NULL',
  `INSERT OR IGNORE INTO crm_cursors (account_id, kind)
SELECT account_id, value FROM crm_sync_states, json_each('["companies", "contacts", "invoices"]')`,
];

/** The card provider's transactions are read again from this long (ms) before the restored state. */
const REREAD_MS = 3_600_000;

/**
 * End a restore, in one transaction: first derived data, then the triggers, then the daily totals. Payments and refunds
 * stay blocked until the card provider's transactions up to `at` (UTC ms) have been read. Restored emails are not sent.
 * `asOf`: the time of the restored state (UTC ms), at most `at`.
 */
export async function endRestore(
  { $client }: Db,
  at: number,
  { event, asOf }: { event: TextEvent; asOf: number },
): Promise<void> {
  const { results } = await $client.prepare('SELECT name, text FROM waiting_triggers').all<Trigger>();
  await $client.batch([
    ...DERIVED_DATA_UPDATES.map((text) => $client.prepare(text)),
    ...LEDGER_UPDATES.map((text) => $client.prepare(text).bind(...(text.includes('?1') ? [at] : []))),
    $client.prepare(`UPDATE payment_attempts SET receipt_to = '' WHERE state IN ${UNDECIDED}`),
    ...MAIL_UPDATES.map((text) => $client.prepare(text).bind(at)),
    $client.prepare(INVOICE_UPDATE),
    ...CRM_UPDATES.map((text) => $client.prepare(text)),
    ...results.map(({ text }) => $client.prepare(text)),
    ...DAILY_TOTAL_UPDATES.map((text) => $client.prepare(text)),
    $client
      .prepare(
        `UPDATE reconciliation_cursors SET lease_until = 0, next_at = ?1, resume_from = NULL, failing_since = NULL,
read_until = min(read_until, ?2)`,
      )
      .bind(at, asOf - REREAD_MS),
    $client.prepare('UPDATE accounts SET restored_at = ?1').bind(at),
    eventStatement($client, event),
    $client.prepare('DELETE FROM waiting_triggers'),
  ]);
}

/** The directory skips this many numbers after those of a dump, because newer clinics may have used them. */
const SKIPPED_NUMBERS = 1000;

/** True if a restore would overwrite anything: a clinic, a content user or an operator. */
export const isInstallationInUse = async ({ $client }: Db): Promise<boolean> =>
  (await $client
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM clinics) + EXISTS (SELECT 1 FROM content_users) + EXISTS (SELECT 1 FROM operators) AS n`,
    )
    .first<number>('n')) !== 0;

/** Delete the rows that the schedule and the requests of the restore have created in a new installation. */
export async function emptyTables({ $client }: Db, tables: readonly DeclaredTable[]): Promise<void> {
  await $client.batch([
    $client.prepare('DELETE FROM alert_accounts'),
    ...[...tables].reverse().map(({ name }) => $client.prepare(`DELETE FROM ${name}`)),
  ]);
}

/** Recreate the triggers, in one transaction with the event if the restore is complete. `at`: UTC ms. */
export async function endInstallation({ $client }: Db, at: number, event: TextEvent | null): Promise<void> {
  const { results } = await $client.prepare('SELECT name, text FROM waiting_triggers').all<Trigger>();
  await $client.batch([
    $client.prepare("UPDATE outbox SET state = 'failed', details = '{}', sent_at = ?1 WHERE state = 'due'").bind(at),
    $client
      .prepare(
        `INSERT INTO clinics (number, founded_at, erased_at) SELECT max(number) + ${SKIPPED_NUMBERS}, ?1, ?1 FROM clinics HAVING count(*) > 0`,
      )
      .bind(at),
    ...results.map(({ text }) => $client.prepare(text)),
    $client.prepare('DELETE FROM waiting_triggers'),
    ...(event ? [eventStatement($client, event, '1')] : []),
  ]);
}
