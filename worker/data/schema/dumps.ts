import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The nightly dump of the database at hand; one row. */
export const dumps = sqliteTable('dumps', {
  id: integer('id').primaryKey(),
  dueAt: integer('due_at').notNull(),
  folder: text('folder').notNull().default(''),
  beganAt: integer('began_at').notNull().default(0),
  mark: integer('mark').notNull().default(0),
  tries: integer('tries').notNull().default(0),
  endedAt: integer('ended_at').notNull(),
  month: text('month').notNull().default(''),
  files: text('files').notNull().default('{}'),
});

/** How far each table of the dump under way is. */
export const dumpTables = sqliteTable('dump_tables', {
  name: text('name').primaryKey(),
  cut: integer('cut'),
  after: text('after').notNull().default('null'),
  isWhole: integer('is_whole').notNull().default(0),
  pieces: text('pieces').notNull().default('[]'),
});

export type DumpRow = typeof dumps.$inferSelect;
export type DumpTableRow = typeof dumpTables.$inferSelect;
