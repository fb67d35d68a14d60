import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Books, type World } from '#worker/clinic/books';
import { type Asked, type ClinicCalls, READS } from '#worker/clinic/facade';

type Cell = SqlStorageValue;

const CODES: Record<number, string> = { 1: 'SQLITE_ERROR', 19: 'SQLITE_CONSTRAINT', 25: 'SQLITE_RANGE' };
const EXTENDED: Record<number, string> = { 3091: 'SQLITE_CONSTRAINT_DATATYPE', 1811: 'SQLITE_CONSTRAINT_TRIGGER' };

/** SQLite's words with the names of its codes behind them, as an object has them. */
function asObject(cause: unknown): Error {
  const { message, errcode = 1 } = cause as Error & { errcode?: number };
  const more = EXTENDED[errcode] ? ` (extended: ${EXTENDED[errcode]})` : '';
  return new Error(`${message}: ${CODES[errcode & 255] ?? `SQLITE code ${errcode}`}${more}`);
}

const SEVERAL = /;\s*\S/;
/** After one of these a statement that is prepared may answer other columns. */
const CHANGES_SCHEMA = /\b(?:create|alter|drop)\s/i;

type Prepared = { statement: StatementSync; columnNames: string[] };

/**
 * The storage of a Durable Object over SQLite in memory, for Node: `sql`, `transactionSync`, alarm, `deleteAll`. Each
 * statement is committed at once. The alarm is only kept: whoever plays the platform rings it.
 */
