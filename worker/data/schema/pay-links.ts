import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const payLinks = sqliteTable('pay_links', {
  payId: text('pay_id').primaryKey(),
  accountId: integer('account_id').notNull(),
  invoiceId: text('invoice_id').notNull(),
  state: text('state', { enum: ['live', 'revoked', 'ended'] })
    .notNull()
    .default('live'),
  issuedAt: integer('issued_at').notNull(),
  endsAt: integer('ends_at').notNull(),
  revokeAt: integer('revoke_at'),
});
