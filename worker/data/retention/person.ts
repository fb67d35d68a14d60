import { and, eq } from 'drizzle-orm';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db, RawRow } from '../db.ts';
import { INSTALLATION } from '../schema/audit.ts';
import { contacts } from '../schema/schema.ts';
import { HAS_THEIR_RECEIPT_ADDRESS, IS_DISPUTE_OVER, type PersonPlace, personPlaces } from './person-places.ts';

/** The tables that the report covers. */
export const reportedTables = personPlaces.flatMap(({ name, from }) => [
  from,
  ...(name.split(':')[0] ?? '').split(', '),
]);

/** A person of one account (0: the installation), found by the email in lower case, at a time (UTC ms). */
export type PersonSearch = { accountId: number; email: string; now: number };

/**
 * The data of a place about a person: the rows, the number of those that may be erased now, their accounts (0: none),
 * and the reason why the others may not.
 */
export type PersonHolding = Pick<PersonPlace, 'name' | 'label' | 'stays'> & {
  rows: RawRow[];
  erasable: number;
  accounts: number[];
};

/** D1 rejects values that the statement does not use. */
function bindStatement(d1: D1Database, sql: string, { email, now, accountId }: PersonSearch): D1PreparedStatement {
  const values = [email, now, accountId];
  return d1.prepare(sql).bind(...values.slice(0, sql.includes('?3') ? 3 : sql.includes('?2') ? 2 : 1));
}

/** The installation has no accounts; some of its rows name one. */
const accountCondition = ({ accountId }: PersonSearch): string =>
  accountId === INSTALLATION ? '' : ' AND account_id = ?3';

function placesFor({ accountId }: PersonSearch): PersonPlace[] {
  const kind = accountId === INSTALLATION ? 'installation' : 'clinic';
  return personPlaces.filter((place) => place.in === kind || place.in === 'both');
}

/** All data that one database has about a person, by place; empty places are omitted. */
export async function listHoldings({ $client }: Db, search: PersonSearch): Promise<PersonHolding[]> {
  const searched = placesFor(search);
  const batchResults = await $client.batch<RawRow>(
    searched.map(({ from, condition: personCondition, columns: selectedColumns, erases }) => {
      const isErasable = erases ? `(${erases.when})` : 'false';
      const where = `(${personCondition})${accountCondition(search)}`;
      return bindStatement(
        $client,
        `SELECT ${selectedColumns}, ${isErasable} AS may_go FROM ${from} WHERE ${where}`,
        search,
      );
    }),
  );
  return searched.flatMap(({ name, label, stays }, index) => {
    const results = batchResults[index]?.results ?? [];
    const rows = results.map(({ may_go: _, ...row }) => row);
    const erasable = results.filter(({ may_go: mayErase }) => mayErase === 1);
    const accounts = erasable.map(({ account_id: accountId }) => Number(accountId ?? 0));
    return rows.length > 0 ? [{ name, label, rows, erasable: erasable.length, accounts, stays }] : [];
  });
}

const SELECT_SIGNATURES = `SELECT signature_key AS imageKey FROM payment_attempts
WHERE account_id = ?3 AND ${HAS_THEIR_RECEIPT_ADDRESS} AND ${IS_DISPUTE_OVER} AND signature_key IS NOT NULL`;

/** Keys of the signature files that belong to erasable rows of a clinic. */
export async function listErasableSignatures({ $client }: Db, search: PersonSearch): Promise<string[]> {
  const { results } = await bindStatement($client, SELECT_SIGNATURES, search).all<{ imageKey: string }>();
  return results.map(({ imageKey }) => imageKey);
}

/** Erase all erasable rows, in one transaction with the events. Returns the number of rows by place name. */
export async function eraseHoldings(
  { $client }: Db,
  search: PersonSearch,
  events: TextEvent[],
): Promise<Record<string, number>> {
  const erasures = placesFor(search).flatMap(({ name, from, condition: personCondition, erases }) =>
    erases
      ? [{ name, from, where: `(${personCondition}) AND (${erases.when})${accountCondition(search)}`, by: erases.by }]
      : [],
  );
  const batchResults = await $client.batch([
    ...erasures.map(({ from, where, by }) => {
      const statement = by === 'delete' ? `DELETE FROM ${from}` : `UPDATE ${from} SET ${by.set}`;
      return bindStatement($client, `${statement} WHERE ${where} RETURNING 1 AS n`, search);
    }),
    ...events.map((event) => eventStatement($client, event, '1')),
  ]);
  return Object.fromEntries(erasures.map(({ name }, index) => [name, batchResults[index]?.results.length ?? 0]));
}

/** The email address of an account's customer; undefined if the account has no such customer. */
export async function findCustomerEmail(db: Db, accountId: number, contactId: string): Promise<string | undefined> {
  const [contact] = await db
    .select({ email: contacts.email })
    .from(contacts)
    .where(and(eq(contacts.accountId, accountId), eq(contacts.contactId, contactId)));
  return contact?.email;
}
