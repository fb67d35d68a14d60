import { primaryKey } from 'drizzle-orm/sqlite-core';
import { plain, table } from './table.ts';

/** Collections in installments. */
export const collections = table(
  'collections',
  {
    row: 'one collection of an invoice in installments; a collection without a row is paid in full',
    lifetime: {
      row: 'at least 7 years; no job deletes it',
      rules: [],
      why: 'it has the terms of its installments; a trigger refuses changes to them, and it names no person',
    },
    copies: 'export and dump',
    evidence: true,
  },
  {
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    n: plain.integer('n').notNull(),
    baseCents: plain.integer('base_cents').notNull(),
    minCents: plain.integer('min_cents').notNull(),
    depositCents: plain.integer('deposit_cents'),
    maxParts: plain.integer('max_installments').notNull(),
    paidBeforeCents: plain.integer('paid_before_cents').notNull().default(0),
    crmBalanceCents: plain.integer('crm_balance_cents').notNull(),
    crmBilledCents: plain.integer('crm_billed_cents'),
    state: plain
      .text('state', { enum: ['open', 'frozen', 'closed'] })
      .notNull()
      .default('open'),
    openedBy: plain.integer('opened_by').notNull(),
    openedAt: plain.integer('opened_at').notNull(),
    frozenBalanceCents: plain.integer('frozen_balance_cents'),
    frozenAt: plain.integer('frozen_at'),
    takenBeforeCents: plain.integer('taken_before_cents').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.invoiceId, table.n] })],
);
export type Collection = typeof collections.$inferSelect;
