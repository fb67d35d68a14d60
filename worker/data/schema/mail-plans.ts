import { primaryKey } from 'drizzle-orm/sqlite-core';
import { DAY, deleteAfter, personal, plain, SEVEN_YEARS, table, withAccount } from './table.ts';

export const reminderPlans = table(
  'reminder_plans',
  {
    row: 'the reminder plan of an account',
    lifetime: withAccount('one row per account'),
    copies: { only: 'dump', why: 'after a restore, reminders stay off until a manager enables them again' },
  },
  {
    accountId: plain.integer('account_id').primaryKey(),
    steps: plain.text('steps').notNull(),
    changedBy: plain.integer('changed_by').notNull(),
    changedAt: plain.integer('changed_at').notNull(),
    doneDay: plain.text('done_day').notNull(),
    nextRunAt: plain.integer('next_run_at'),
    waitUntil: plain.integer('wait_until').notNull().default(0),
  },
);

export const reminders = table(
  'reminders',
  {
    row: 'one step of the plan for one invoice: a reminder that is sent once at most',
    lifetime: {
      rules: [deleteAfter('planned_at', SEVEN_YEARS, 'reminders_planned')],
      why: 'it prevents a second reminder, and gives the reason for an unsent one; it names an invoice, no person',
    },
    copies: 'export and dump',
  },
  {
    id: plain.text('id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    step: plain.integer('step').notNull(),
    state: plain.text('state', { enum: ['owed', 'handed', 'void', 'skipped'] }).notNull(),
    why: plain.text('why').notNull().default(''),
    day: plain.text('day').notNull(),
    plannedAt: plain.integer('planned_at').notNull(),
  },
);

export const reminderExclusions = table(
  'reminder_exclusions',
  {
    row: 'one invoice that staff excluded from reminders',
    lifetime: withAccount('a decision of staff about an invoice; it names no customer'),
    copies: 'export and dump',
  },
  {
    accountId: plain.integer('account_id').notNull(),
    invoiceId: plain.text('invoice_id').notNull(),
    excludedBy: plain.integer('excluded_by').notNull(),
    excludedAt: plain.integer('excluded_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.invoiceId] })],
);

export const mailStops = table(
  'reminder_opt_outs',
  {
    row: 'one address that got reminders',
    lifetime: {
      row: 'as long as the account, once its payer has stopped the reminders',
      rules: [
        {
          does: 'delete',
          what: 'addresses without an opt-out',
          column: 'made_at',
          ms: 400 * DAY,
          index: 'reminder_opt_outs_unused',
          when: 'stopped_at IS NULL',
        },
      ],
      why:
        'the opt-out link works for thirteen months after the last reminder; ' +
        'an address that opted out must get no more reminders',
    },
    copies: { only: 'dump', why: 'each row has a capability; the audit trail has the opt-outs' },
    key: ['token'],
  },
  {
    token: plain.text('token').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    address: personal.text('address').notNull(),
    madeAt: plain.integer('made_at').notNull(),
    stoppedAt: plain.integer('stopped_at'),
  },
);

export const mailDays = table(
  'mail_days',
  {
    row: 'the number of an account’s mails to payers and payment notices to staff on one day (UTC)',
    lifetime: {
      rules: [deleteAfter('at', 31 * DAY)],
      why: 'the limit on mails counts one day',
    },
    copies: { none: 'counts of single days' },
    key: ['at', 'account_id'],
  },
  {
    accountId: plain.integer('account_id').notNull(),
    at: plain.integer('at').notNull(),
    mails: plain.integer('mails').notNull(),
  },
  (table) => [primaryKey({ columns: [table.at, table.accountId] })],
);

export const mailings = table(
  'mailings',
  {
    row: 'one mailing: pay links that staff send to many payers at once',
    lifetime: {
      rules: [deleteAfter('requested_at', 400 * DAY, 'mailings_asked')],
      why: 'thirteen months, as long as its mails',
    },
    copies: { none: 'the outbox has the mails, the audit trail the requester; a restore resumes no mailing' },
    key: ['id'],
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
    key: ['mailing_id', 'invoice_id'],
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

export const paymentNotices = table(
  'payment_notices',
  {
    row: 'one member of staff who gets mails about paid pay links; without a row: none',
    lifetime: {
      row: 'until the mails are switched off, or the person is removed from the team',
      rules: [],
      why: 'one row per recipient',
    },
    copies: 'export and dump',
  },
  {
    accountId: plain.integer('account_id').notNull(),
    userId: plain.integer('user_id').notNull(),
    how: plain.text('how', { enum: ['at-once', 'daily'] }).notNull(),
    toldUntil: plain.integer('told_until').notNull(),
    nextAt: plain.integer('next_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.userId] })],
);
