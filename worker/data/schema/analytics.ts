import { primaryKey } from 'drizzle-orm/sqlite-core';
import { withAccount } from './lifetime.ts';
import { plain, table } from './table.ts';

export const dailyTotals = table(
  'daily_totals',
  {
    row: 'one local day of an account with any activity',
    lifetime: withAccount('daily totals, which name no person'),
    copies: { none: 'derived from exported rows' },
  },
  {
    accountId: plain.integer('account_id').notNull(),
    day: plain.text('day').notNull(),
    netCents: plain.integer('net_cents').notNull().default(0),
    methods: plain.text('methods').notNull().default('{}'),
    statuses: plain.text('statuses').notNull().default('{}'),
    refundCents: plain.integer('refund_cents').notNull().default(0),
    refunds: plain.integer('refunds').notNull().default(0),
    hours: plain.text('hours').notNull().default('{}'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day] })],
);
