import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Gateway transactions as last read with their verdicts, cursors, and the decisions of staff. */

export const verdicts = ['none', 'earlier', 'matched', 'only-gateway', 'amount-differs'] as const;

export const gatewayTransactions = sqliteTable(
  'gateway_transactions',
  {
    accountId: integer('account_id').notNull(),
    providerTxnId: text('provider_txn_id').notNull(),
    method: text({ enum: ['card', 'ach'] }).notNull(),
    terminalId: text('terminal_id').notNull(),
    batchId: text('batch_id').notNull(),
    kind: text().notNull(),
    state: text({ enum: ['approved', 'declined', 'pending', 'returned', 'other'] }).notNull(),
    isVoided: integer('is_voided', { mode: 'boolean' }).notNull(),
    amountCents: integer('amount_cents'),
    netAmountCents: integer('net_cents'),
    orderId: text('order_id').notNull(),
    parentId: text('parent_id').notNull(),
    dedupeKey: text('dedupe_key').notNull(),
    card: text().notNull(),
    payer: text().notNull(),
    at: integer(),
    seenAt: integer('seen_at').notNull(),
    verdict: text({ enum: verdicts }).notNull().default('none'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.providerTxnId, table.method] }),
    index('gateway_transactions_batch').on(table.accountId, table.batchId),
  ],
);
export type GatewayRow = typeof gatewayTransactions.$inferSelect;

export const reconciliationCursors = sqliteTable(
  'reconciliation_cursors',
  {
    accountId: integer('account_id').notNull(),
    method: text({ enum: ['card', 'ach'] }).notNull(),
    readFrom: integer('read_from').notNull(),
    readUntil: integer('read_until').notNull(),
    resumeFrom: integer('resume_from'),
    nextAt: integer('next_at').notNull(),
    leaseUntil: integer('lease_until').notNull().default(0),
    endedAt: integer('ended_at'),
    failingSince: integer('failing_since'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.method] })],
);
export type ReconciliationCursor = typeof reconciliationCursors.$inferSelect;

export const resolutions = sqliteTable('resolutions', {
  id: text().primaryKey(),
  accountId: integer('account_id').notNull(),
  attemptId: text('attempt_id').notNull(),
  verdict: text({ enum: ['charged', 'not-charged'] }).notNull(),
  note: text().notNull(),
  resolvedBy: integer('resolved_by').notNull(),
  at: integer().notNull(),
});
