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
