import { primaryKey } from 'drizzle-orm/sqlite-core';
import { actorKinds } from '#shared/audit';
import { plain, SEVEN_YEARS, table, withAccount } from './table.ts';

/** The account of actions outside any clinic, such as settings, publication, and members of the content area. */
export const INSTALLATION = 0;

/** An event is hashed field by field, in this order. */
export const auditEvents = table(
  'audit_events',
  {
    row: 'one action with its actor and subject, written in the same transaction; account 0 is the installation',
    lifetime: {
      rules: [{ does: 'delete', what: 'sealed events', column: 'at', ms: SEVEN_YEARS, apart: true }],
      why: 'as long as the payment records that they describe; triggers refuse changes and earlier deletion',
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
    row: 'the number of refused requests by one session, or without one, for one action in one hour',
    lifetime: { row: 'until the end of its hour', rules: [], why: 'it then becomes one audit event' },
    copies: { none: 'counts of the last hour' },
    key: ['hour', 'account_id', 'session_id', 'action'],
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
  (table) => [primaryKey({ columns: [table.hour, table.accountId, table.sessionId, table.action] })],
);

/** Seals of the audit trail, the progress of its verification, and the recipients of its emails. */

export const auditSeals = table(
  'audit_seals',
  {
    row: `one link of an account's hash chain, over a range of event numbers`,
    lifetime: {
      row: 'forever',
      rules: [],
      why: 'the chain continues after its events are deleted; triggers refuse changes',
    },
    copies: 'export and dump',
    evidence: true,
    key: ['account_id', 'from_seq'],
  },
  {
    accountId: plain.integer('account_id').notNull(),
    fromSeq: plain.integer('from_seq').notNull(),
    toSeq: plain.integer('to_seq').notNull(),
    rowsHash: plain.text('rows_hash').notNull(),
    prevHash: plain.text('prev_hash').notNull(),
    hash: plain.text('hash').notNull(),
    at: plain.integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.fromSeq] })],
);

export type AuditSeal = typeof auditSeals.$inferSelect;

export const auditChecks = table(
  'audit_checks',
  {
    row: `the progress of the verification of an account's hash chain`,
    lifetime: withAccount('one row per account'),
    copies: { none: 'a restored chain is verified from its start' },
  },
  {
    accountId: plain.integer('account_id').primaryKey(),
    seq: plain.integer('seq').notNull().default(0),
    hash: plain.text('hash').notNull().default(''),
    at: plain.integer('at'),
    problem: plain.text('problem').notNull().default(''),
    reachedSeq: plain.integer('reached_seq').notNull().default(0),
    reachedHash: plain.text('reached_hash').notNull().default(''),
    dueAt: plain.integer('due_at').notNull().default(0),
  },
);

export type AuditCheck = typeof auditChecks.$inferSelect;

export const auditMails = table(
  'audit_mails',
  {
    row: 'one administrator who gets the newest seal by mail once a week',
    lifetime: { row: 'until the mail is switched off', rules: [], why: 'one row per recipient' },
    copies: 'export and dump',
  },
  {
    accountId: plain.integer('account_id').notNull(),
    userId: plain.integer('user_id').notNull(),
    nextAt: plain.integer('next_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.userId] })],
);
