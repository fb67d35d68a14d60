import { primaryKey } from 'drizzle-orm/sqlite-core';
import { plain, table } from './table.ts';

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
