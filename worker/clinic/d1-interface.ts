import type { Migration } from './migration.ts';
import { NoSuchClinic } from './no-such-clinic.ts';

/**
 * A clinic's SQLite database with the interface of D1, so that both drizzle and handwritten statements run on it.
 * `d1Over` implements the interface, `remoteD1` uses it from the Worker, storage-as-d1.ts inside the object.
 * d1-interface.test.ts compares both with a real D1 and lists the differences.
 */

export { NoSuchClinic };

/** A value bound to a statement; `bind` converts the other types that D1 accepts. */
export type BoundValue = string | number | null | ArrayBuffer;
export type SerializedStatement = { sql: string; values: BoundValue[] };
export type Cell = string | number | null | number[];
/**
 * The result of a statement. `rows` are arrays, because objects would repeat the column names in each row over RPC.
 * `meta` has only the fields that SQLite can supply.
 */
export type StatementResult = { columns: string[]; rows: Cell[][]; meta: ResultMeta };
export type ResultMeta = Pick<
  D1Meta,
  'changes' | 'last_row_id' | 'changed_db' | 'size_after' | 'rows_read' | 'rows_written'
>;
/**
 * An object's response. Failures are values, because an error loses its type over RPC. `error`: the database's message;
 * `behind`: the object's newest migration; `missing`: no clinic exists here.
 */
export type Reply = { done: StatementResult[] } | { error: string } | { behind: number } | { missing: true };

/** The methods of a clinic's object that `remoteD1` calls. */
export type ClinicCalls = {
  /** Runs several statements in one transaction. `schema`: the newest migration in the caller's code. */
  ask(schema: number, statements: SerializedStatement[]): Promise<Reply>;
  /** Applies the pending migrations. */
  migrate(migrations: Migration[]): Promise<void>;
};

/** Matches statements that only read and may therefore be retried after a lost response. */
export const READ_PATTERN = /^\s*(?:SELECT|EXPLAIN|VALUES|WITH(?!.*\b(?:INSERT|UPDATE|DELETE|REPLACE)\b))\b/is;

/** Returns the error that D1 throws for a database error. */
export const d1Error = (message: string): Error => new Error(`D1_ERROR: ${message}`, { cause: new Error(message) });

/** Converts a number as JSON, and therefore D1, does: to null unless it is finite. */
export const jsonNumber = (value: number): number | null => (Number.isFinite(value) ? value + 0 : null);

const isByte = (value: unknown) => typeof value === 'number' && value >= 0 && value < 256;

/** Like D1, throws for undefined instead of binding NULL. */
function toBoundValue(value: unknown): BoundValue {
  if (typeof value === 'string' || value === null) return value;
  if (typeof value === 'number') return jsonNumber(value);
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof ArrayBuffer) return value.slice(0);
  if (ArrayBuffer.isView(value) || (Array.isArray(value) && value.every(isByte)))
    return Uint8Array.from(value as ArrayLike<number>).buffer;
  const reason = `Type '${typeof value}' not supported for value '${value}'`;
  throw new Error(`D1_TYPE_ERROR: ${reason}`, { cause: new Error(reason) });
}

type Row = Record<string, unknown>;
type RunStatements = (statements: SerializedStatement[]) => Promise<StatementResult[]>;

/** If several columns have the same name, the last one counts, as in D1. */
const objectsOf = ({ columns, rows }: StatementResult): Row[] =>
  rows.map((cells) => {
    const row: Row = {};
    for (let index = 0; index < columns.length; index++) row[columns[index] as string] = cells[index];
    return row;
  });

const resultOf = (result: StatementResult) => ({
  success: true,
  meta: { served_by: 'clinic', duration: 0, ...result.meta },
  results: objectsOf(result),
});

class Statement {
  readonly #ask: RunStatements;
  readonly sql: string;
  readonly values: BoundValue[];