export function openNearStorage() {
  const sqlite = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  const prepared = new Map<string, Prepared>();
  let depth = 0;
  let alarmAt: number | null = null;
  let begun: number | null = null;
  let keptAlarm: number | null = null;
  let isKept = false;

  /** To ask a statement for its columns takes longer than to carry it out. */
  const preparedOf = (sql: string): Prepared => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = sqlite.prepare(sql);
    statement.setReturnArrays(true);
    const made = { statement, columnNames: statement.columns().map(({ name }) => name) };
    prepared.set(sql, made);
    return made;
  };

  const figure = (sql: string): number => {
    const [row] = preparedOf(sql).statement.all() as unknown as [unknown[]];
    return Number(row[0]);
  };

  const pageSize = figure('PRAGMA page_size');

  const bytes = (value: Cell): SQLInputValue => (value instanceof ArrayBuffer ? new Uint8Array(value) : value);
  const shown = (value: unknown): Cell =>
    value instanceof Uint8Array ? (value.slice().buffer as ArrayBuffer) : (value as Cell);

  function rowsOf(sql: string, values: Cell[]): { columnNames: string[]; rows: Cell[][] } {
    if (!prepared.has(sql) && CHANGES_SCHEMA.test(sql)) return changed(() => carriedOut(sql, values));
    return carriedOut(sql, values);
  }

  function carriedOut(sql: string, values: Cell[]): { columnNames: string[]; rows: Cell[][] } {
    if (values.length === 0 && !prepared.has(sql) && SEVERAL.test(sql)) {
      sqlite.exec(sql);
      return { columnNames: [], rows: [] };
    }
    const { statement, columnNames } = preparedOf(sql);
    const rows = statement.all(...values.map(bytes)) as unknown as unknown[][];
    return { columnNames, rows: rows.map((row) => row.map(shown)) };
  }

  function changed<T>(change: () => T): T {
    try {
      return change();
    } finally {
      prepared.clear();
    }
  }

  function exec(sql: string, ...values: Cell[]) {
    try {
      const isRead = READS.test(sql);
      const before = isRead ? 0 : figure('SELECT total_changes()');
      const { columnNames, rows } = rowsOf(sql, values);
      const rowsWritten = isRead ? 0 : figure('SELECT total_changes()') - before;
      const toArray = () => rows.map((row) => Object.fromEntries(columnNames.map((name, at) => [name, row[at]])));
      const one = () => {
        const [only, ...more] = toArray();
        if (!only || more.length > 0) throw new Error('Expected exactly one result from SQL query');
        return only;
      };
      return { columnNames, rowsRead: rows.length, rowsWritten, raw: () => rows.values(), toArray, one };
    } catch (cause) {
      throw asObject(cause);
    }
  }

  function transactionSync<T>(work: () => T): T {
    const name = `near_${depth++}`;
    sqlite.exec(`SAVEPOINT ${name}`);
    try {
      return work();
    } catch (cause) {
      sqlite.exec(`ROLLBACK TO ${name}`);
      throw cause;
    } finally {
      sqlite.exec(`RELEASE ${name}`);
      depth--;
    }
  }

  function dropAll(): void {
    prepared.clear();
    sqlite.exec('PRAGMA foreign_keys = off');
    // The tables behind a full-text index go with it.
    const left = sqlite.prepare(`SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view')
      AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, sql LIKE 'CREATE VIRTUAL%' DESC LIMIT 1`);
    for (let row = left.get(); row; row = left.get()) sqlite.exec(`DROP ${row.type} "${row.name}"`);
    sqlite.exec('PRAGMA foreign_keys = on');
  }

  const storage = {
    sql: {
      exec,
      get databaseSize() {
        return figure('PRAGMA page_count') * pageSize;
      },
    },
    transactionSync,
    getAlarm: async () => alarmAt,
    setAlarm: async (at: number | Date) => {
      alarmAt = Number(at);
    },
    deleteAlarm: async () => {
      alarmAt = null;
    },
    deleteAll: async () => dropAll(),
  };

  return {
    storage: storage as unknown as DurableObjectStorage,
    /** UTC ms of the alarm that is set; null: none. `take` is what the platform does before it rings. */
    alarmAt: () => alarmAt,
    takeAlarm() {
      alarmAt = null;
    },
    /** For a judge: reads past the object. */
    read: <T>(sql: string, ...values: Cell[]): T[] => exec(sql, ...values).toArray() as T[],
    /** As a backup: `putBack` makes everything as it is now, also more than once. */
    keep() {
      keptAlarm = alarmAt;
      if (isKept) sqlite.exec('RELEASE kept');
      sqlite.exec('SAVEPOINT kept');
      isKept = true;
    },
    /** False: nothing was kept. */
    putBack(): boolean {
      if (!isKept) return false;
      prepared.clear();
      sqlite.exec('ROLLBACK TO kept');
      alarmAt = keptAlarm;
      return true;
    },
    /** All that is written from here on, the alarm included, is forgotten by `forget`. */
    begin() {
      begun = alarmAt;
      sqlite.exec('BEGIN');
    },
    forget() {
      alarmAt = begun;
      isKept = false;
      sqlite.exec('ROLLBACK');
    },
  };
}

export type NearStorage = ReturnType<typeof openNearStorage>;

/** As RPC does it; `structuredClone` takes longer than most statements. */
const copied = (asked: Asked[]): Asked[] =>
  asked.map(({ sql, values }) => ({
    sql,
    values: values.map((value) => (value instanceof ArrayBuffer ? value.slice(0) : value)),
  }));

/**
 * A clinic's object in Node, over such a storage. Calls copy what they carry, as RPC does. `reset` ends the object as a
 * deployment does; it begins anew with the next call and knows only what is stored.
 */
export function nearObject({ storage }: Pick<NearStorage, 'storage'>, world: World) {
  let books: Promise<Books> | undefined;
  const living = () => {
    books ??= new Books(storage, world).open();
    return books;
  };
  const calls: ClinicCalls = {
    // Nothing of the answer is kept in the object.
    ask: async (schema, asked) => (await living()).ask(schema, copied(asked)),
    migrate: async (migrations) => (await living()).migrate(structuredClone(migrations)),
  };
  return {
    calls,
    books: living,
    reset() {
      books = undefined;
    },
  };
}
