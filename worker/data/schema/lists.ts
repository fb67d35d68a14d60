import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Number of rows in a list, in all (`*`) and by shown status; triggers keep it. */
export const listCounts = sqliteTable(
  'list_counts',
  {
    accountId: integer('account_id').notNull(),
    list: text('list', { enum: ['invoices', 'open-invoices', 'customers'] }).notNull(),
    status: text('status').notNull(),
    n: integer('n').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.list, table.status] })],
);

/** What is owed of the invoices of one due day (`''`: without one), in cents; triggers keep it. */
export const owedTotals = sqliteTable(
  'owed_totals',
  {
    accountId: integer('account_id').notNull(),
    dueDay: text('due_day').notNull(),
    n: integer('n').notNull(),
    cents: integer('cents').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.dueDay] })],
);

/** Number of customers who owe something of which the first is or was due on a day (`''`: none has one); triggers keep it. */
export const owingCustomers = sqliteTable(
  'owing_customers',
  {
    accountId: integer('account_id').notNull(),
    firstDue: text('first_due').notNull(),
    n: integer('n').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.firstDue] })],
);
