import { primaryKey } from 'drizzle-orm/sqlite-core';
import { withAccount } from './lifetime.ts';
import { plain, table } from './table.ts';

/** Batch closes. */

export const batchCloses = table(
  'batch_closes',
  {
    row: 'one request of staff to close a batch',
    lifetime: withAccount('it stops a late second press from closing the next batch; it names no customer'),
    copies: 'export and dump',
    evidence: true,
  },
  {
    accountId: plain.integer('account_id').notNull(),
    terminalId: plain.text('terminal_id').notNull(),
    batchId: plain.text('batch_id').notNull(),
    state: plain
      .text('state', { enum: ['sent', 'unknown', 'processing', 'closed', 'failed'] })
      .notNull()
      .default('sent'),
    requestedBy: plain.integer('requested_by').notNull(),
    requestedAt: plain.integer('requested_at').notNull(),
    endedAt: plain.integer('ended_at'),
    message: plain.text('message').notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.terminalId, table.batchId] })],
);
export type BatchClose = typeof batchCloses.$inferSelect;
