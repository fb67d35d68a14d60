import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import type { DeclaredTable } from '../schema/table.ts';
import { jsonParts } from '../sql.ts';
import { columnsIn, type ExportRow } from './export.ts';

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

/** A restore that is under way: no transaction of the card provider was read as far as this (ms). */
export const UNDER_WAY = Number.MAX_SAFE_INTEGER;

/** Whether rows are still being put back into this clinic: nothing may be done for it meanwhile. */
export const isUnderWay = async ({ $client }: Db): Promise<boolean> =>
  (await $client.prepare('SELECT 1 AS is_so FROM waiting_triggers LIMIT 1').first('is_so')) !== null;

/** Whether a clinic's database holds an account's records. */
export const holdsAccount = async ({ $client }: Db): Promise<boolean> =>
  (await $client.prepare('SELECT 1 AS is_so FROM accounts LIMIT 1').first('is_so')) !== null;

/** Whose clinic the object was founded as; null: it tells nothing. */
export const foundedAs = ({ $client }: Db): Promise<number | null> =>
  $client.prepare('SELECT account_id FROM clinic').first<number>('account_id');

export type Trigger = { name: string; text: string };

/** Set all triggers aside, in one transaction with the note of them. */
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

/** `fill` gives columns whatever a row says of them; `without` are columns that no row gives. */
type Taken = { fill: () => ExportRow; without: readonly string[] };

/**
 * Put rows back as they were written, all or none. An unknown column is one that a later version has dropped, and is
 * left out. What was written into a database while it was put back gives way.
 */
export async function putBack(
  db: Db,
  table: Pick<DeclaredTable, 'name'>,
  rows: ExportRow[],
  { fill, without }: Taken,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const given = rows.map((row) => ({ ...row, ...fill() }));
  const known = await columnsIn(db, table.name);
  const filled = Object.keys(fill());
  const mayCome = (name: string) => known.includes(name) && ![...without, ...filled].includes(name);
  const names = [...Object.keys(first).filter(mayCome), ...filled];
  const sql = `INSERT OR REPLACE INTO ${table.name} (${names.join(', ')})
SELECT ${names.map((name) => `value ->> '${name}'`).join(', ')} FROM json_each(?1)`;
  await db.$client.batch(jsonParts(given).map((json) => db.$client.prepare(sql).bind(json)));
}

/** What triggers keep beside the rows, made anew out of the rows. */
const DERIVED = [
  `INSERT INTO list_counts (account_id, list, status, n)
SELECT account_id, list, status, count(*) FROM invoice_tallies GROUP BY account_id, list, status`,
  `INSERT INTO list_counts (account_id, list, status, n)
SELECT account_id, 'customers', '*', count(*) FROM contacts WHERE deleted_at IS NULL GROUP BY account_id`,
  `INSERT INTO owed_totals (account_id, due_day, n, cents)
SELECT account_id, due_day, count(*), sum(cents) FROM owed_invoices GROUP BY account_id, due_day`,
  `UPDATE contacts SET owed_cents = s.owed_cents, first_due = s.first_due, last_paid_at = s.last_paid_at
FROM customer_sums s WHERE s.doc = contacts.rowid`,
  `INSERT INTO owing_customers (account_id, first_due, n)
SELECT account_id, first_due, count(*) FROM contacts WHERE deleted_at IS NULL AND owed_cents > 0 GROUP BY account_id, first_due`,
  "INSERT INTO invoice_search (rowid, words) SELECT doc, words FROM search_words WHERE list = 'invoices'",
  "INSERT INTO customer_search (rowid, words) SELECT doc, words FROM search_words WHERE list = 'customers'",
  'INSERT OR IGNORE INTO audit_checks (account_id) SELECT account_id FROM accounts',
];

const UNDECIDED = "('sent', 'unknown', 'pending', 'needs_human')";

