import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Batches that were closed and payments that were taken back; not part of schema.ts, so that payers never load it. */

export const batchCloses = sqliteTable(
  'batch_closes',
  {
    accountId: integer('hub_id').notNull(),
    terminalId: text('terminal_id').notNull(),
    batchId: text('batch_id').notNull(),
    state: text('state', { enum: ['sent', 'unknown', 'processing', 'closed', 'failed'] })
      .notNull()
      .default('sent'),
    askedBy: integer('asked_by').notNull(),
    askedAt: integer('asked_at').notNull(),
    endedAt: integer('ended_at'),
    message: text('message').notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.terminalId, table.batchId] })],
);
export type BatchClose = typeof batchCloses.$inferSelect;

export const reversalStates = ['sent', 'unknown', 'approved', 'refused', 'not_done', 'needs_human'] as const;
export type ReversalState = (typeof reversalStates)[number];

export const reversals = sqliteTable('reversals', {
  id: text('id').primaryKey(),
  accountId: integer('hub_id').notNull(),
  attemptId: text('attempt_id').notNull(),
  invoiceId: text('invoice_id').notNull(),
  kind: text('kind', { enum: ['void', 'refund'] }).notNull(),
  amountCents: integer('amount_cents').notNull(),
  dedupeKey: text('dedupe_key').notNull(),
  requestKey: text('request_key').notNull(),
  reason: text('reason').notNull(),
  askedBy: integer('asked_by').notNull(),
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
});
export type Reversal = typeof reversals.$inferSelect;

export const reversalResolutions = sqliteTable('reversal_resolutions', {
  id: text('id').primaryKey(),
  accountId: integer('hub_id').notNull(),
  reversalId: text('reversal_id').notNull(),
  verdict: text('verdict', { enum: ['happened', 'not-happened'] }).notNull(),
  note: text('note').notNull(),
  resolvedBy: integer('resolved_by').notNull(),
  at: integer('at').notNull(),
});
