import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** How far the schedule is with what it looks through: files of the bucket, and keys that are to be removed. */

export const bucketCursors = sqliteTable('bucket_cursors', {
  prefix: text('prefix').primaryKey(),
  afterKey: text('after_key').notNull(),
  nextAt: integer('next_at').notNull(),
});

export const retiredKeys = sqliteTable(
  'retired_keys',
  {
    ring: text('ring', { enum: ['TOKEN_KEYS', 'SESSION_KEYS'] }).notNull(),
    keyId: text('key_id').notNull(),
    unusedSince: integer('unused_since').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ring, table.keyId] })],
);

/** Triggers that wait for the end of a clinic's restore. */
export const waitingTriggers = sqliteTable('waiting_triggers', {
  name: text('name').primaryKey(),
  text: text('text').notNull(),
});
