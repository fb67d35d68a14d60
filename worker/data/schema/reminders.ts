import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const reminderPlans = sqliteTable('reminder_plans', {
  accountId: integer('account_id').primaryKey(),
  steps: text('steps').notNull(),
  changedBy: integer('changed_by').notNull(),
  changedAt: integer('changed_at').notNull(),
  doneDay: text('done_day').notNull(),
  nextRunAt: integer('next_run_at'),
  waitUntil: integer('wait_until').notNull().default(0),
});

export const reminders = sqliteTable('reminders', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  invoiceId: text('invoice_id').notNull(),
  step: integer('step').notNull(),
  state: text('state', { enum: ['owed', 'handed', 'void', 'skipped'] }).notNull(),
  why: text('why').notNull().default(''),
  day: text('day').notNull(),
  plannedAt: integer('planned_at').notNull(),
});

export const reminderExclusions = sqliteTable(
  'reminder_exclusions',
  {
    accountId: integer('account_id').notNull(),
    invoiceId: text('invoice_id').notNull(),
    excludedBy: integer('excluded_by').notNull(),
    excludedAt: integer('excluded_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.invoiceId] })],
);

export const mailStops = sqliteTable('reminder_opt_outs', {
  token: text('token').primaryKey(),
  accountId: integer('account_id').notNull(),
  address: text('address').notNull(),
  madeAt: integer('made_at').notNull(),
  stoppedAt: integer('stopped_at'),
});

export const mailDays = sqliteTable(
  'mail_days',
  {
    accountId: integer('account_id').notNull(),
    at: integer('at').notNull(),
    mails: integer('mails').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.at] })],
);
