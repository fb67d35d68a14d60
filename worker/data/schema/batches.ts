import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Closes of batches; not part of schema.ts, so that payers never load it. */

export const batchCloses = sqliteTable(
  'batch_closes',
  {
    accountId: integer('account_id').notNull(),
    terminalId: text('terminal_id').notNull(),
    batchId: text('batch_id').notNull(),
    state: text('state', { enum: ['sent', 'unknown', 'processing', 'closed', 'failed'] })
      .notNull()
      .default('sent'),
    requestedBy: integer('requested_by').notNull(),
    requestedAt: integer('requested_at').notNull(),
    endedAt: integer('ended_at'),
    message: text('message').notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.terminalId, table.batchId] })],
);
export type BatchClose = typeof batchCloses.$inferSelect;
