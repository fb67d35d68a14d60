import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Collections in parts; not part of schema.ts, so that payers of whole invoices never load it. */
export const collections = sqliteTable(
  'collections',
  {
    accountId: integer('account_id').notNull(),
    invoiceId: text('invoice_id').notNull(),
    n: integer('n').notNull(),
    baseCents: integer('base_cents').notNull(),
    minCents: integer('min_cents').notNull(),
    depositCents: integer('deposit_cents'),
    maxParts: integer('max_installments').notNull(),
    paidBeforeCents: integer('paid_before_cents').notNull().default(0),
    crmBalanceCents: integer('crm_balance_cents').notNull(),
    crmBilledCents: integer('crm_billed_cents'),
    state: text('state', { enum: ['open', 'frozen', 'closed'] })
      .notNull()
      .default('open'),
    openedBy: integer('opened_by').notNull(),
    openedAt: integer('opened_at').notNull(),
    frozenBalanceCents: integer('frozen_balance_cents'),
    frozenAt: integer('frozen_at'),
    takenBeforeCents: integer('taken_before_cents').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.invoiceId, table.n] })],
);
export type Collection = typeof collections.$inferSelect;