  constructor(ask: RunStatements, sql: string, values: BoundValue[] = []) {
    this.#ask = ask;
    this.sql = sql;
    this.values = values;
  }

  bind(...values: unknown[]) {
    return new Statement(this.#ask, this.sql, values.map(toBoundValue));
  }

  async #result() {
    const [result] = await this.#ask([serializeStatement(this)]);
    return result as StatementResult;
  }

  async all() {
    return resultOf(await this.#result());
  }

  run() {
    return this.all();
  }

  async raw(options?: { columnNames?: boolean }) {
    const { columns, rows } = await this.#result();
    return options?.columnNames ? [columns, ...rows] : rows;
  }

  async first(column?: string) {
    const [row] = objectsOf(await this.#result());
    if (!row || column === undefined) return row ?? null;
    if (row[column] === undefined)
      throw new Error(`D1_COLUMN_NOTFOUND: Column not found (${column})`, { cause: new Error('Column not found') });
    return row[column];
  }
}

const serializeStatement = ({ sql, values }: Statement): SerializedStatement => ({ sql, values });

/**
 * Implements the D1 interface on top of `runStatements`. `exec` and `dump` are omitted because the product uses
 * neither. A session is the database itself, since there is only one copy.
 */
export function d1Over(runStatements: RunStatements): D1Database {
  const d1 = {
    prepare: (sql: string) => new Statement(runStatements, sql),
    batch: async (statements: Statement[]) => {
      if (statements.length === 0) throw d1Error('No SQL statements detected.');
      return (await runStatements(statements.map(serializeStatement))).map(resultOf);
    },
    withSession: () => d1,
    getBookmark: () => null,
  };
  return d1 as unknown as D1Database;
}

const MAX_TRIES = 3;
const PAUSE_MS = 50;

type PlatformError = Error & { retryable?: boolean; overloaded?: boolean };

export type RemoteOptions = {
  pause?: (ms: number) => Promise<unknown>;
  /** The object to which the clinic's records were restored after a loss; null if there is none. */
  findSuccessor?: () => Promise<(() => ClinicCalls) | null>;
};

/**
 * A clinic's database, as used by the Worker. `openStub` is called for each try, because a stub that has failed stays
 * broken. Only reads are retried: a write without a response may have been committed, and its caller must check, as
 * with D1. An object that lacks some of `migrations` runs nothing; they are sent to it, and the call is repeated.
 * Statements throw the errors of D1, or NoSuchClinic.
 */
export function remoteD1(
  openStub: () => ClinicCalls,
  migrations: readonly Migration[],
  {
    pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    findSuccessor = async () => null,
  }: RemoteOptions = {},
): D1Database {
  const schema = migrations.at(-1)?.number ?? 0;
  let openCurrent = openStub;
  async function withRetries<T>(mayRetry: boolean, call: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await call();
      } catch (cause) {
        const { retryable, overloaded, message } = cause as PlatformError;
        if (!mayRetry || !retryable || overloaded || tries === MAX_TRIES)
          throw new Error(`D1_ERROR: ${message}`, { cause });
        await pause(PAUSE_MS * 2 ** tries * Math.random());
      }
    }
  }

  return d1Over(async (statements) => {
    const isRead = statements.every(({ sql }) => READ_PATTERN.test(sql));
    const send = () => withRetries(isRead, () => openCurrent().ask(schema, statements));
    let reply = await send();
    if ('missing' in reply) {
      const successor = await findSuccessor();
      if (!successor) throw new NoSuchClinic();
      openCurrent = successor;
      reply = await send();
    }
    if ('behind' in reply) {
      const { behind } = reply;
      const pending = migrations.filter(({ number }) => number > behind);
      await withRetries(true, () => openCurrent().migrate(pending));
      reply = await send();
    }
    if ('done' in reply) return reply.done;
    if ('missing' in reply) throw new NoSuchClinic();
    throw d1Error('error' in reply ? reply.error : `the database is still behind, at migration ${reply.behind}`);
  });
}
