import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const invoiceSignatures = sqliteTable(
  'invoice_signatures',
  {
    accountId: integer('account_id').notNull(),
    invoiceId: text('invoice_id').notNull(),
    imageKey: text('image_key').notNull(),
    savedAt: integer('saved_at').notNull(),
    savedBy: integer('saved_by').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.invoiceId] })],
);
