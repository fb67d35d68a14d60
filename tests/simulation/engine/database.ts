/** One statement, batch or other call as it arrives at a database, on its way through the simulation. */
export type DatabaseCall<T = unknown> = { statements: string[]; execute(): Promise<T> };

/** Takes a call on its way: it lets it arrive, once, or lets it fail. */
export type DatabaseLine = <T>(call: DatabaseCall<T>) => Promise<T>;

type Bound = { sql: string; there: D1PreparedStatement };

/** A database whose calls all go by `line`. */
export function atLine(d1: D1Database, line: DatabaseLine): D1Database {
  const statement = (sql: string, there: D1PreparedStatement) => {
    const ask = <T>(execute: () => Promise<T>) => line({ statements: [sql], execute });
    return {
      sql,
      there,
      bind: (...values: unknown[]) => statement(sql, there.bind(...values)),
      all: () => ask(() => there.all()),
      run: () => ask(() => there.run()),
      raw: () => ask(() => there.raw()),
      first: (column?: string) => ask(() => (column === undefined ? there.first() : there.first(column))),
    };
  };
  const binding = {
    prepare: (sql: string) => statement(sql, d1.prepare(sql)),
    batch: (statements: Bound[]) =>
      line({
        statements: statements.map(({ sql }) => sql),
        execute: () => d1.batch(statements.map(({ there }) => there)),
      }),
  };
  return binding as unknown as D1Database;
}
