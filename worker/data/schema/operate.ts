import { primaryKey } from 'drizzle-orm/sqlite-core';
import { plain, table } from './table.ts';

/** The state of this database's nightly dump; one row. */
export const dumps = table(
  'dumps',
  {
    row: 'the state of this database’s nightly dump',
    lifetime: { row: 'forever', rules: [], why: 'one row' },
    copies: { none: 'progress of the dump' },
  },
  {
    id: plain.integer('id').primaryKey(),
    dueAt: plain.integer('due_at').notNull(),
    folder: plain.text('folder').notNull().default(''),
    beganAt: plain.integer('began_at').notNull().default(0),
    mark: plain.integer('mark').notNull().default(0),
    tries: plain.integer('tries').notNull().default(0),
    endedAt: plain.integer('ended_at').notNull(),
    month: plain.text('month').notNull().default(''),
    files: plain.text('files').notNull().default('{}'),
  },
);

/** The progress of each table in the current dump. */
export const dumpTables = table(
  'dump_tables',
  {
    row: 'the progress of one table in the current dump',
    lifetime: { row: 'until the dump ends', rules: [], why: 'progress only' },
    copies: { none: 'progress of the dump' },
    key: ['name'],
  },
  {
    name: plain.text('name').primaryKey(),
    cut: plain.integer('cut'),
    after: plain.text('after').notNull().default('null'),
    isWhole: plain.integer('is_whole').notNull().default(0),
    pieces: plain.text('pieces').notNull().default('[]'),
  },
);

export type DumpRow = typeof dumps.$inferSelect;
export type DumpTableRow = typeof dumpTables.$inferSelect;

/** State of the schedule and of restores: cursors over the bucket, removable keys, and triggers set aside. */

export const bucketCursors = table(
  'bucket_cursors',
  {
    row: 'the progress of the walk over one prefix of the bucket',
    lifetime: { row: 'forever', rules: [], why: 'one row per prefix' },
    copies: { none: 'progress of a walk' },
    key: ['prefix'],
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
    key: ['name'],
  },
  {
    name: plain.text('name').primaryKey(),
    text: plain.text('text').notNull(),
  },
);

/** Downloads of all records, in progress or ready. */
export const archives = table(
  'archives',
  {
    row: 'one download of all records; the clinic and the operator each have at most one',
    lifetime: {
      rules: [{ does: 'delete', what: 'row and files', column: 'ends_at', ms: 0, apart: true }],
      why: 'a download is available for a week; a copy of all records must not stay longer',
    },
    copies: { none: 'progress of the export itself' },
    key: ['account_id', 'kind'],
  },
  {
    accountId: plain.integer('account_id').notNull(),
    kind: plain.text('kind', { enum: ['clinic', 'operator'] }).notNull(),
    id: plain.text('id').notNull(),
    requestedAt: plain.integer('requested_at').notNull(),
    dueAt: plain.integer('due_at'),
    tries: plain.integer('tries').notNull().default(0),
    progress: plain.text('progress').notNull().default(''),
    readyAt: plain.integer('ready_at'),
    endsAt: plain.integer('ends_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind] })],
);

/** Requests of administrators to close an account. */
export const closings = table(
  'closings',
  {
    row: 'one request of an administrator to close the account',
    lifetime: { row: 'until it is withdrawn, or the account is erased', rules: [], why: 'it has the closing day' },
    copies: { only: 'dump', why: 'an account that is restored from an export does not close' },
  },
  {
    accountId: plain.integer('account_id').primaryKey(),
    requestedBy: plain.integer('requested_by').notNull(),
    requestedAt: plain.integer('requested_at').notNull(),
    tryAt: plain.integer('try_at').notNull(),
    stood: plain.text('stood').notNull().default('[]'),
  },
);

export type ArchiveRow = typeof archives.$inferSelect;
export type ArchiveKind = ArchiveRow['kind'];
export type ClosingRow = typeof closings.$inferSelect;
