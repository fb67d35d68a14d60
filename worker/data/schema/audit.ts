import { primaryKey } from 'drizzle-orm/sqlite-core';
import { actorKinds } from '#shared/audit';
import { SEVEN_YEARS } from './lifetime.ts';
import { plain, table } from './table.ts';

/** The account of acts outside any clinic: settings, publication, members of the content area. */
export const INSTALLATION = 0;

/** An event is hashed field by field, in this order. */
export const auditEvents = table(
  'audit_events',
  {
    row: 'one act: actor, action and subject, written in the transaction of the act; account 0 is the installation',
    lifetime: {
      rules: [{ does: 'delete', what: 'sealed events', column: 'at', ms: SEVEN_YEARS, apart: true }],
      why: 'as long as the records of money that they describe; triggers refuse changes, and earlier deletion',
    },
    copies: 'export and dump',
    evidence: true,
    key: ['account_id', 'seq'],
  },
  {
    accountId: plain.integer('account_id').notNull(),
    seq: plain.integer('seq').notNull(),
    id: plain.text('id').notNull(),
    at: plain.integer('at').notNull(),
    actorKind: plain.text('actor_kind', { enum: actorKinds }).notNull(),
    actorId: plain.text('actor_id').notNull(),
    sessionId: plain.text('session_id').notNull(),
    ipHash: plain.text('ip_hash').notNull(),
    action: plain.text('action').notNull(),
    subjectKind: plain.text('subject_kind').notNull(),
    subjectId: plain.text('subject_id').notNull(),
    before: plain.text('before').notNull(),
    after: plain.text('after').notNull(),
    requestId: plain.text('request_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.seq] })],
);

export type AuditEvent = typeof auditEvents.$inferSelect;

export const auditRefusals = table(
  'audit_refusals',
  {
    row: 'the number of refused requests of one session, or of strangers, for one action in one hour',
    lifetime: { row: 'until the end of its hour', rules: [], why: 'it then becomes one audit event' },
    copies: { none: 'counts of the last hour' },
  },
  {
    accountId: plain.integer('account_id').notNull(),
    sessionId: plain.text('session_id').notNull(),
    action: plain.text('action').notNull(),
    hour: plain.integer('hour').notNull(),
    actorKind: plain.text('actor_kind', { enum: actorKinds }).notNull(),
    actorId: plain.text('actor_id').notNull(),
    ipHash: plain.text('ip_hash').notNull(),
    route: plain.text('route').notNull(),
    n: plain.integer('n').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.sessionId, table.action, table.hour] })],
);
