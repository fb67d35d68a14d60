import { primaryKey } from 'drizzle-orm/sqlite-core';
import { plain, table } from './table.ts';

/** A download of all records, being made or waiting to be fetched. */
export const archives = table(
  'archives',
  {
    row: 'a download of all records, one for the clinic and one for the operator',
    lifetime: {
      rules: [{ does: 'delete', what: 'row and files', column: 'ends_at', ms: 0, apart: true }],
      why: 'a download waits a week to be fetched; a copy of everything must not lie about',
    },
    copies: { none: 'how far this export is' },
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

/** An account that an administrator wants closed. */
export const closings = table(
  'closings',
  {
    row: 'an account that an administrator wants closed',
    lifetime: { row: 'until it is taken back, or the account is erased', rules: [], why: 'the day on which it closes' },
    copies: { only: 'dump', why: 'whether the account closes: one that is put back does not' },
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
