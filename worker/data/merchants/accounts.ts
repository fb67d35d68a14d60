import { eq, sql } from 'drizzle-orm';
import { accounts, crmSyncs, crmTokens, syncCursors } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { actorOf, type CrmPerson, crmPersonWrites } from './people.ts';

export type NewAccount = Omit<typeof accounts.$inferInsert, 'connectedAt' | 'accountId'> & { accountId: number };
/** Tokens as stored: sealed. */
export type NewGrant = Pick<typeof crmTokens.$inferInsert, 'accessToken' | 'refreshToken' | 'expiresAt' | 'scopes'>;

/** The id is left out of an update: setting it, even to the same value, makes SQLite check every row that points to it. */
const accountWrite = (db: Db, { accountId, ...facts }: NewAccount, now: number) =>
  db
    .insert(accounts)
    .values({ accountId, ...facts, connectedAt: now })
    .onConflictDoUpdate({ target: accounts.accountId, set: facts });

/**
 * True where a login's grant takes the place of the account's: there is none, the CRM revoked it, or the new one has all
 * of its scopes. Else the wider one stays and the login was for itself alone: a colleague who may grant less would end
 * for everybody what the first one allowed.
 */
const takesOver = (accountId: number, scopes: string) => sql`NOT EXISTS (SELECT 1 FROM crm_tokens,
    json_each('["' || replace(scopes, ' ', '","') || '"]') AS had WHERE account_id = ${accountId} AND revoked_at IS NULL
    AND instr(${` ${scopes} `}, ' ' || had.value || ' ') = 0 AND had.value <> '')`;

/** A new grant raises the version, which voids a refresh under way. */
function grantWrites(db: Db, { accountId }: NewAccount, grant: NewGrant, event: Parameters<typeof eventWrite>[1]) {
  const renewed = { ...grant, revokedAt: null, leaseUntil: 0 };
  const isNew = takesOver(accountId, grant.scopes);
  const before = sql`coalesce((SELECT json_object('scopes', scopes, 'revokedAt', revoked_at) FROM crm_tokens
    WHERE account_id = ${accountId}), '')`;
  return [
    eventWrite(db, { ...event, before }, isNew),
    db
      .insert(crmTokens)
      .values({ accountId, ...renewed })
      .onConflictDoUpdate({
        target: crmTokens.accountId,
        set: { ...renewed, version: sql`${crmTokens.version} + 1` },
        setWhere: isNew,
      }),
    // With a new grant there is no reason to wait any longer.
    db
      .insert(crmSyncs)
      .values({ accountId })
      .onConflictDoUpdate({ target: crmSyncs.accountId, set: { waitUntil: 0, dueAt: 0 } }),
    db
      .insert(syncCursors)
      .values((['companies', 'contacts', 'invoices'] as const).map((kind) => ({ accountId, kind })))
      .onConflictDoNothing(),
  ] as const;
}

/** Save a CRM account and its grant. */
export async function saveAccount(
  db: Db,
  account: NewAccount,
  grant: NewGrant,
  now: number,
  event: NewEvent,
): Promise<void> {
  await db.batch([accountWrite(db, account, now), ...grantWrites(db, account, grant, event)]);
}

/**
 * The same with the person who logged in and gave the grant: our number of them, null for one who was removed. `joined`:
 * the event of an invitation that this accepts.
 */
export async function saveLogin(
  db: Db,
  account: NewAccount,
  grant: NewGrant,
  now: number,
  event: NewEvent,
  person: CrmPerson,
  joined: NewEvent,
): Promise<number | null> {
  const told = { ...event, actorId: actorOf(person) };
  const [, , , [kept]] = await db.batch([
    accountWrite(db, account, now),
    ...crmPersonWrites(db, person, now, joined),
    ...grantWrites(db, account, grant, told),
  ]);
  return kept && kept.removedAt === null ? kept.userId : null;
}

export const findAccount = (db: Db, accountId: number) =>
  db.query.accounts.findFirst({ where: eq(accounts.accountId, accountId) });
