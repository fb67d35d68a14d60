import { DatabaseSync } from 'node:sqlite';

/** The schema that results from the migrations, read from a migrated database. */
export type SquashedSchema = {
  /** The statements that create it, in a valid order. */
  create: string[];
  /** The tables in the order of their creation. */
  tables: string[];
  /** Full-text indexes, which need a special command to be emptied. */
  indexes: string[];
  /** Triggers that refuse deletion, by table. They are dropped while the table is emptied. */
  guards: Record<string, { name: string; sql: string }[]>;
  /** Statements that insert the rows of the migrations themselves, by table. */
  seeds: Record<string, string[]>;
};

type Entry = { type: string; name: string; tbl_name: string; sql: string };
type Migration = { queries: string[] };

/** Runs the migrations in memory and reads the resulting schema. */
export function squashMigrations(migrations: Migration[]): SquashedSchema {
  const database = new DatabaseSync(':memory:');
  for (const { queries } of migrations) for (const query of queries) database.exec(query);
  const entries = database
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid')
    .all() as Entry[];
  const virtual = entries.filter(({ sql }) => sql.startsWith('CREATE VIRTUAL TABLE'));
  // A virtual table creates its shadow tables itself.
  const isShadow = ({ name }: Entry) => virtual.some((table) => name.startsWith(`${table.name}_`));
  const items = entries.filter((entry) => !isShadow(entry));
  const tables = items.filter((entry) => entry.type === 'table' && !virtual.includes(entry)).map(({ name }) => name);
  const guards = items.filter(({ type, sql }) => type === 'trigger' && /\bBEFORE DELETE\b[\s\S]*\bRAISE\b/i.test(sql));
  const schema = {
    // SQLite creates its counter table itself.
    create: items.filter(({ name }) => name !== 'sqlite_sequence').map(({ sql }) => sql),
    tables,
    indexes: virtual.map(({ name }) => name),
    guards: Object.groupBy(guards, ({ tbl_name }) => tbl_name) as SquashedSchema['guards'],
    seeds: Object.fromEntries(
      tables.map((table) => [table, insertsOf(database, table)]).filter(([, rows]) => (rows?.length ?? 0) > 0),
    ) as SquashedSchema['seeds'],
  };
  database.close();
  return schema;
}

function insertsOf(database: DatabaseSync, table: string): string[] {
  const rows = database.prepare(`SELECT * FROM ${table}`).all();
  return rows.map((row) => {
    const values = Object.values(row).map((value) =>
      typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value ?? 'NULL'),
    );
    return `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})`;
  });
}
