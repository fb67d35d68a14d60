import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { actorKinds } from '#shared/audit';

/** The account of acts that belong to no clinic: settings, publication, people of the content area. */
export const INSTALLATION = 0;

/** An event is hashed field by field in this order. */
export const auditEvents = sqliteTable(
  'audit_events',
  {
    accountId: integer('account_id').notNull(),
    seq: integer('seq').notNull(),
    id: text('id').notNull(),
    at: integer('at').notNull(),
    actorKind: text('actor_kind', { enum: actorKinds }).notNull(),
    actorId: text('actor_id').notNull(),
    sessionId: text('session_id').notNull(),
    ipHash: text('ip_hash').notNull(),
    action: text('action').notNull(),
    subjectKind: text('subject_kind').notNull(),
    subjectId: text('subject_id').notNull(),
    before: text('before').notNull(),
    after: text('after').notNull(),
    requestId: text('request_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.seq] })],
);

export type AuditEvent = typeof auditEvents.$inferSelect;

export const auditRefusals = sqliteTable(
  'audit_refusals',
  {
    accountId: integer('account_id').notNull(),
    sessionId: text('session_id').notNull(),
    action: text('action').notNull(),
    hour: integer('hour').notNull(),
    actorKind: text('actor_kind', { enum: actorKinds }).notNull(),
    actorId: text('actor_id').notNull(),
    ipHash: text('ip_hash').notNull(),
    route: text('route').notNull(),
    n: integer('n').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.sessionId, table.action, table.hour] })],
);