/** As the triggers of daily_totals count, for all rows at once. */
const DAILY = [
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

/** A message or a mail of the week must not go out a second time, and what waited for the CRM begins anew. */
const GONE_ON = [
  "UPDATE outbox SET state = 'failed', details = '{}', sent_at = ?1 WHERE state = 'due'",
  'UPDATE payment_notices SET told_until = ?1',
  'UPDATE audit_mails SET next_at = ?1 + 7 * 86400000 WHERE next_at <= ?1',
];
const CRM = [
  'UPDATE crm_tokens SET lease_until = 0',
  'INSERT OR IGNORE INTO crm_sync_states (account_id) SELECT account_id FROM crm_tokens WHERE revoked_at IS NULL',
  `INSERT OR IGNORE INTO crm_cursors (account_id, kind)
SELECT account_id, value FROM crm_sync_states, json_each('["companies", "contacts", "invoices"]')`,
];

/** The card provider's transactions are read again from this long (ms) before the state that was put back. */
const BEFORE_MS = 3_600_000;

/**
 * End a restore, in one transaction: what is derived, then the triggers, then the days. Money stands still until the
 * card provider's transactions up to `at` (ms) were read, and nothing is mailed that was owed before. `asOf`: of which
 * moment the rows are (ms), `at` at the latest.
 */
export async function endRestore(
  { $client }: Db,
  at: number,
  { event, asOf }: { event: TextEvent; asOf: number },
): Promise<void> {
  const { results } = await $client.prepare('SELECT name, text FROM waiting_triggers').all<Trigger>();
  await $client.batch([
    ...DERIVED.map((text) => $client.prepare(text)),
    ...OF_LEDGER.map((text) => $client.prepare(text).bind(...(text.includes('?1') ? [at] : []))),
    $client.prepare(`UPDATE payment_attempts SET receipt_to = '' WHERE state IN ${UNDECIDED}`),
    ...GONE_ON.map((text) => $client.prepare(text).bind(at)),
    $client.prepare(OF_PAYMENTS),
    ...CRM.map((text) => $client.prepare(text)),
    ...results.map(({ text }) => $client.prepare(text)),
    ...DAILY.map((text) => $client.prepare(text)),
    $client
      .prepare(
        `UPDATE reconciliation_cursors SET lease_until = 0, next_at = ?1, resume_from = NULL, failing_since = NULL,
read_until = min(read_until, ?2)`,
      )
      .bind(at, asOf - BEFORE_MS),
    $client.prepare('UPDATE accounts SET restored_at = ?1').bind(at),
    eventStatement($client, event),
    $client.prepare('DELETE FROM waiting_triggers'),
  ]);
}

/** Numbers that the directory leaves out behind those of a dump: clinics of after it have theirs. */
const LEFT_OUT = 1000;

/** Whether there is anything that a restore would take the place of: a clinic, an account or an operator. */
export const isInUse = async ({ $client }: Db): Promise<boolean> =>
  (await $client
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM clinics) + EXISTS (SELECT 1 FROM content_users) + EXISTS (SELECT 1 FROM operators) AS n`,
    )
    .first<number>('n')) !== 0;

/** Delete what a new installation has by itself: rows of its schedule and of the calls that put it back. */
export async function emptyTables({ $client }: Db, tables: readonly DeclaredTable[]): Promise<void> {
  await $client.batch([
    $client.prepare('DELETE FROM alert_accounts'),
    ...[...tables].reverse().map(({ name }) => $client.prepare(`DELETE FROM ${name}`)),
  ]);
}

/** Put the triggers back, in one transaction with the event where the restore came to its end. `at`: UTC ms. */
export async function endInstallation({ $client }: Db, at: number, event: TextEvent | null): Promise<void> {
  const { results } = await $client.prepare('SELECT name, text FROM waiting_triggers').all<Trigger>();
  await $client.batch([
    $client.prepare("UPDATE outbox SET state = 'failed', details = '{}', sent_at = ?1 WHERE state = 'due'").bind(at),
    $client
      .prepare(
        `INSERT INTO clinics (number, founded_at, erased_at) SELECT max(number) + ${LEFT_OUT}, ?1, ?1 FROM clinics HAVING count(*) > 0`,
      )
      .bind(at),
    ...results.map(({ text }) => $client.prepare(text)),
    $client.prepare('DELETE FROM waiting_triggers'),
    ...(event ? [eventStatement($client, event, '1')] : []),
  ]);
}
