import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const mailings = sqliteTable('mailings', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  requestedBy: integer('requested_by').notNull(),
  requestedAt: integer('requested_at').notNull(),
  startsAt: integer('starts_at').notNull(),
  nextAt: integer('next_at'),
  stoppedAt: integer('stopped_at'),
});

export const mailingInvoices = sqliteTable(
  'mailing_invoices',
  {
    mailingId: text('mailing_id').notNull(),
    invoiceId: text('invoice_id').notNull(),
    accountId: integer('account_id').notNull(),
    n: integer('n').notNull(),
    state: text('state', { enum: ['waiting', 'handed', 'left-out'] })
      .notNull()
      .default('waiting'),
    why: text('why').notNull().default(''),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.mailingId, table.invoiceId] })],
);
