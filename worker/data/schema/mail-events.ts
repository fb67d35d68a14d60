import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { badAddresses } from '#shared/contracts/mail-values';

export const mailEvents = sqliteTable('mail_events', {
  id: text('id').primaryKey(),
  mailId: text('mail_id').notNull(),
  type: text('type').notNull(),
  at: integer('at').notNull(),
  heardAt: integer('heard_at').notNull(),
});

export const mailAddresses = sqliteTable(
  'mail_addresses',
  {
    accountId: integer('account_id').notNull(),
    address: text('address').notNull(),
    why: text('why', { enum: badAddresses }).notNull(),
    mailId: text('mail_id').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.address] })],
);
