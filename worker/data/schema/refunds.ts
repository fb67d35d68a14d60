import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Reversals; not part of schema.ts, so that payers never load it. */

export const reversalStates = ['sent', 'unknown', 'approved', 'refused', 'not_done', 'needs_human'] as const;
export type ReversalState = (typeof reversalStates)[number];

export const reversals = sqliteTable('reversals', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  attemptId: text('attempt_id').notNull(),
  invoiceId: text('invoice_id').notNull(),
  kind: text('kind', { enum: ['void', 'refund'] }).notNull(),
  amountCents: integer('amount_cents').notNull(),
  dedupeKey: text('dedupe_key').notNull(),
  requestKey: text('request_key').notNull(),
  reason: text('reason').notNull(),
  requestedBy: integer('requested_by').notNull(),
  state: text('state', { enum: reversalStates }).notNull().default('sent'),
  providerTxnId: text('provider_txn_id'),
  exchangeId: text('exchange_id').notNull().default(''),
  message: text('message').notNull().default(''),
  providerCode: text('provider_code').notNull().default(''),
  holdUntil: integer('hold_until').notNull(),
  nextCheckAt: integer('next_check_at'),
  checks: integer('checks').notNull().default(0),
  emptyChecks: integer('empty_checks').notNull().default(0),
  createdAt: integer('created_at').notNull(),
  settledAt: integer('settled_at'),
  batchId: text('batch_id').notNull().default(''),
});
export type Reversal = typeof reversals.$inferSelect;

export const reversalResolutions = sqliteTable('reversal_resolutions', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  reversalId: text('reversal_id').notNull(),
  verdict: text('verdict', { enum: ['happened', 'not-happened'] }).notNull(),
  note: text('note').notNull(),
  resolvedBy: integer('resolved_by').notNull(),
  at: integer('at').notNull(),
});
