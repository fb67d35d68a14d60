import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { eventStatement, eventWrite, type NewEvent, type TextEvent } from '#worker/data/audit/events';
import type { Db } from '#worker/data/db';
import {
  type OperatorRow,
  operatorChallenges,
  operatorCodes,
  operatorPasskeys,
  operatorSessions,
  operators,
  type PasskeyRow,
} from '#worker/data/schema/operators';

export const listOperators = (db: Db): Promise<(OperatorRow & { lastSeenAt: number | null })[]> =>
  db
    .select({
      id: operators.id,
      name: operators.name,
      invitedBy: operators.invitedBy,
      createdAt: operators.createdAt,
      lastSeenAt: sql<number | null>`(SELECT max(used_at) FROM operator_passkeys p WHERE p.operator_id = operators.id)`,
    })
    .from(operators)
    .orderBy(asc(operators.createdAt));

export const findPasskey = async (db: Db, id: string): Promise<PasskeyRow | undefined> =>
  (await db.select().from(operatorPasskeys).where(eq(operatorPasskeys.id, id)))[0];

export const listPasskeys = (db: Db, operatorId: string): Promise<PasskeyRow[]> =>
  db.select().from(operatorPasskeys).where(eq(operatorPasskeys.operatorId, operatorId));

/** Mark a challenge as used. False if it was already used. `endsAt`: the time at which it expires (UTC ms). */
export async function useChallenge(db: Db, challenge: string, endsAt: number): Promise<boolean> {
  const inserted = await db
    .insert(operatorChallenges)
    .values({ challenge, endsAt })
    .onConflictDoNothing()
    .returning({ challenge: operatorChallenges.challenge });
  return inserted.length > 0;
}

/** The time at which a code expires (UTC ms), and the operator who used it; undefined if there is no such code. */
export const findCode = async (db: Db, codeHash: string) =>
  (
    await db
      .select({ endsAt: operatorCodes.endsAt, operatorId: operatorCodes.operatorId })
      .from(operatorCodes)
      .where(eq(operatorCodes.codeHash, codeHash))
  )[0];

/** Issue a code that creates an operator, if its author is still an operator. `endsAt`: UTC ms. */
export async function insertCode(
  { $client }: Db,
  {
    codeHash,
    invitedBy,
    createdAt,
    endsAt,
  }: { codeHash: string; invitedBy: string; createdAt: number; endsAt: number },
  event: TextEvent,
): Promise<void> {
  await $client.batch([
    $client
      .prepare(
        `INSERT INTO operator_codes (code_hash, invited_by, created_at, ends_at)
SELECT ?1, id, ?3, ?4 FROM operators WHERE id = ?2`,
      )
      .bind(codeHash, invitedBy, createdAt, endsAt),
    eventStatement($client, event),
  ]);
}

/**
 * Redeem a code and create its operator with a passkey, in one transaction; of several concurrent uses, one succeeds.
 * `isSetUp`: the code from the settings, which has no row until it is used.
 */
export async function redeemCode(
  { $client }: Db,
  { codeHash, isSetUp }: { codeHash: string; isSetUp: boolean },
  { id, name, createdAt }: Omit<OperatorRow, 'invitedBy'>,
  passkey: Pick<PasskeyRow, 'id' | 'publicKey' | 'counter' | 'transports'>,
  event: TextEvent,
): Promise<boolean> {
  const claim = isSetUp
    ? `INSERT INTO operator_codes (code_hash, created_at, ends_at, operator_id) VALUES (?1, ?2, NULL, ?3)
ON CONFLICT (code_hash) DO NOTHING`
    : `UPDATE operator_codes SET operator_id = ?3 WHERE code_hash = ?1 AND operator_id IS NULL AND ends_at > ?2`;
  const fromCode = `FROM operator_codes WHERE code_hash = ?1 AND operator_id = ?2`;
  const [, created] = await $client.batch([
    $client.prepare(claim).bind(codeHash, createdAt, id),
    $client
      .prepare(`INSERT INTO operators (id, name, invited_by, created_at) SELECT ?2, ?3, invited_by, ?4 ${fromCode}`)
      .bind(codeHash, id, name, createdAt),
    eventStatement($client, event),
    $client
      .prepare(
        `INSERT INTO operator_passkeys (id, operator_id, public_key, counter, transports, created_at)
SELECT ?3, ?2, ?4, ?5, ?6, ?7 ${fromCode}`,
      )
      .bind(codeHash, id, passkey.id, passkey.publicKey, passkey.counter, passkey.transports, createdAt),
  ]);
  return (created?.meta.changes ?? 0) > 0;
}

/**
 * Remove an operator with passkeys, sessions and issued codes. False if the operator was already removed or is the
 * last.
 */
export async function deleteOperator(db: Db, id: string, event: NewEvent): Promise<boolean> {
  const isNotLast = sql`EXISTS (SELECT 1 FROM operators WHERE id = ${id}) AND (SELECT count(*) FROM operators) > 1`;
  const isGone = sql`NOT EXISTS (SELECT 1 FROM operators o WHERE o.id = ${id})`;
  const before = sql`coalesce((SELECT json_object('name', name) FROM operators WHERE id = ${id}), '')`;
  const results = await db.batch([
    eventWrite(db, { ...event, before }, isNotLast),
    // The passkeys reference the operator, so they are deleted first.
    db.delete(operatorPasskeys).where(and(eq(operatorPasskeys.operatorId, id), isNotLast)),
    db
      .delete(operators)
      .where(and(eq(operators.id, id), isNotLast))
      .returning({ id: operators.id }),
    db.delete(operatorSessions).where(and(eq(operatorSessions.operatorId, id), isGone)),
    db.delete(operatorCodes).where(and(eq(operatorCodes.invitedBy, id), isNull(operatorCodes.operatorId), isGone)),
  ]);
  return results[2].length > 0;
}

