import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** One statement or batch as it arrives at the database, on its way through the simulation. */
export type DatabaseCall = { statements: string[]; execute(): unknown };

/** Takes a call on its way: it lets it arrive, once, or lets it fail. */
export type DatabaseLine = (call: DatabaseCall) => Promise<unknown>;

export type Database = ReturnType<typeof openDatabase>;

/** D1 by the binding's own words over SQLite in memory. `line` is asked for every call of the product. */
export function openDatabase(schema: string[]) {
  const sqlite = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  for (const statement of schema) sqlite.exec(statement);
  const prepared = new Map<string, StatementSync>();
  let line: DatabaseLine = async (call) => call.execute();

  const statementOf = (sql: string): StatementSync => {
    let statement = prepared.get(sql);
    if (!statement) {
      statement = sqlite.prepare(sql);
      prepared.set(sql, statement);
    }
    return statement;
  };

  /** D1 refuses what has no form in SQL, and takes a truth value as a number. */
  const bindable = (value: unknown): SQLInputValue => {
    if (typeof value === 'boolean') return value ? 1 : 0;
    if (value === undefined) throw new TypeError("D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'");
    return value as SQLInputValue;
  };

  function rowsOf(sql: string, values: unknown[], asArrays = false): unknown[] {
    const statement = statementOf(sql);
    statement.setReturnArrays(asArrays);
    try {
      return statement.all(...values.map(bindable));
    } catch (cause) {
      throw new Error(`D1_ERROR: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  }

  /** All of them or none; inside the transaction that keeps a run apart from the next. */
  function together<T>(work: () => T): T {
    sqlite.exec('SAVEPOINT batch');
    try {
      const results = work();
      sqlite.exec('RELEASE batch');
      return results;
    } catch (cause) {
      sqlite.exec('ROLLBACK TO batch');
      sqlite.exec('RELEASE batch');
      throw cause;
    }
  }

  const changes = sqlite.prepare('SELECT total_changes() AS n');
  const changedSoFar = () => Number(changes.get()?.n ?? 0);

  function answer(sql: string, values: unknown[]) {
    const before = changedSoFar();
    const results = rowsOf(sql, values);
    const changed = changedSoFar() - before;
    return { success: true, results, meta: { changes: changed, changed_db: changed > 0, duration: 0 } };
  }

  type Bound = { sql: string; values: unknown[] };

  const statement = (sql: string, values: unknown[]) => {
    const ask = <T>(execute: () => T) => line({ statements: [sql], execute: () => together(execute) }) as Promise<T>;
    return {
      sql,
      values,
      bind: (...bound: unknown[]) => statement(sql, bound),
      all: () => ask(() => answer(sql, values)),
      run: () => ask(() => answer(sql, values)),
      raw: () => ask(() => rowsOf(sql, values, true)),
      first: (column?: string) =>
        ask(() => {
          const row = (rowsOf(sql, values)[0] ?? null) as Record<string, unknown> | null;
          return row && column !== undefined ? row[column] : row;
        }),
    };
  };

  const binding = {
    prepare: (sql: string) => statement(sql, []),
    batch: (statements: Bound[]) =>
      line({
        statements: statements.map(({ sql }) => sql),
        execute: () => together(() => statements.map(({ sql, values }) => answer(sql, values))),
      }),
  };

  return {
    /** For the product, as `env.DB`. */
    binding: binding as unknown as D1Database,
    route(by: DatabaseLine) {
      line = by;
    },
    /** For the judge: reads at once, past the simulation. */
    read: <T>(sql: string, ...values: SQLInputValue[]): T[] => rowsOf(sql, values) as T[],
    /** All that is written from here on is forgotten by `forget`. */
    begin: () => sqlite.exec('BEGIN'),
    forget: () => sqlite.exec('ROLLBACK'),
  };
}
