import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Troubles that ask for a person, which accounts they touch, and when each job of the schedule last ran. */

export const severities = ['now', 'daily'] as const;
export type Severity = (typeof severities)[number];

export const alerts = sqliteTable('alerts', {
  key: text('key').primaryKey(),
  event: text('event').notNull(),
  subject: text('subject').notNull(),
  severity: text('severity', { enum: severities }).notNull(),
  firstAt: integer('first_at').notNull(),
  lastAt: integer('last_at').notNull(),
  n: integer('n').notNull(),
  accounts: integer('accounts').notNull().default(0),
  toldAt: integer('told_at'),
  toldN: integer('told_n').notNull().default(0),
  toldAccounts: integer('told_accounts').notNull().default(0),
  ackedAt: integer('acked_at'),
  ackedBy: text('acked_by').notNull().default(''),
  closedAt: integer('closed_at'),
  closedAs: text('closed_as', { enum: ['', 'over', 'silent'] })
    .notNull()
    .default(''),
  fields: text('fields').notNull().default('{}'),
});
export type AlertRow = typeof alerts.$inferSelect;

export const alertAccounts = sqliteTable(
  'alert_accounts',
  {
    key: text('key').notNull(),
    account: integer('account').notNull(),
    firstAt: integer('first_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.key, t.account] })],
);
export type AffectedRow = typeof alertAccounts.$inferSelect;

export const heartbeats = sqliteTable('heartbeats', {
  job: text('job').primaryKey(),
  startedAt: integer('started_at').notNull(),
  finishedAt: integer('finished_at').notNull(),
  ok: integer('ok', { mode: 'boolean' }).notNull(),
  ms: integer('ms').notNull(),
  okAt: integer('ok_at').notNull(),
});
export type Heartbeat = typeof heartbeats.$inferSelect;
