import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const dailyTotals = sqliteTable(
  'daily_totals',
  {
    accountId: integer('account_id').notNull(),
    day: text('day').notNull(),
    netCents: integer('net_cents').notNull().default(0),
    methods: text('methods').notNull().default('{}'),
    statuses: text('statuses').notNull().default('{}'),
    refundCents: integer('refund_cents').notNull().default(0),
    refunds: integer('refunds').notNull().default(0),
    hours: text('hours').notNull().default('{}'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day] })],
);
