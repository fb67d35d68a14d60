import { primaryKey } from 'drizzle-orm/sqlite-core';
import { withAccount } from './lifetime.ts';
import { plain, table } from './table.ts';

/** Closes of batches; not part of schema.ts, so that payers never load it. */

export const batchCloses = table(
  'batch_closes',
  {
    row: 'a batch that a merchant closed',
    lifetime: withAccount('it keeps a second press from closing the next batch, however late; it names no customer'),
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
