import { primaryKey } from 'drizzle-orm/sqlite-core';
import { plain, table } from './table.ts';

/** State of the schedule and of restores: walks over the bucket, removable keys, and triggers set aside. */

export const bucketCursors = table(
  'bucket_cursors',
  {
    row: 'the progress of the walk over one prefix of the bucket',
    lifetime: { row: 'forever', rules: [], why: 'one row per prefix' },
    copies: { none: 'progress of a walk' },
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
    row: 'one older key of `TOKEN_KEYS` or `SESSION_KEYS` that no sealed or signed value needs any longer',
    lifetime: { row: 'as long as the key is in its ring', rules: [], why: 'it shows when the key can be removed' },
    copies: { only: 'dump', why: 'the installation has no export' },
  },
  {
    ring: plain.text('ring', { enum: ['TOKEN_KEYS', 'SESSION_KEYS'] }).notNull(),
    keyId: plain.text('key_id').notNull(),
    unusedSince: plain.integer('unused_since').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ring, table.keyId] })],
);

/** Triggers set aside until the end of a restore. */
export const waitingTriggers = table(
  'waiting_triggers',
  {
    row: 'one trigger that a restore has set aside',
    lifetime: { row: 'until the restore ends', rules: [], why: 'the restore then creates it again' },
    copies: { none: 'state of a restore in progress' },
  },
  {
    name: plain.text('name').primaryKey(),
    text: plain.text('text').notNull(),
  },
);
