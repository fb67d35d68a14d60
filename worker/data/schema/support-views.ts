import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const supportViews = sqliteTable('support_views', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  grantedBy: integer('granted_by').notNull(),
  grantedAt: integer('granted_at').notNull(),
  endsAt: integer('ends_at').notNull(),
  endedAt: integer('ended_at'),
});
export type SupportViewRow = typeof supportViews.$inferSelect;
