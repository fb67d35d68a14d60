import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A download of all records, being made or waiting to be fetched. */
export const archives = sqliteTable(
  'archives',
  {
    accountId: integer('account_id').notNull(),
    kind: text('kind', { enum: ['clinic', 'operator'] }).notNull(),
    id: text('id').notNull(),
    requestedAt: integer('requested_at').notNull(),
    dueAt: integer('due_at'),
    tries: integer('tries').notNull().default(0),
    progress: text('progress').notNull().default(''),
    readyAt: integer('ready_at'),
    endsAt: integer('ends_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind] })],
);

/** An account that an administrator wants closed. */
export const closings = sqliteTable('closings', {
  accountId: integer('account_id').primaryKey(),
  requestedBy: integer('requested_by').notNull(),
  requestedAt: integer('requested_at').notNull(),
  tryAt: integer('try_at').notNull(),
  stood: text('stood').notNull().default('[]'),
});

export type ArchiveRow = typeof archives.$inferSelect;
export type ArchiveKind = ArchiveRow['kind'];
export type ClosingRow = typeof closings.$inferSelect;
