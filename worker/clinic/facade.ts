import type { Migration } from './migration.ts';
import { NoSuchClinic } from './no-such-clinic.ts';

/**
 * A clinic's SQLite database with the interface of D1, so that both drizzle and handwritten statements run on it.
 * `d1Over` implements the interface, `remoteD1` uses it from the Worker, storage-as-d1.ts inside the object.
 * facade.test.ts compares both with a real D1 and lists the differences.
 */

export { NoSuchClinic };

/** A value bound to a statement; `bind` converts the other types that D1 accepts. */
export type Value = string | number | null | ArrayBuffer;
export type Asked = { sql: string; values: Value[] };
export type Cell = string | number | null | number[];
/**
 * Rows as arrays: over RPC, objects would repeat the column names in each row. `meta` has only the fields that SQLite
 * can supply.
 */
export type Answered = { columns: string[]; rows: Cell[][]; meta: AnsweredMeta };
export type AnsweredMeta = Pick<
  D1Meta,
  'changes' | 'last_row_id' | 'changed_db' | 'size_after' | 'rows_read' | 'rows_written'
>;
/**
 * An object's response. Failures are values, because an error loses its type over RPC. `error`: the database's message;
 * `behind`: the object's newest migration; `missing`: no clinic was founded here, or it was erased.
 */
export type Reply = { done: Answered[] } | { error: string } | { behind: number } | { missing: true };

/** The methods of a clinic's object that `remoteD1` calls. */
export type ClinicCalls = {
  /** Runs several statements in one transaction. `schema`: the newest migration in the caller's code. */
  ask(schema: number, asked: Asked[]): Promise<Reply>;
  /** Applies the pending migrations. */
  migrate(migrations: Migration[]): Promise<void>;
};

/** Matches statements that only read, and so may be retried after a lost response. */
export const READS = /^\s*(?:SELECT|EXPLAIN|VALUES|WITH(?!.*\b(?:INSERT|UPDATE|DELETE|REPLACE)\b))\b/is;

/** The error that D1 throws for a database error. */
export const failure = (message: string): Error => new Error(`D1_ERROR: ${message}`, { cause: new Error(message) });

/** A number as JSON, and so D1, represents it: null unless finite. */
export const jsonNumber = (value: number): number | null => (Number.isFinite(value) ? value + 0 : null);

const isByte = (value: unknown) => typeof value === 'number' && value >= 0 && value < 256;

/** Like D1, throws for undefined instead of binding NULL. */
function bound(value: unknown): Value {
  if (typeof value === 'string' || value === null) return value;
  if (typeof value === 'number') return jsonNumber(value);
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof ArrayBuffer) return value.slice(0);
  if (ArrayBuffer.isView(value) || (Array.isArray(value) && value.every(isByte)))
    return Uint8Array.from(value as ArrayLike<number>).buffer;
  const why = `Type '${typeof value}' not supported for value '${value}'`;
  throw new Error(`D1_TYPE_ERROR: ${why}`, { cause: new Error(why) });
}

type Row = Record<string, unknown>;
type Ask = (asked: Asked[]) => Promise<Answered[]>;

/** If several columns have the same name, the last one counts, as in D1. */
const objectsOf = ({ columns, rows }: Answered): Row[] =>
  rows.map((cells) => {
    const row: Row = {};
    for (let at = 0; at < columns.length; at++) row[columns[at] as string] = cells[at];
    return row;
  });

const resultOf = (answered: Answered) => ({
  success: true,
  meta: { served_by: 'clinic', duration: 0, ...answered.meta },
  results: objectsOf(answered),
});

class Statement {
  readonly #ask: Ask;
  readonly sql: string;
  readonly values: Value[];

  constructor(ask: Ask, sql: string, values: Value[] = []) {
    this.#ask = ask;
    this.sql = sql;
    this.values = values;
  }

  bind(...values: unknown[]) {
    return new Statement(this.#ask, this.sql, values.map(bound));
  }

  async #answered() {
    const [answered] = await this.#ask([asked(this)]);
    return answered as Answered;
  }

  async all() {
    return resultOf(await this.#answered());
  }

  run() {
    return this.all();
  }

  async raw(options?: { columnNames?: boolean }) {
    const { columns, rows } = await this.#answered();
    return options?.columnNames ? [columns, ...rows] : rows;
  }

  async first(column?: string) {
    const [row] = objectsOf(await this.#answered());
    if (!row || column === undefined) return row ?? null;
    if (row[column] === undefined)
      throw new Error(`D1_COLUMN_NOTFOUND: Column not found (${column})`, { cause: new Error('Column not found') });
    return row[column];
  }
}

const asked = ({ sql, values }: Statement): Asked => ({ sql, values });

/**
 * Implements the D1 interface on top of `ask`. `exec` and `dump` are omitted because the product uses neither. A
 * session is the database itself, since there is only one copy.
 */
export function d1Over(ask: Ask): D1Database {
  const d1 = {
    prepare: (sql: string) => new Statement(ask, sql),
    batch: async (statements: Statement[]) => {
      if (statements.length === 0) throw failure('No SQL statements detected.');
      return (await ask(statements.map(asked))).map(resultOf);
    },
    withSession: () => d1,
    getBookmark: () => null,
  };
  return d1 as unknown as D1Database;
}

const TRIES = 3;
const PAUSE_MS = 50;

type Platform = Error & { retryable?: boolean; overloaded?: boolean };

export type Far = {
  pause?: (ms: number) => Promise<unknown>;
  /** The object to which its records were restored after a loss; null: none. */
  movedTo?: () => Promise<(() => ClinicCalls) | null>;
};

/**
 * A clinic's database, as used by the Worker. `open` creates a new stub for each try, because a stub that has failed
 * stays broken. Only reads are retried: a write without a response may have been committed, and its caller must find
 * out, as with D1. If the object lacks some of `migrations`, it has run nothing; it gets them and the call is repeated.
 * Statements throw the errors of D1, and NoSuchClinic.
 */
export function remoteD1(
  open: () => ClinicCalls,
  migrations: readonly Migration[],
  { pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms)), movedTo = async () => null }: Far = {},
): D1Database {
  const schema = migrations.at(-1)?.number ?? 0;
  let openIts = open;
  async function again<T>(mayRepeat: boolean, call: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await call();
      } catch (cause) {
        const { retryable, overloaded, message } = cause as Platform;
        if (!mayRepeat || !retryable || overloaded || tries === TRIES)
          throw new Error(`D1_ERROR: ${message}`, { cause });
        await pause(PAUSE_MS * 2 ** tries * Math.random());
      }
    }
  }

  return d1Over(async (all) => {
    const isRead = all.every(({ sql }) => READS.test(sql));
    const reply = () => again(isRead, () => openIts().ask(schema, all));
    let answer = await reply();
    if ('missing' in answer) {
      const later = await movedTo();
      if (!later) throw new NoSuchClinic();
      openIts = later;
      answer = await reply();
    }
    if ('behind' in answer) {
      const { behind } = answer;
      const lacking = migrations.filter(({ number }) => number > behind);
      await again(true, () => openIts().migrate(lacking));
      answer = await reply();
    }
    if ('done' in answer) return answer.done;
    if ('missing' in answer) throw new NoSuchClinic();
    throw failure('error' in answer ? answer.error : `the database is still behind, at migration ${answer.behind}`);
  });
}
