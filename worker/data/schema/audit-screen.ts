import { primaryKey } from 'drizzle-orm/sqlite-core';
import { withAccount } from './lifetime.ts';
import { plain, table } from './table.ts';

/**
 * Seals of the audit trail, the progress of its verification, and the recipients of its mails.
 */

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
    key: ['account_id', 'user_id'],
  },
  {
    accountId: plain.integer('account_id').notNull(),
    userId: plain.integer('user_id').notNull(),
    nextAt: plain.integer('next_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.userId] })],
);
