import type { Delivery } from '#shared/contracts/mail-values';
import { blankAfter, DAY, deleteAfter, MAILS_KEPT_MS } from './lifetime.ts';
import { column, personal, plain, table } from './table.ts';

const mailDetails = column({
  notExported: 'values for mails, among them sealed links and codes; who got which mail when is there',
});

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

export const outbox = table(
  'outbox',
  {
    row: 'a mail that is owed; its text is made when it is sent, of the rows that it points to (`worker/domain/mail/`)',
    lifetime: {
      rules: [
        deleteAfter('created_at', MAILS_KEPT_MS, 'outbox_done', "state <> 'due'"),
        blankAfter('sent_at', DAY, {
          what: '`details`',
          set: "details = '{}'",
          index: 'outbox_done_with_details',
          when: "state <> 'due' AND details <> '{}'",
        }),
      ],
      why: 'thirteen months answer whether a mail went out; its details may hold a sealed token, which no mail needs again. A mail that is still owed stays',
    },
    copies: 'export and dump',
  },
  {
    id: plain.text('id').primaryKey(),
    kind: plain.text('kind', { enum: mailKinds }).notNull(),
    recipient: personal.text('recipient').notNull(),
    accountId: plain.integer('account_id'),
    attemptId: plain.text('attempt_id'),
    invoiceId: plain.text('invoice_id'),
    details: mailDetails.text('details').notNull().default('{}'),
    state: plain
      .text('state', { enum: ['due', 'sent', 'failed'] })
      .notNull()
      .default('due'),
    tries: plain.integer('tries').notNull().default(0),
    nextTryAt: plain.integer('next_try_at').notNull(),
    createdAt: plain.integer('created_at').notNull(),
    sentAt: plain.integer('sent_at'),
    providerId: plain.text('provider_id'),
    delivery: plain.text('delivery').$type<Delivery>(),
    deliveryAt: plain.integer('delivery_at'),
    arrivedAt: plain.integer('arrived_at'),
    askAt: plain.integer('ask_at'),
  },
);
