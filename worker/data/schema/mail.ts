import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Delivery } from '#shared/contracts/mail-values';

export const mailKinds = [
  'receipt',
  'pay-link',
  'crm-receipt',
  'sign-up',
  'invitation',
  'password-reset',
  'address-known',
  'audit-seal',
  'alert',
  'staff-invitation',
  'staff-removed',
  'login-code',
  'factor-code',
  'factor-changed',
  'closing',
  'test-link',
  'approval-asked',
  'approval-ended',
  'operator-acted',
  'reminder',
  'reminder-test',
  'payment-notice',
  'payment-notice-day',
] as const;

export const outbox = sqliteTable('outbox', {
  id: text('id').primaryKey(),
  kind: text('kind', { enum: mailKinds }).notNull(),
  recipient: text('recipient').notNull(),
  accountId: integer('account_id'),
  attemptId: text('attempt_id'),
  invoiceId: text('invoice_id'),
  details: text('details').notNull().default('{}'),
  state: text('state', { enum: ['due', 'sent', 'failed'] })
    .notNull()
    .default('due'),
  tries: integer('tries').notNull().default(0),
  nextTryAt: integer('next_try_at').notNull(),
  createdAt: integer('created_at').notNull(),
  sentAt: integer('sent_at'),
  providerId: text('provider_id'),
  delivery: text('delivery').$type<Delivery>(),
  deliveryAt: integer('delivery_at'),
  arrivedAt: integer('arrived_at'),
  askAt: integer('ask_at'),
});
