import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Seals of the audit trail, what the schedule found out about it, and whom it tells; not part of schema.ts, so that
 * payers never load it.
 */

export const auditSeals = sqliteTable(
  'audit_seals',
  {
    accountId: integer('account_id').notNull(),
    fromSeq: integer('from_seq').notNull(),
    toSeq: integer('to_seq').notNull(),
    rowsHash: text('rows_hash').notNull(),
    prevHash: text('prev_hash').notNull(),
    hash: text('hash').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.fromSeq] })],
);

export type AuditSeal = typeof auditSeals.$inferSelect;

export const auditChecks = sqliteTable('audit_checks', {
  accountId: integer('account_id').primaryKey(),
  seq: integer('seq').notNull().default(0),
  hash: text('hash').notNull().default(''),
  at: integer('at'),
  problem: text('problem').notNull().default(''),
  reachedSeq: integer('reached_seq').notNull().default(0),
  reachedHash: text('reached_hash').notNull().default(''),
  dueAt: integer('due_at').notNull().default(0),
});

export type AuditCheck = typeof auditChecks.$inferSelect;

export const auditMails = sqliteTable(
  'audit_mails',
  {
    accountId: integer('account_id').notNull(),
    userId: integer('user_id').notNull(),
    nextAt: integer('next_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.userId] })],
);
