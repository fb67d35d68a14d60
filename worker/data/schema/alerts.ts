import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What needs an act of the operator; one row as long as it stands. */
export const alerts = sqliteTable('alerts', {
  key: text('key').primaryKey(),
  event: text('event').notNull(),
  subject: text('subject').notNull().default(''),
  severity: text('severity').notNull(),
  firstAt: integer('first_at').notNull(),
  lastAt: integer('last_at').notNull(),
  n: integer('n').notNull().default(1),
  toldAt: integer('told_at'),
  ackedAt: integer('acked_at'),
  ackedBy: text('acked_by'),
  closedAt: integer('closed_at'),
  fields: text('fields').notNull().default('{}'),
});

export type AlertRow = typeof alerts.$inferSelect;
