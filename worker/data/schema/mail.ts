import type { Delivery } from '#shared/contracts/mail-values';
import { blankAfter, DAY, deleteAfter, MAILS_KEPT_MS } from './lifetime.ts';
import { mailKinds } from './mail-rules.ts';
import { column, personal, plain, table } from './table.ts';

const mailDetails = column({
  notExported: 'values for mails, including sealed links and codes; the export has recipient, kind and time',
});

export const outbox = table(
  'outbox',
  {
    row: 'one mail, sent or still due; sending composes its text from the rows it refers to (`worker/domain/mail/`)',
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
      why:
        'thirteen months show whether a mail was sent; `details` may contain a sealed token, ' +
        'which has no use after sending; a mail that is still due stays',
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
