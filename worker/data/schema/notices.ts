import { primaryKey } from 'drizzle-orm/sqlite-core';
import { plain, table } from './table.ts';

export const paymentNotices = table(
  'payment_notices',
  {
    row: 'one member of staff who gets mails about paid pay links; without a row: none',
    lifetime: {
      row: 'until the mails are switched off, or the person is removed from the team',
      rules: [],
      why: 'one row per recipient',
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
