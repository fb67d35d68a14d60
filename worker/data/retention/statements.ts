import type { Db } from '../db.ts';
import { COPIES } from '../schema/crm.ts';
import type { AgeRule, DeclaredTable, Rule } from '../schema/table.ts';

/** The maximum number of rows per table and run; the next run continues. */
export const ROWS = 200;

/** `most`: the maximum number of rows, if there is one. */
type Sql = { text: string; values: number[]; most?: number };

/** Expired rows, oldest first; ?1 is the latest start of an expired period (UTC ms). */
const found = (table: string, { index, column, when, atOnce = ROWS }: AgeRule, columns: string) =>
  `SELECT ${columns} FROM ${table}${index ? ` INDEXED BY ${index}` : ''} WHERE ${column} < ?1${when ? ` AND ${when}` : ''}
ORDER BY ${column} LIMIT ${atOnce}`;

function statementOf({ name: table, key }: DeclaredTable, rule: Rule, now: number): Sql[] {
  if ('apart' in rule) return [];
  if (rule.does === 'newest') {
    const { column, rows } = rule;
    const last = `SELECT ${column} FROM ${table} ORDER BY ${column} DESC LIMIT 1 OFFSET ${rows - 1}`;
    return [{ text: `DELETE FROM ${table} WHERE ${column} < (${last})`, values: [] }];
  }
  const values = [now - rule.ms];
  const most = rule.atOnce ?? ROWS;
  const id = key.join(', ');
  const its = `${key.length === 1 ? id : `(${id})`} IN (${found(table, rule, id)})`;
  if (rule.does === 'blank') return [{ text: `UPDATE ${table} SET ${rule.set} WHERE ${its}`, values, most }];
  const left = rule.unless ? ` AND NOT (${rule.unless.sql})` : '';
  return [
    ...(table === 'crm_tokens'
      ? COPIES.map((copies) => ({ text: disconnect(copies), values: [...values, now], most: ROWS }))
      : []),
    ...(table === 'contacts' ? [{ text: forgetCustomers(found(table, rule, 'account_id, contact_id')), values }] : []),
    { text: `DELETE FROM ${table} WHERE ${its}${left}`, values, most },
  ];
}

/** If an account's grant was revoked before ?1, its copies count as deleted from now (?2) on. */
const disconnect = (copies: (typeof COPIES)[number]) =>
  `UPDATE ${copies} SET deleted_at = ?2 WHERE rowid IN (
SELECT c.rowid FROM crm_tokens t CROSS JOIN ${copies} c INDEXED BY ${copies}_unmet
WHERE t.revoked_at < ?1 AND t.revoked_at IS NOT NULL AND c.account_id = t.account_id AND c.deleted_at IS NULL LIMIT ${ROWS})`;

/** Invoices store the names of their contact, so these are blanked together with the contact's copy. */
const forgetCustomers = (contacts: string) =>
  `UPDATE invoices INDEXED BY invoices_by_contact
SET contact_first_name = '', contact_last_name = '', contact_email = ''
WHERE deleted_at IS NULL AND (account_id, contact_id) IN (${contacts})`;

/**
 * Delete or blank expired rows, a limited number per table, in one transaction. True if a limit was reached, so there
 * may be more.
 */
export async function dropExpiredRows(
  { $client }: Db,
  tables: readonly DeclaredTable[],
  now: number,
): Promise<boolean> {
  const statements = tables.flatMap((table) => table.lifetime.rules.flatMap((rule) => statementOf(table, rule, now)));
  const done = await $client.batch(statements.map(({ text, values }) => $client.prepare(text).bind(...values)));
  return done.some(({ meta }, at) => meta.changes >= (statements[at]?.most ?? Number.POSITIVE_INFINITY));
}
