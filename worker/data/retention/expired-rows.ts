import type { Db } from '../db.ts';
import { COPIES } from '../schema/crm.ts';
import type { AgeRule, DeclaredTable, Rule } from '../schema/table.ts';

/** The maximum number of rows per table and run; the next run continues. */
export const MAX_ROWS = 200;

/** `maxRows`: the maximum number of rows that the statement changes, if there is one. */
type ExpiryStatement = { text: string; values: number[]; maxRows?: number };

/** SQL that selects expired rows, oldest first; a row has expired if its time is before ?1 (UTC ms). */
const expiredRows = (table: string, { index, column, when, atOnce = MAX_ROWS }: AgeRule, columns: string) =>
  `SELECT ${columns} FROM ${table}${index ? ` INDEXED BY ${index}` : ''} WHERE ${column} < ?1${when ? ` AND ${when}` : ''}
ORDER BY ${column} LIMIT ${atOnce}`;

function statementOf({ name: table, key }: DeclaredTable, rule: Rule, now: number): ExpiryStatement[] {
  if ('apart' in rule) return [];
  if (rule.does === 'newest') {
    const { column, rows } = rule;
    const last = `SELECT ${column} FROM ${table} ORDER BY ${column} DESC LIMIT 1 OFFSET ${rows - 1}`;
    return [{ text: `DELETE FROM ${table} WHERE ${column} < (${last})`, values: [] }];
  }
  const values = [now - rule.ms];
  const maxRows = rule.atOnce ?? MAX_ROWS;
  const id = key.join(', ');
  const isExpired = `${key.length === 1 ? id : `(${id})`} IN (${expiredRows(table, rule, id)})`;
  if (rule.does === 'blank') return [{ text: `UPDATE ${table} SET ${rule.set} WHERE ${isExpired}`, values, maxRows }];
  const unless = rule.unless ? ` AND NOT (${rule.unless.sql})` : '';
  return [
    ...(table === 'crm_tokens'
      ? COPIES.map((copies) => ({ text: markCopiesDeleted(copies), values: [...values, now], maxRows: MAX_ROWS }))
      : []),
    ...(table === 'contacts'
      ? [{ text: blankCustomerNames(expiredRows(table, rule, 'account_id, contact_id')), values }]
      : []),
    { text: `DELETE FROM ${table} WHERE ${isExpired}${unless}`, values, maxRows },
  ];
}

/** If an account's grant was revoked before ?1, its copies count as deleted at the current time ?2. */
const markCopiesDeleted = (copies: (typeof COPIES)[number]) =>
  `UPDATE ${copies} SET deleted_at = ?2 WHERE rowid IN (
SELECT c.rowid FROM crm_tokens t CROSS JOIN ${copies} c INDEXED BY ${copies}_unmet
WHERE t.revoked_at < ?1 AND t.revoked_at IS NOT NULL AND c.account_id = t.account_id AND c.deleted_at IS NULL LIMIT ${MAX_ROWS})`;

/** Invoices store their contact's names, so these are blanked together with the contact's copy. */
const blankCustomerNames = (contacts: string) =>
  `UPDATE invoices INDEXED BY invoices_by_contact
SET contact_first_name = '', contact_last_name = '', contact_email = ''
WHERE deleted_at IS NULL AND (account_id, contact_id) IN (${contacts})`;

/**
 * Delete or blank expired rows, a limited number per table, in one transaction. True if a limit was reached, so there
 * may be more.
 */
export async function deleteExpiredRows(
  { $client }: Db,
  tables: readonly DeclaredTable[],
  now: number,
): Promise<boolean> {
  const statements = tables.flatMap((table) => table.lifetime.rules.flatMap((rule) => statementOf(table, rule, now)));
  const results = await $client.batch(statements.map(({ text, values }) => $client.prepare(text).bind(...values)));
  return results.some(({ meta }, index) => meta.changes >= (statements[index]?.maxRows ?? Number.POSITIVE_INFINITY));
}
