import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What is known of an invoice's life beside its payments; not part of schema.ts, so that payers never load it. */

export const linkOpenings = sqliteTable(
  'page_views',
  {
    accountId: integer('account_id').notNull(),
    invoiceId: text('invoice_id').notNull(),
    loadId: text('load_id').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.invoiceId, table.loadId] })],
);

export const batches = sqliteTable(
  'batches',
  {
    accountId: integer('account_id').notNull(),
    terminalId: text('terminal_id').notNull(),
    batchId: text('batch_id').notNull(),
    status: text('status').notNull(),
    openedAt: integer('opened_at'),
    settledAt: integer('settled_at'),
    netCents: integer('net_cents'),
    confirmationCode: text('confirmation_code').notNull().default(''),
    fundedOn: text('funded_on'),
    depositCents: integer('deposit_cents'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.terminalId, table.batchId] })],
);
