import { primaryKey } from 'drizzle-orm/sqlite-core';
import { plain, table } from './table.ts';

export const paymentNotices = table(
  'payment_notices',
  {
    row: 'a person of the staff who gets a mail when a pay link is paid; no row: never',
    lifetime: {
      row: 'until it is switched off, or its person removed from the team',
      rules: [],
      why: 'one row for each person who wants the mails',
    },
    copies: 'export and dump',
  },
  {
    accountId: plain.integer('account_id').notNull(),
    userId: plain.integer('user_id').notNull(),
    how: plain.text('how', { enum: ['at-once', 'daily'] }).notNull(),
    toldUntil: plain.integer('told_until').notNull(),
    nextAt: plain.integer('next_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.userId] })],
);
