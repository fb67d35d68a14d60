import { plain, table } from './table.ts';

/** The nightly dump of the database at hand; one row. */
export const dumps = table(
  'dumps',
  {
    row: 'the nightly dump of this database',
    lifetime: { row: 'for ever', rules: [], why: 'one row: the state of the nightly dump' },
    copies: { none: 'how far the dump is' },
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

/** How far each table of the dump under way is. */
export const dumpTables = table(
  'dump_tables',
  {
    row: 'how far a table of the dump under way is',
    lifetime: { row: 'until the dump under way has ended', rules: [], why: 'how far it is' },
    copies: { none: 'how far the dump is' },
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
