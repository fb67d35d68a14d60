import { squashMigrations } from './squash-migrations.ts';

/** A text, or what stands between words: white space and comments. */
const TEXT_OR_GAP = /'(?:[^']|'')*'|(?:--[^\n]*|\s)+/g;

/** In one line and without comments, since SQLite keeps a statement as it was given. */
const inOneLine = (statement: string): string =>
  statement.replace(TEXT_OR_GAP, (found) => (found.startsWith("'") ? found : ' '));

const isTrigger = (statement: string) => statement.startsWith('CREATE TRIGGER');

/**
 * What these migrations come to: a statement for each table, index, view and trigger, and for each row that they insert.
 * A founding by it is spared their history, because SQLite reads the whole schema again at each ALTER TABLE.
 */
export function newDatabaseSql(migrations: readonly { sql: string }[]): string {
  const { create, seeds } = squashMigrations(migrations.map(({ sql }) => ({ queries: [sql] })));
  const made = create.map(inOneLine);
  // The rows are there already as the triggers have left them.
  return [...made.filter((one) => !isTrigger(one)), ...Object.values(seeds).flat(), ...made.filter(isTrigger)].join(
    ';\n',
  );
}
