import { and, asc, eq, lt, type SQL, sql } from 'drizzle-orm';
import type { ActorKind, AuditAction } from '#shared/audit';
import { type AuditEvent, auditEvents, auditRefusals } from '#worker/data/schema/audit';
import type { Db } from '../db.ts';

/** The person or process on whose behalf a request or a scheduled run writes rows. */
export type Actor = { kind: ActorKind; id: string; sessionId: string; ipHash: string; requestId: string };

/** An event before it gets its number. `before` may be read from the row that the action is about to change. */
export type NewEvent = Omit<AuditEvent, 'seq' | 'action' | 'before'> & { action: AuditAction; before: string | SQL };

/** An event whose actor may be read from a row that the batch itself creates. */
type EventWithActor = Omit<NewEvent, 'actorId'> & { actorId: string | SQL };

/** An event for a prepared statement, none of whose values is read from a row. */
export type TextEvent = NewEvent & { before: string };

const COLUMNS = `account_id, seq, id, at, actor_kind, actor_id, session_id, ip_hash, action, subject_kind, subject_id,
  before, after, request_id`;
const NEXT_SEQ = '1 + coalesce((SELECT max(seq) FROM audit_events WHERE account_id =';

/** True directly after a statement of the same batch that changed a row. */
const HAS_JUST_CHANGED = 'changes() > 0';

/**
 * Write an event in the batch of its action: directly after the action's own statement, or with a `condition` that
 * proves the action. An action that lost its race leaves no event. The event is only written if the action changed a
 * row, so the next statement can check `changes()` as well.
 */
export const eventWrite = (db: Db, event: EventWithActor, condition: SQL = sql.raw(HAS_JUST_CHANGED)) =>
  eventWriteFrom(db, event, event.before, condition);

/** Like eventWrite(), with `before` as a separate argument, for events whose other values are not known yet. */
export const eventWriteFrom = (
  db: Db,
  event: Omit<EventWithActor, 'before'>,
  before: NewEvent['before'],
  condition: SQL,
) =>
  db.insert(auditEvents).select(
    sql`SELECT ${event.accountId}, ${sql.raw(NEXT_SEQ)} ${event.accountId}), 0), ${event.id}, ${event.at},
    ${event.actorKind}, ${event.actorId}, ${event.sessionId}, ${event.ipHash}, ${event.action}, ${event.subjectKind},
    ${event.subjectId}, ${before}, ${event.after}, ${event.requestId} WHERE ${condition}`,
  );

const INSERT_EVENT = `INSERT INTO audit_events (${COLUMNS})
SELECT ?1, ${NEXT_SEQ} ?1), 0), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13 WHERE`;

/** Like eventWrite(), for a batch of prepared statements; `condition` is SQL from our own code, without values. */
export const eventStatement = (d1: D1Database, event: TextEvent, condition = HAS_JUST_CHANGED) => {
  const { accountId, id, at, actorKind, actorId, sessionId, ipHash, action, subjectKind, subjectId } = event;
  return d1
    .prepare(`${INSERT_EVENT} ${condition}`)
    .bind(
      ...[accountId, id, at, actorKind, actorId, sessionId, ipHash, action, subjectKind, subjectId],
      ...[event.before, event.after, event.requestId],
    );
};

/**
 * Write an event for each row of our own `query`, which selects `subject_id`, `before` and `after`; its values start at
 * ?11. For actions that change many rows in one statement.
 */
export const eventStatements = (d1: D1Database, event: NewEvent, query: string, values: (string | number)[]) => {
  const { accountId, id, at, actorKind, actorId, sessionId, ipHash, action, subjectKind, requestId } = event;
  return d1
    .prepare(
      `INSERT INTO audit_events (${COLUMNS})
SELECT ?1, row_number() OVER () + coalesce((SELECT max(seq) FROM audit_events WHERE account_id = ?1), 0),
  ?2 || '-' || row_number() OVER (), ?3, ?4, ?5, ?6, ?7, ?8, ?9, subject_id, before, after, ?10 FROM (${query})`,
    )
    .bind(...[accountId, id, at, actorKind, actorId, sessionId, ipHash, action, subjectKind, requestId], ...values);
};

/** Write the event of an action that writes nothing else, such as an export. */
export async function insertEvent({ $client }: Db, event: TextEvent): Promise<void> {
  await eventStatement($client, event, '1').run();
}

const refusalTable = auditRefusals;

export type RefusalRow = typeof refusalTable.$inferSelect;

/** Count refused requests, in one row per session and hour. */
export async function countRefusals(db: Db, row: RefusalRow): Promise<void> {
  await db
    .insert(refusalTable)
    .values(row)
    .onConflictDoUpdate({
      target: [refusalTable.accountId, refusalTable.sessionId, refusalTable.action, refusalTable.hour],
      set: { n: sql`${refusalTable.n} + ${row.n}`, route: row.route },
    });
}

/** The counts of past hours, oldest first. `hour`: the start of the current hour (UTC ms). */
export const listEndedRefusals = (db: Db, hour: number, limit: number): Promise<RefusalRow[]> =>
  db.select().from(refusalTable).where(lt(refusalTable.hour, hour)).orderBy(asc(refusalTable.hour)).limit(limit);

/** Replace a count with its event. Only one of several concurrent runs does so. */
export async function replaceRefusalByEvent(db: Db, row: RefusalRow, event: NewEvent): Promise<void> {
  await db.batch([
    db
      .delete(refusalTable)
      .where(
        and(
          eq(refusalTable.accountId, row.accountId),
          eq(refusalTable.sessionId, row.sessionId),
          eq(refusalTable.action, row.action),
          eq(refusalTable.hour, row.hour),
        ),
      ),
    eventWrite(db, event),
  ]);
}
