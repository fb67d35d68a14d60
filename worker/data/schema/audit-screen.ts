import { primaryKey } from 'drizzle-orm/sqlite-core';
import { withAccount } from './lifetime.ts';
import { plain, table } from './table.ts';

/**
 * Seals of the audit trail, what the schedule found out about it, and whom it tells; not part of schema.ts, so that
 * payers never load it.
 */

export const auditSeals = table(
  'audit_seals',
  {
    row: `a link of an account's hash chain, over the events from one number to another`,
    lifetime: {
      row: 'for ever',
      rules: [],
      why: 'the chain goes on over events that are gone; triggers refuse changes',
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
    row: `how far an account's chain was recomputed`,
    lifetime: withAccount('one row'),
    copies: { none: 'the chain is recomputed from its beginning' },
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
    row: 'an administrator who gets the newest seal once a week',
    lifetime: { row: 'until it is switched off', rules: [], why: 'one row for each administrator who wants the mail' },
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
