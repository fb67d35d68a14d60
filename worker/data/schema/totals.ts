import { primaryKey } from 'drizzle-orm/sqlite-core';
import { plain, rawTable, table, withAccount } from './table.ts';

/** The number of rows in a list, in total (`*`) and by shown status; maintained by triggers. */
export const listCounts = table(
  'list_counts',
  {
    row: `the number of rows in one of an account's lists, by status`,
    lifetime: withAccount('totals only'),
    copies: { none: 'derived from exported rows' },
    key: ['account_id', 'list', 'status'],
  },
  {
    accountId: plain.integer('account_id').notNull(),
    list: plain.text('list', { enum: ['invoices', 'open-invoices', 'customers'] }).notNull(),
    status: plain.text('status').notNull(),
    n: plain.integer('n').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.list, table.status] })],
);

/** The number of owed invoices and cents owed, by due day (`''`: none); maintained by triggers. */
export const owedTotals = table(
  'owed_totals',
  {
    row: 'the open invoices of an account that are due on one day',
    lifetime: withAccount('totals only'),
    copies: { none: 'derived from exported rows' },
    key: ['account_id', 'due_day'],
  },
  {
    accountId: plain.integer('account_id').notNull(),
    dueDay: plain.text('due_day').notNull(),
    n: plain.integer('n').notNull(),
    cents: plain.integer('cents').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.dueDay] })],
);

/**
 * The number of customers who owe, by the earliest due day of their open invoices (`''`: none); maintained by triggers.
 */
export const owingCustomers = table(
  'owing_customers',
  {
    row: 'the number of customers whose earliest owed invoice is due on one day',
    lifetime: withAccount('totals only'),
    copies: { none: 'derived from exported rows' },
    key: ['account_id', 'first_due'],
  },
  {
    accountId: plain.integer('account_id').notNull(),
    firstDue: plain.text('first_due').notNull(),
    n: plain.integer('n').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.firstDue] })],
);

/** Full-text indexes of the lists; maintained by triggers. */
rawTable('invoice_search', {
  row: 'the search words of one invoice in the lists',
  lifetime: { row: 'as long as the invoice is listed', rules: [], why: 'triggers follow `invoices`' },
  copies: { none: 'derived from exported rows' },
});
rawTable('customer_search', {
  row: 'the search words of one customer in the lists',
  lifetime: { row: 'as long as the customer is listed', rules: [], why: 'triggers follow `contacts`' },
  copies: { none: 'derived from exported rows' },
});

export const dailyTotals = table(
  'daily_totals',
  {
    row: 'one local day of an account with any activity',
    lifetime: withAccount('daily totals, which name no person'),
    copies: { none: 'derived from exported rows' },
    key: ['account_id', 'day'],
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
