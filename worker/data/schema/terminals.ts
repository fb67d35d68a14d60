import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const terminals = sqliteTable(
  'terminals',
  {
    accountId: integer('account_id').notNull(),
    terminalId: text('terminal_id').notNull(),
    name: text('name').notNull(),
    channel: text('channel', { enum: ['ecommerce', 'counter'] }).notNull(),
    publicKey: text('public_key').notNull(),
    apiKey: text('api_key').notNull(),
    createdAt: integer('created_at').notNull(),
    heardAt: integer('heard_at'),
    refusedAt: integer('refused_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.terminalId] })],
);
