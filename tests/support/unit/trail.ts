import { env } from 'cloudflare:workers';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { ActorKind } from '#shared/audit';
import { EVENT_COLUMNS, type EventRow, type SealRow, type TrailReader } from '#shared/audit-chain';
import { eventWrite } from '#worker/data/audit/events';
import { openDb } from '#worker/data/db';
import { type AuditEvent, auditEvents, INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { type AuditedAction, auditEvent } from '#worker/domain/audit/event';

/** Events of an account in order, or those of one action. */
export const eventsOf = (accountId: number, action?: string): Promise<AuditEvent[]> =>
  openDb(accountId === INSTALLATION ? env.INSTALLATION : env.DB)
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.accountId, accountId), action === undefined ? undefined : eq(auditEvents.action, action)))
    .orderBy(asc(auditEvents.seq));

/** Reads the trails in the clinics' database of the unit tests. */
export const trailReader: TrailReader = {
  seals: async (accountId, after, limit) =>
    (
      await env.DB.prepare('SELECT * FROM audit_seals WHERE account_id = ? AND to_seq > ? ORDER BY from_seq LIMIT ?')
        .bind(accountId, after, limit)
        .all<SealRow>()
    ).results,
  events: async (accountId, from, to) =>
    (
      await env.DB.prepare(
        `SELECT ${EVENT_COLUMNS.join(', ')} FROM audit_events WHERE account_id = ? AND seq BETWEEN ? AND ? ORDER BY seq`,
      )
        .bind(accountId, from, to)
        .all<EventRow>()
    ).results,
  ends: async (accountId) => {
    const row = await env.DB.prepare(
      'SELECT coalesce(min(seq), 0) AS first, coalesce(max(seq), 0) AS last FROM audit_events WHERE account_id = ?',
    )
      .bind(accountId)
      .first<{ first: number; last: number }>();
    return row ?? { first: 0, last: 0 };
  },
};

const GUARDS = ['audit_events_keep_rows', 'audit_events_keep_all', 'audit_seals_keep_rows', 'audit_seals_keep_all'];

/** Changes the trail as someone with write access to the database could: drops its triggers and restores them. */
export async function tamper(...statements: string[]): Promise<void> {
  const { results } = await env.DB.prepare(
    `SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name IN ('${GUARDS.join("', '")}') ORDER BY rowid`,
  ).all<{ sql: string }>();
  const batch = [...GUARDS.map((name) => `DROP TRIGGER ${name}`), ...statements, ...results.map(({ sql }) => sql)];
  await env.DB.batch(batch.map((sql) => env.DB.prepare(sql)));
}

type PastActor = { kind?: ActorKind; id?: string; sessionId?: string; ipHash?: string };
export type PastAct = Omit<AuditedAction, 'subject'> & {
  subject?: AuditedAction['subject'];
  /** UTC ms. */
  at: number;
  actor?: PastActor;
};

/** Writes events as the product does, without the acts themselves. */
export async function recordActs(deps: Deps, acts: PastAct[]): Promise<void> {
  for (const { at, actor: pastActor = {}, subject, ...act } of acts) {
    const actor = { kind: 'user' as const, id: '1', sessionId: 's1', ipHash: 'ip1', requestId: 'r1', ...pastActor };
    await eventWrite(
      deps.db,
      auditEvent({ ...deps, actor, now: () => at }, { ...act, subject: subject ?? ['account', ''] }),
      sql`1`,
    );
  }
}
