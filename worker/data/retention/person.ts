import { and, eq } from 'drizzle-orm';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db, RawRow } from '../db.ts';
import { INSTALLATION } from '../schema/audit.ts';
import { contacts } from '../schema/schema.ts';
import { IS_OVER, IS_THEIRS, type Place, places } from './person-places.ts';

/** The tables that the report covers. */
export const reportedTables = places.flatMap(({ name, from }) => [from, ...(name.split(':')[0] ?? '').split(', ')]);

/** A person of one account (0: the installation), found by the email in lower case, at a time (UTC ms). */
export type PersonSearch = { accountId: number; email: string; now: number };

/**
 * The data of a place about a person: the rows, the number of those that may be erased now, their accounts (0: none),
 * and the reason why the others may not.
 */
export type Holding = Pick<Place, 'name' | 'label' | 'stays'> & {
  rows: RawRow[];
  erasable: number;
  accounts: number[];
};

/** D1 rejects values that the statement does not use. */
function bound(d1: D1Database, sql: string, { email, now, accountId }: PersonSearch): D1PreparedStatement {
  const values = [email, now, accountId];
  return d1.prepare(sql).bind(...values.slice(0, sql.includes('?3') ? 3 : sql.includes('?2') ? 2 : 1));
}

/** The installation has no accounts; some of its rows name one. */
const ofAccount = ({ accountId }: PersonSearch): string => (accountId === INSTALLATION ? '' : ' AND account_id = ?3');

function placesFor({ accountId }: PersonSearch): Place[] {
  const kind = accountId === INSTALLATION ? 'installation' : 'clinic';
  return places.filter((place) => place.in === kind || place.in === 'both');
}

/** All data that one database has about a person, by place; empty places are omitted. */
export async function listHoldings({ $client }: Db, search: PersonSearch): Promise<Holding[]> {
  const searched = placesFor(search);
  const answers = await $client.batch<RawRow>(
    searched.map(({ from, condition: whose, columns: shows, erases }) => {
      const isErasable = erases ? `(${erases.when})` : 'false';
      const where = `(${whose})${ofAccount(search)}`;
      return bound($client, `SELECT ${shows}, ${isErasable} AS may_go FROM ${from} WHERE ${where}`, search);
    }),
  );
  return searched.flatMap(({ name, label, stays }, index) => {
    const results = answers[index]?.results ?? [];
    const rows = results.map(({ may_go: _, ...row }) => row);
    const erasable = results.filter(({ may_go: may }) => may === 1);
    const accounts = erasable.map(({ account_id: accountId }) => Number(accountId ?? 0));
    return rows.length > 0 ? [{ name, label, rows, erasable: erasable.length, accounts, stays }] : [];
  });
}

const SIGNATURES = `SELECT signature_key AS imageKey FROM payment_attempts
WHERE account_id = ?3 AND ${IS_THEIRS} AND ${IS_OVER} AND signature_key IS NOT NULL`;

/** Keys of the signature files that belong to erasable rows of a clinic. */
export async function listErasableSignatures({ $client }: Db, search: PersonSearch): Promise<string[]> {
  const { results } = await bound($client, SIGNATURES, search).all<{ imageKey: string }>();
  return results.map(({ imageKey }) => imageKey);
}

/** Erase all erasable rows, in one transaction with the events. Returns the number of rows by place name. */
export async function eraseHoldings(
  { $client }: Db,
  search: PersonSearch,
  events: TextEvent[],
): Promise<Record<string, number>> {
  const erasures = placesFor(search).flatMap(({ name, from, condition: whose, erases }) =>
    erases ? [{ name, from, where: `(${whose}) AND (${erases.when})${ofAccount(search)}`, by: erases.by }] : [],
  );
  const answers = await $client.batch([
    ...erasures.map(({ from, where, by }) => {
      const verb = by === 'delete' ? `DELETE FROM ${from}` : `UPDATE ${from} SET ${by.set}`;
      return bound($client, `${verb} WHERE ${where} RETURNING 1 AS n`, search);
    }),
    ...events.map((event) => eventStatement($client, event, '1')),
  ]);
  return Object.fromEntries(erasures.map(({ name }, index) => [name, answers[index]?.results.length ?? 0]));
}

/** The email address of an account's customer; undefined if the account has no such customer. */
export async function findCustomerEmail(db: Db, accountId: number, contactId: string): Promise<string | undefined> {
  const [contact] = await db
    .select({ email: contacts.email })
    .from(contacts)
    .where(and(eq(contacts.accountId, accountId), eq(contacts.contactId, contactId)));
  return contact?.email;
}
