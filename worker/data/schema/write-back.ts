import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What the CRM is told of payments; not part of schema.ts, so that payers never load it. */

export const crmWriteStates = ['due', 'sent', 'written', 'refused', 'unknown', 'not_wanted', 'by_hand'] as const;
export type CrmWriteState = (typeof crmWriteStates)[number];

export const crmWriteSettings = sqliteTable('crm_write_settings', {
  accountId: integer('account_id').primaryKey(),
  isOn: integer('is_on', { mode: 'boolean' }).notNull(),
  changedBy: integer('changed_by').notNull(),
  changedAt: integer('changed_at').notNull(),
  state: text('state', { enum: ['ready', 'not_allowed', 'cannot'] })
    .notNull()
    .default('ready'),
  said: text('said').notNull().default(''),
  waitUntil: integer('wait_until').notNull().default(0),
  movesBalance: integer('moves_balance', { mode: 'boolean' }),
});
export type CrmWriteSettings = typeof crmWriteSettings.$inferSelect;

export const crmWrites = sqliteTable('crm_writes', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  invoiceId: text('invoice_id').notNull(),
  attemptId: text('attempt_id').notNull(),
  kind: text('kind', { enum: ['payment', 'reversal'] }).notNull(),
  amountCents: integer('amount_cents').notNull(),
  state: text('state', { enum: crmWriteStates }).notNull(),
  objectId: text('object_id').notNull().default(''),
  tries: integer('tries').notNull().default(0),
  looks: integer('looks').notNull().default(0),
  balanceCents: integer('balance_cents'),
  sentAt: integer('sent_at'),
  nextTryAt: integer('next_try_at'),
  said: text('said').notNull().default(''),
  effect: text('effect', { enum: ['', 'paid', 'balance_moved', 'nothing_moved'] })
    .notNull()
    .default(''),
  note: text('note').notNull().default(''),
  decidedBy: integer('decided_by'),
  createdAt: integer('created_at').notNull(),
  doneAt: integer('done_at'),
});
export type CrmWrite = typeof crmWrites.$inferSelect;
