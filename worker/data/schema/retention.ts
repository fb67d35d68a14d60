import { primaryKey } from 'drizzle-orm/sqlite-core';
import { plain, table } from './table.ts';

/** How far the schedule is with what it looks through: files of the bucket, and keys that are to be removed. */

export const bucketCursors = table(
  'bucket_cursors',
  {
    row: 'how far the walk over a prefix of the bucket is',
    lifetime: { row: 'for ever', rules: [], why: 'a row for each prefix that is looked through' },
    copies: { none: 'how far a walk is' },
  },
  {
    prefix: plain.text('prefix').primaryKey(),
    afterKey: plain.text('after_key').notNull(),
    nextAt: plain.integer('next_at').notNull(),
  },
);

export const retiredKeys = table(
  'retired_keys',
  {
    row: 'an older key of `TOKEN_KEYS` or `SESSION_KEYS` that nothing is sealed or signed with any more',
    lifetime: { row: 'as long as the key is in its ring', rules: [], why: 'it says when a key may go' },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    ring: plain.text('ring', { enum: ['TOKEN_KEYS', 'SESSION_KEYS'] }).notNull(),
    keyId: plain.text('key_id').notNull(),
    unusedSince: plain.integer('unused_since').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ring, table.keyId] })],
);

/** Triggers that wait for the end of a clinic's restore. */
export const waitingTriggers = table(
  'waiting_triggers',
  {
    row: 'a trigger that a restore has set aside',
    lifetime: { row: 'until the restore ends', rules: [], why: 'they are the database’s own' },
    copies: { none: 'of a restore that is under way' },
  },
  {
    name: plain.text('name').primaryKey(),
    text: plain.text('text').notNull(),
  },
);
