import { primaryKey } from 'drizzle-orm/sqlite-core';
import { DAY, deleteAfter } from './lifetime.ts';
import { plain, table } from './table.ts';

export const mailings = table(
  'mailings',
  {
    row: 'payment links that staff mail to many payers at once',
    lifetime: {
      rules: [deleteAfter('requested_at', 400 * DAY, 'mailings_asked')],
      why: 'as long as the mails that it sent',
    },
    copies: { none: 'the mails are in the outbox, who asked for them is in the trail; after a restore none goes on' },
  },
  {
    id: plain.text('id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    requestedBy: plain.integer('requested_by').notNull(),
    requestedAt: plain.integer('requested_at').notNull(),
    startsAt: plain.integer('starts_at').notNull(),
    nextAt: plain.integer('next_at'),
    stoppedAt: plain.integer('stopped_at'),
  },
);

export const mailingInvoices = table(
  'mailing_invoices',
  {
    row: 'an invoice of a mailing: one mail',
    lifetime: {
      rules: [deleteAfter('at', 400 * DAY, 'mailing_invoices_at')],
      why: 'as long as the mails: it keeps one from being sent twice, and says why one was not; it names no person',
    },
    copies: { none: 'the mails are in the outbox; after a restore none goes on' },
  },
  {
    mailingId: plain.text('mailing_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    accountId: plain.integer('account_id').notNull(),
    n: plain.integer('n').notNull(),
    state: plain
      .text('state', { enum: ['waiting', 'handed', 'left-out'] })
      .notNull()
      .default('waiting'),
    why: plain.text('why').notNull().default(''),
    at: plain.integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.mailingId, table.invoiceId] })],
);
