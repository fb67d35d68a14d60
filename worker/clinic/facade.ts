import type { Migration } from './migration.ts';
import { NoSuchClinic } from './no-such-clinic.ts';

/**
 * A clinic's SQLite database in the shape of D1, which is itself such an object behind a wire: drizzle and statements
 * written by hand run on both. `d1Over` is that shape, `remoteD1` brings it to the Worker, storage-as-d1.ts to the
 * object itself. facade.test.ts holds both to a real D1 and says what differs.
 */

export { NoSuchClinic };

/** A value on its way into the database; what D1 takes besides becomes one of these in `bind`. */
export type Value = string | number | null | ArrayBuffer;
export type Asked = { sql: string; values: Value[] };
export type Cell = string | number | null | number[];
/** Rows as arrays: over RPC, objects would carry their names once a row. `meta` lacks what only a D1 has to say. */
export type Answered = { columns: string[]; rows: Cell[][]; meta: AnsweredMeta };
export type AnsweredMeta = Pick<
  D1Meta,
  'changes' | 'last_row_id' | 'changed_db' | 'size_after' | 'rows_read' | 'rows_written'
>;
/**
 * An object's answer. Refusals are values, since an error loses its type on the wire. `error`: the database's own
 * words; `behind`: the number of the object's newest migration; `missing`: no clinic was founded here, or it was erased.
 */
export type Reply = { done: Answered[] } | { error: string } | { behind: number } | { missing: true };

/** What `remoteD1` needs of a clinic's object. */
export type ClinicCalls = {
  /** Several statements are one transaction. `schema`: the newest migration that the asking code knows of. */
  ask(schema: number, asked: Asked[]): Promise<Reply>;
  /** Carries out the migrations that it lacks. */
  migrate(migrations: Migration[]): Promise<void>;
};

/** What surely only reads: it may be asked again after its answer was lost. */
export const READS = /^\s*(?:SELECT|EXPLAIN|VALUES|WITH(?!.*\b(?:INSERT|UPDATE|DELETE|REPLACE)\b))\b/is;

/** The error that D1 throws for what the database says. */
export const failure = (message: string): Error => new Error(`D1_ERROR: ${message}`, { cause: new Error(message) });

/** JSON's idea of a number, which is D1's. */
export const jsonNumber = (value: number): number | null => (Number.isFinite(value) ? value + 0 : null);

const isByte = (value: unknown) => typeof value === 'number' && value >= 0 && value < 256;

/** As D1 has it: undefined is the caller's mistake, never a NULL. */
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

/** Of columns with one name the last stays, as with D1. */
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
 * D1's shape over what carries statements out. `exec` and `dump` are missing: the product uses neither. A session is
 * the database itself, which has one copy.
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
  /** Where its records were put back after they were lost; null: nowhere. */
  movedTo?: () => Promise<(() => ClinicCalls) | null>;
};

/**
 * A clinic's database in the Worker. `open` makes a new stub for each try: one that has failed stays broken. Only what
 * reads is asked again: a write that lost its answer may have been made, and its caller must find out, as with D1.
 * An object that lacks some of `migrations` is sent those and asked again; it has carried out nothing.
 * Statements throw as with D1, and NoSuchClinic.
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
