import { primaryKey } from 'drizzle-orm/sqlite-core';
import { withAccount } from './lifetime.ts';
import { plain, rawTable, table } from './table.ts';

/** Number of rows in a list, in all (`*`) and by shown status; triggers keep it. */
export const listCounts = table(
  'list_counts',
  {
    row: `how many rows an account's list has`,
    lifetime: withAccount('sums'),
    copies: { none: 'derived from rows that are exported' },
  },
  {
    accountId: plain.integer('account_id').notNull(),
    list: plain.text('list', { enum: ['invoices', 'open-invoices', 'customers'] }).notNull(),
    status: plain.text('status').notNull(),
    n: plain.integer('n').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.list, table.status] })],
);

/** What is owed of the invoices of one due day (`''`: without one), in cents; triggers keep it. */
export const owedTotals = table(
  'owed_totals',
  {
    row: 'a day on which open invoices of an account fall due',
    lifetime: withAccount('sums'),
    copies: { none: 'derived from rows that are exported' },
  },
  {
    accountId: plain.integer('account_id').notNull(),
    dueDay: plain.text('due_day').notNull(),
    n: plain.integer('n').notNull(),
    cents: plain.integer('cents').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.dueDay] })],
);

/** Number of customers who owe something of which the first is or was due on a day (`''`: none has one); triggers keep it. */
export const owingCustomers = table(
  'owing_customers',
  {
    row: 'a day on which the first of what customers owe is or was due',
    lifetime: withAccount('sums'),
    copies: { none: 'derived from rows that are exported' },
  },
  {
    accountId: plain.integer('account_id').notNull(),
    firstDue: plain.text('first_due').notNull(),
    n: plain.integer('n').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.firstDue] })],
);

/** The words of a list's rows to search by; triggers follow the rows. */
rawTable('invoice_search', {
  row: 'words of an invoice of the lists, to search by',
  lifetime: { row: 'as long as the row is shown', rules: [], why: 'triggers follow `invoices`' },
  copies: { none: 'derived from rows that are exported' },
});
rawTable('customer_search', {
  row: 'words of a customer of the lists, to search by',
  lifetime: { row: 'as long as the row is shown', rules: [], why: 'triggers follow `contacts`' },
  copies: { none: 'derived from rows that are exported' },
});
