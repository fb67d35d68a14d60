import { and, eq, isNull } from 'drizzle-orm';
import { eventStatement, eventWrite, type NewEvent, type TextEvent } from '#worker/data/audit/events';
import type { Db } from '#worker/data/db';
import { operatorSessions } from '#worker/data/schema/operators';

export type OperatorSession = { id: string; operatorId: string; name: string; provenAt: number };

export type NewSession = Omit<typeof operatorSessions.$inferInsert, 'revokedAt'>;

/** A passkey that was shown: how often it had signed before, and by now. */
export type ShownPasskey = { id: string; before: number; after: number };

/** Times in UTC ms. A session that nobody used since `idleFrom` is over. */
const LIVE = `s.token_hash = ?1 AND s.revoked_at IS NULL AND s.ends_at > ?2 AND s.seen_at > ?3`;
const FACTS = 's.id AS id, s.operator_id AS operatorId, o.name AS name, s.proven_at AS provenAt';

/** The session of a cookie, if it is live. With `isUse` its idle time starts anew. */
export async function findOperatorSession(
  { $client }: Db,
  tokenHash: string,
  { now, idleFrom, isUse }: { now: number; idleFrom: number; isUse: boolean },
): Promise<OperatorSession | null> {
  const find = $client
    .prepare(`SELECT ${FACTS} FROM operator_sessions s JOIN operators o ON o.id = s.operator_id WHERE ${LIVE}`)
    .bind(tokenHash, now, idleFrom);
  if (!isUse) return find.first<OperatorSession>();
  const [found] = await $client.batch<OperatorSession>([
    find,
    $client.prepare(`UPDATE operator_sessions AS s SET seen_at = ?2 WHERE ${LIVE}`).bind(tokenHash, now, idleFrom),
  ]);
  return found?.results[0] ?? null;
}

/** Notes a use of a passkey; a statement for a batch. Of two uses of one count, one changes a row. */
const usePasskey = ({ $client }: Db, { id, before, after }: ShownPasskey, now: number) =>
  $client
    .prepare('UPDATE operator_passkeys SET counter = ?3, used_at = ?4 WHERE id = ?1 AND counter = ?2')
    .bind(id, before, after, now);

/** Open a session by a passkey. False: its operator was removed meanwhile, or another use was faster. */
export async function openSession(
  db: Db,
  passkey: ShownPasskey,
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

/** Note that the passkey was shown again in this session. False: it is over, or another use was faster. */
export async function proveSession(db: Db, passkey: ShownPasskey, sessionId: string, now: number): Promise<boolean> {
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
