import { primaryKey } from 'drizzle-orm/sqlite-core';
import { DAY, deleteAfter, withAccount } from './lifetime.ts';
import { plain, table } from './table.ts';

/** Page views of an invoice, and batches. */

export const linkOpenings = table(
  'page_views',
  {
    row: 'one load of a pay page that a person viewed',
    lifetime: {
      rules: [deleteAfter('at', 400 * DAY, 'page_views_at')],
      why: 'thirteen months, as long as an ended pay link',
    },
    copies: 'export and dump',
  },
  {
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    loadId: plain.text('load_id').notNull(),
    at: plain.integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.invoiceId, table.loadId] })],
);

export const batches = table(
  'batches',
  {
    row: 'one batch of a terminal, as the card provider last showed it',
    lifetime: withAccount('the card provider’s totals, which name no customer'),
    copies: 'export and dump',
    evidence: true,
  },
  {
    accountId: plain.integer('account_id').notNull(),
    terminalId: plain.text('terminal_id').notNull(),
    batchId: plain.text('batch_id').notNull(),
    status: plain.text('status').notNull(),
    openedAt: plain.integer('opened_at'),
    settledAt: plain.integer('settled_at'),
    netCents: plain.integer('net_cents'),
    confirmationCode: plain.text('confirmation_code').notNull().default(''),
    fundedOn: plain.text('funded_on'),
    depositCents: plain.integer('deposit_cents'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.terminalId, table.batchId] })],
);
