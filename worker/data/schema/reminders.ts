import { primaryKey } from 'drizzle-orm/sqlite-core';
import { DAY, deleteAfter, SEVEN_YEARS, withAccount } from './lifetime.ts';
import { personal, plain, table } from './table.ts';

export const reminderPlans = table(
  'reminder_plans',
  {
    row: 'when an account reminds its payers',
    lifetime: withAccount('one row'),
    copies: { only: 'dump', why: 'after a restore nobody is reminded until a manager says so again' },
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
    row: 'an invoice and a step of the plan: one reminder for ever',
    lifetime: {
      rules: [deleteAfter('planned_at', SEVEN_YEARS, 'reminders_planned')],
      why: 'it keeps a reminder from being sent twice, and says why one was not; it names an invoice and no person',
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
    row: 'an invoice that staff left out of reminders',
    lifetime: withAccount('what staff decided about an invoice; it names no customer'),
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
    row: 'an address that was reminded',
    lifetime: {
      row: 'with the account once its payer has stopped the reminders',
      rules: [
        {
          does: 'delete',
          what: 'addresses that stopped nothing',
          column: 'made_at',
          ms: 400 * DAY,
          index: 'reminder_opt_outs_unused',
          when: 'stopped_at IS NULL',
        },
      ],
      why: 'the way out of a mail works for thirteen months after the last one; who took it must not be written to again',
    },
    copies: { only: 'dump', why: 'each address has a capability; who stopped reminders is in the trail' },
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
    row: 'mails to payers, and notices of payments to staff, that an account came to owe on a day',
    lifetime: {
      rules: [deleteAfter('at', 31 * DAY, 'mail_days_at')],
      why: 'a cap counts one day',
    },
    copies: { none: 'counts of a day' },
  },
  {
    accountId: plain.integer('account_id').notNull(),
    at: plain.integer('at').notNull(),
    mails: plain.integer('mails').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.at] })],
);
