/** A statement, batch or other database call on its way through the simulation. */
export type DatabaseCall<T = unknown> = { statements: string[]; execute(): Promise<T> };

/** Carries a call: executes it once, or lets it fail. */
export type DatabaseLine = <T>(call: DatabaseCall<T>) => Promise<T>;

type BoundStatement = { sql: string; prepared: D1PreparedStatement };

/** A database whose calls all pass through `line`. */
export function throughLine(d1: D1Database, line: DatabaseLine): D1Database {
  const statement = (sql: string, prepared: D1PreparedStatement) => {
    const call = <T>(execute: () => Promise<T>) => line({ statements: [sql], execute });
    return {
      sql,
      prepared,
      bind: (...values: unknown[]) => statement(sql, prepared.bind(...values)),
      all: () => call(() => prepared.all()),
      run: () => call(() => prepared.run()),
      raw: () => call(() => prepared.raw()),
      first: (column?: string) => call(() => (column === undefined ? prepared.first() : prepared.first(column))),
    };
  };
  const binding = {
    prepare: (sql: string) => statement(sql, d1.prepare(sql)),
    batch: (statements: BoundStatement[]) =>
      line({
        statements: statements.map(({ sql }) => sql),
        execute: () => d1.batch(statements.map(({ prepared }) => prepared)),
      }),
  };
  return binding as unknown as D1Database;
}
