import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** People who run the installation, and what they switched; not part of schema.ts, so that payers never load it. */

export const operators = sqliteTable('operators', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  invitedBy: text('invited_by').notNull().default(''),
  createdAt: integer('created_at').notNull(),
});

export const operatorPasskeys = sqliteTable('operator_passkeys', {
  id: text('id').primaryKey(),
  operatorId: text('operator_id').notNull(),
  publicKey: text('public_key').notNull(),
  counter: integer('counter').notNull(),
  transports: text('transports').notNull().default('[]'),
  createdAt: integer('created_at').notNull(),
  usedAt: integer('used_at'),
});

export const operatorSessions = sqliteTable('operator_sessions', {
  id: text('id').primaryKey(),
  operatorId: text('operator_id').notNull(),
  tokenHash: text('token_hash').notNull(),
  createdAt: integer('created_at').notNull(),
  seenAt: integer('seen_at').notNull(),
  provenAt: integer('proven_at').notNull(),
  endsAt: integer('ends_at').notNull(),
  revokedAt: integer('revoked_at'),
});

export const operatorCodes = sqliteTable('operator_codes', {
  codeHash: text('code_hash').primaryKey(),
  invitedBy: text('invited_by').notNull().default(''),
  createdAt: integer('created_at').notNull(),
  endsAt: integer('ends_at'),
  operatorId: text('operator_id'),
});

export const operatorChallenges = sqliteTable('operator_challenges', {
  challenge: text('challenge').primaryKey(),
  endsAt: integer('ends_at').notNull(),
});

export const paymentSwitch = sqliteTable('payment_switch', {
  id: integer('id').primaryKey(),
  state: text('state', { enum: ['open', 'paused'] }).notNull(),
  at: integer('at').notNull(),
  operatorId: text('operator_id').notNull(),
  reason: text('reason').notNull().default(''),
});

export type OperatorRow = typeof operators.$inferSelect;
export type PasskeyRow = typeof operatorPasskeys.$inferSelect;
export type PaymentSwitch = typeof paymentSwitch.$inferSelect;