/** Identifies an open code by the start of its hash, from which the code cannot be guessed. */
const CODE_ID = sql<string>`substr(${operatorCodes.codeHash}, 1, 16)`;

/** Withdraw an open code. False if it was used or has expired. */
export async function deleteCode(db: Db, id: string, now: number, event: NewEvent): Promise<boolean> {
  const isOpen = and(eq(CODE_ID, id), isNull(operatorCodes.operatorId), gt(operatorCodes.endsAt, now));
  const [deleted] = await db.batch([
    db.delete(operatorCodes).where(isOpen).returning({ createdAt: operatorCodes.createdAt }),
    eventWrite(db, event),
  ]);
  return deleted.length > 0;
}

/** The newest open codes, for the list of operators. */
export const listOpenCodes = (db: Db, now: number) =>
  db
    .select({
      id: CODE_ID,
      createdAt: operatorCodes.createdAt,
      endsAt: operatorCodes.endsAt,
      invitedBy: operatorCodes.invitedBy,
    })
    .from(operatorCodes)
    .where(and(isNull(operatorCodes.operatorId), gt(operatorCodes.endsAt, now)))
    .orderBy(desc(operatorCodes.createdAt))
    .limit(20);

export type OperatorSession = { id: string; operatorId: string; name: string; provenAt: number };

export type NewSession = Omit<typeof operatorSessions.$inferInsert, 'revokedAt'>;

/** A use of a passkey, with the passkey's signature count before and after. */
export type PasskeyUse = { id: string; countBefore: number; countAfter: number };

/**
 * SQL: session `s` is live. ?1: the token's hash, ?2: now, ?3: the time since which it must have been used (UTC ms).
 */
const IS_LIVE = `s.token_hash = ?1 AND s.revoked_at IS NULL AND s.ends_at > ?2 AND s.seen_at > ?3`;
const SESSION_COLUMNS = 's.id AS id, s.operator_id AS operatorId, o.name AS name, s.proven_at AS provenAt';

/** The session of a cookie, if it is live. `isUse` restarts the idle time. */
export async function findOperatorSession(
  { $client }: Db,
  tokenHash: string,
  { now, idleFrom, isUse }: { now: number; idleFrom: number; isUse: boolean },
): Promise<OperatorSession | null> {
  const findStatement = $client
    .prepare(
      `SELECT ${SESSION_COLUMNS} FROM operator_sessions s JOIN operators o ON o.id = s.operator_id WHERE ${IS_LIVE}`,
    )
    .bind(tokenHash, now, idleFrom);
  if (!isUse) return findStatement.first<OperatorSession>();
  const [session] = await $client.batch<OperatorSession>([
    findStatement,
    $client.prepare(`UPDATE operator_sessions AS s SET seen_at = ?2 WHERE ${IS_LIVE}`).bind(tokenHash, now, idleFrom),
  ]);
  return session?.results[0] ?? null;
}

/** Records a use of a passkey; a statement for a batch. Of two uses with the same count, one changes a row. */
const usePasskey = ({ $client }: Db, { id, countBefore, countAfter }: PasskeyUse, now: number) =>
  $client
    .prepare('UPDATE operator_passkeys SET counter = ?3, used_at = ?4 WHERE id = ?1 AND counter = ?2')
    .bind(id, countBefore, countAfter, now);

/** Open a session with a passkey. False if its operator was removed in the meantime, or if another use was faster. */
export async function openSession(
  db: Db,
  passkey: PasskeyUse,
  { id, operatorId, tokenHash, createdAt, seenAt, provenAt, endsAt }: NewSession,
  event: TextEvent,
): Promise<boolean> {
  const { $client } = db;
  const [, opened] = await $client.batch([
    usePasskey(db, passkey, createdAt),
    $client
      .prepare(
        `INSERT INTO operator_sessions (id, operator_id, token_hash, created_at, seen_at, proven_at, ends_at)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE changes() > 0`,
      )
      .bind(id, operatorId, tokenHash, createdAt, seenAt, provenAt, endsAt),
    eventStatement($client, event),
  ]);
  return (opened?.meta.changes ?? 0) > 0;
}

/** Record that the passkey was used again in this session. False if it has ended, or if another use was faster. */
export async function proveSession(db: Db, passkey: PasskeyUse, sessionId: string, now: number): Promise<boolean> {
  const { $client } = db;
  const [, proven] = await $client.batch([
    usePasskey(db, passkey, now),
    $client
      .prepare(
        `UPDATE operator_sessions SET proven_at = ?2
WHERE id = ?1 AND revoked_at IS NULL AND ends_at > ?2 AND changes() > 0`,
      )
      .bind(sessionId, now),
  ]);
  return (proven?.meta.changes ?? 0) > 0;
}

export async function revokeOperatorSession(db: Db, id: string, now: number, event: NewEvent): Promise<void> {
  await db.batch([
    db
      .update(operatorSessions)
      .set({ revokedAt: now })
      .where(and(eq(operatorSessions.id, id), isNull(operatorSessions.revokedAt))),
    eventWrite(db, event),
  ]);
}
