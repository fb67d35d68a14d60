import { primaryKey } from 'drizzle-orm/sqlite-core';
import { TWO_YEARS } from './lifetime.ts';
import { plain, table } from './table.ts';

export const invoiceSignatures = table(
  'invoice_signatures',
  {
    row: 'one signature that a clinic took on the printed invoice',
    lifetime: {
      row: 'until it is replaced or removed',
      rules: [{ does: 'delete', what: 'row and picture', column: 'saved_at', ms: TWO_YEARS, apart: true }],
      why: 'for disputes, as long as a payer’s signature',
    },
    copies: 'export and dump',
  },
  {
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    imageKey: plain.text('image_key').notNull(),
    savedAt: plain.integer('saved_at').notNull(),
    savedBy: plain.integer('saved_by').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.invoiceId] })],
);
