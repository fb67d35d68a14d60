import { primaryKey } from 'drizzle-orm/sqlite-core';
import { DAY, deleteAfter } from './lifetime.ts';
import { plain, table } from './table.ts';

export const mailings = table(
  'mailings',
  {
    row: 'one mailing: pay links that staff send to many payers at once',
    lifetime: {
      rules: [deleteAfter('requested_at', 400 * DAY, 'mailings_asked')],
      why: 'thirteen months, as long as its mails',
    },
    copies: { none: 'the outbox has the mails, the audit trail the requester; a restore resumes no mailing' },
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
    row: 'one invoice of a mailing, and so one mail',
    lifetime: {
      rules: [deleteAfter('at', 400 * DAY, 'mailing_invoices_at')],
      why: 'as long as the mails; it prevents a second mail and gives the reason for an unsent one; it names no person',
    },
    copies: { none: 'the outbox has the mails; a restore resumes no mailing' },
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
