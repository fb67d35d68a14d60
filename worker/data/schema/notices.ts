import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const paymentNotices = sqliteTable(
  'payment_notices',
  {
    accountId: integer('account_id').notNull(),
    userId: integer('user_id').notNull(),
    how: text('how', { enum: ['at-once', 'daily'] }).notNull(),
    toldUntil: integer('told_until').notNull(),
    nextAt: integer('next_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.userId] })],
);
