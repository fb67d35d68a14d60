import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** By what staff prove who they are; not part of schema.ts, so that payers never load it. */

export const staffPasskeys = sqliteTable('staff_passkeys', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  userId: integer('user_id').notNull(),
  handle: text('handle').notNull(),
  publicKey: text('public_key').notNull(),
  counter: integer('counter').notNull(),
  transports: text('transports').notNull(),
  label: text('label').notNull(),
  createdAt: integer('created_at').notNull(),
  usedAt: integer('used_at'),
});
export type StaffPasskeyRow = typeof staffPasskeys.$inferSelect;

export const pins = sqliteTable(
  'pins',
  {
    accountId: integer('account_id').notNull(),
    userId: integer('user_id').notNull(),
    hash: text('hash').notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    lockedUntil: integer('locked_until').notNull().default(0),
    setAt: integer('set_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.userId] })],
);

export const factorCodes = sqliteTable('factor_codes', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  userId: integer('user_id').notNull(),
  sessionId: text('session_id').notNull(),
  codeHash: text('code_hash').notNull(),
  createdAt: integer('created_at').notNull(),
  endsAt: integer('ends_at').notNull(),
  tries: integer('tries').notNull().default(0),
  takenAt: integer('taken_at'),
});

export const takenChallenges = sqliteTable('taken_challenges', {
  challenge: text('challenge').primaryKey(),
  endsAt: integer('ends_at').notNull(),
});

export const approvals = sqliteTable('approvals', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  attemptId: text('attempt_id').notNull(),
  kind: text('kind', { enum: ['void', 'refund'] }).notNull(),
  amountCents: integer('amount_cents').notNull(),
  reason: text('reason').notNull(),
  requestKey: text('request_key').notNull(),
  requestedBy: integer('requested_by').notNull(),
  requestedAt: integer('requested_at').notNull(),
  endsAt: integer('ends_at').notNull(),
  state: text('state', { enum: ['waiting', 'approved', 'refused', 'ended'] })
    .notNull()
    .default('waiting'),
  decidedBy: integer('decided_by'),
  decidedAt: integer('decided_at'),
  nextTryAt: integer('next_try_at'),
});
export type ApprovalRow = typeof approvals.$inferSelect;
