import { DatabaseSync } from 'node:sqlite';

/** The schema that the migrations result in, read from a migrated database, never written by hand. */
export type SquashedSchema = {
  /** Every statement that creates it, in an order that works. */
  create: string[];
  /** The tables in the order of their creation. */
  tables: string[];
  /** Full text indexes, which need their own command to be emptied. */
  indexes: string[];
  /** Triggers that refuse to delete, by table. They are dropped while it is emptied. */
  guards: Record<string, { name: string; sql: string }[]>;
  /** Rows that the migrations themselves insert, by table, as statements. */
  seeds: Record<string, string[]>;
};

type Entry = { type: string; name: string; tbl_name: string; sql: string };
type Migration = { queries: string[] };

export function squashMigrations(migrations: Migration[]): SquashedSchema {
  const database = new DatabaseSync(':memory:');
  for (const { queries } of migrations) for (const query of queries) database.exec(query);
  const entries = database
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid')
    .all() as Entry[];
  const virtual = entries.filter(({ sql }) => sql.startsWith('CREATE VIRTUAL TABLE'));
  // A virtual table makes its own.
  const isShadow = ({ name }: Entry) => virtual.some((table) => name.startsWith(`${table.name}_`));
  const made = entries.filter((entry) => !isShadow(entry));
  const tables = made.filter((entry) => entry.type === 'table' && !virtual.includes(entry)).map(({ name }) => name);
  const guards = made.filter(({ type, sql }) => type === 'trigger' && /\bBEFORE DELETE\b[\s\S]*\bRAISE\b/i.test(sql));
  const schema = {
    // SQLite makes the table of its counters by itself.
    create: made.filter(({ name }) => name !== 'sqlite_sequence').map(({ sql }) => sql),
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
