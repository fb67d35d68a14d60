import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { type ClinicCalls, READ_PATTERN, type SerializedStatement } from '#worker/clinic/d1-interface';
import { Books, type BooksDeps } from '#worker/clinic/database-and-alarm';

type Cell = SqlStorageValue;

const CODES: Record<number, string> = { 1: 'SQLITE_ERROR', 19: 'SQLITE_CONSTRAINT', 25: 'SQLITE_RANGE' };
const EXTENDED: Record<number, string> = { 3091: 'SQLITE_CONSTRAINT_DATATYPE', 1811: 'SQLITE_CONSTRAINT_TRIGGER' };

/** Appends the names of SQLite's codes to its message, as a Durable Object does. */
function asObjectError(cause: unknown): Error {
  const { message, errcode = 1 } = cause as Error & { errcode?: number };
  const extended = EXTENDED[errcode] ? ` (extended: ${EXTENDED[errcode]})` : '';
  return new Error(`${message}: ${CODES[errcode & 255] ?? `SQLITE code ${errcode}`}${extended}`);
}

const SEVERAL_STATEMENTS = /;\s*\S/;
/** Statements after which a prepared statement may return different columns. */
const CHANGES_SCHEMA = /\b(?:create|alter|drop)\s/i;

type Prepared = { statement: StatementSync; columnNames: string[] };

/**
 * A Durable Object's storage for Node, over SQLite in memory: `sql`, `transactionSync`, alarm, `deleteAll`. Each
 * statement is committed at once. The alarm is only stored: the caller must fire it in place of the platform.
 */
export function openNearStorage() {
  const sqlite = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  const prepared = new Map<string, Prepared>();
  let depth = 0;
  let alarmAt: number | null = null;
  let alarmAtBegin: number | null = null;
  let savedAlarm: number | null = null;
  let isSaved = false;

  /** Prepares each statement once, because reading its columns takes longer than running it. */
  const preparedOf = (sql: string): Prepared => {
    const existing = prepared.get(sql);
    if (existing) return existing;
    const statement = sqlite.prepare(sql);
    statement.setReturnArrays(true);
    const entry = { statement, columnNames: statement.columns().map(({ name }) => name) };
    prepared.set(sql, entry);
    return entry;
  };

  const numberOf = (sql: string): number => {
    const [row] = preparedOf(sql).statement.all() as unknown as [unknown[]];
    return Number(row[0]);
  };

  const pageSize = numberOf('PRAGMA page_size');

  const toSqlite = (value: Cell): SQLInputValue => (value instanceof ArrayBuffer ? new Uint8Array(value) : value);
  const fromSqlite = (value: unknown): Cell =>
    value instanceof Uint8Array ? (value.slice().buffer as ArrayBuffer) : (value as Cell);

  function rowsOf(sql: string, values: Cell[]): { columnNames: string[]; rows: Cell[][] } {
    if (!prepared.has(sql) && CHANGES_SCHEMA.test(sql)) return clearPreparedAfter(() => run(sql, values));
    return run(sql, values);
  }

  function run(sql: string, values: Cell[]): { columnNames: string[]; rows: Cell[][] } {
    if (values.length === 0 && !prepared.has(sql) && SEVERAL_STATEMENTS.test(sql)) {
      sqlite.exec(sql);
      return { columnNames: [], rows: [] };
    }
    const { statement, columnNames } = preparedOf(sql);
    const rows = statement.all(...values.map(toSqlite)) as unknown as unknown[][];
    return { columnNames, rows: rows.map((row) => row.map(fromSqlite)) };
  }

  function clearPreparedAfter<T>(change: () => T): T {
    try {
      return change();
    } finally {
      prepared.clear();
    }
  }

  function exec(sql: string, ...values: Cell[]) {
    try {
      const isRead = READ_PATTERN.test(sql);
      const changesBefore = isRead ? 0 : numberOf('SELECT total_changes()');
      const { columnNames, rows } = rowsOf(sql, values);
      const rowsWritten = isRead ? 0 : numberOf('SELECT total_changes()') - changesBefore;
      const toArray = () => rows.map((row) => Object.fromEntries(columnNames.map((name, at) => [name, row[at]])));
      const one = () => {
        const [first, ...rest] = toArray();
        if (!first || rest.length > 0) throw new Error('Expected exactly one result from SQL query');
        return first;
      };
      return { columnNames, rowsRead: rows.length, rowsWritten, raw: () => rows.values(), toArray, one };
    } catch (cause) {
      throw asObjectError(cause);
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
    // Dropping a full-text index also drops the tables behind it.
    const nextTable = sqlite.prepare(`SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view')
      AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, sql LIKE 'CREATE VIRTUAL%' DESC LIMIT 1`);
    for (let row = nextTable.get(); row; row = nextTable.get()) sqlite.exec(`DROP ${row.type} "${row.name}"`);
    sqlite.exec('PRAGMA foreign_keys = on');
  }

  const storage = {
    sql: {
      exec,
      get databaseSize() {
        return numberOf('PRAGMA page_count') * pageSize;
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
    /** Time of the alarm (UTC ms); null if none is set. The platform takes the alarm before it fires it. */
    alarmAt: () => alarmAt,
    takeAlarm() {
      alarmAt = null;
    },
    /** Reads directly, bypassing the object, so that tests can check the data. */
    read: <T>(sql: string, ...values: Cell[]): T[] => exec(sql, ...values).toArray() as T[],
    /** Saves the current state, which `restoreState` restores any number of times. */
    saveState() {
      savedAlarm = alarmAt;
      if (isSaved) sqlite.exec('RELEASE kept');
      sqlite.exec('SAVEPOINT kept');
      isSaved = true;
    },
    /** Restores the saved state. Returns false if none was saved. */
    restoreState(): boolean {
      if (!isSaved) return false;
      prepared.clear();
      sqlite.exec('ROLLBACK TO kept');
      alarmAt = savedAlarm;
      return true;
    },
    /** Starts a run; `discardRun` discards everything written since, including the alarm. */
    beginRun() {
      alarmAtBegin = alarmAt;
      sqlite.exec('BEGIN');
    },
    discardRun() {
      alarmAt = alarmAtBegin;
      isSaved = false;
      sqlite.exec('ROLLBACK');
    },
  };
}

export type NearStorage = ReturnType<typeof openNearStorage>;

/** Copies statements as RPC does; `structuredClone` takes longer than most statements. */
const copyStatements = (statements: SerializedStatement[]): SerializedStatement[] =>
  statements.map(({ sql, values }) => ({
    sql,
    values: values.map((value) => (value instanceof ArrayBuffer ? value.slice(0) : value)),
  }));

/**
 * A clinic's object in Node, over this storage. Calls copy their arguments, as RPC does. `reset` ends the object as a
 * deployment does; the next call starts a new one, which knows only the stored state.
 */
export function nearObject({ storage }: Pick<NearStorage, 'storage'>, world: BooksDeps) {
  let books: Promise<Books> | undefined;
  const openBooks = () => {
    books ??= new Books(storage, world).open();
    return books;
  };
  const calls: ClinicCalls = {
    // The answer needs no copy, because the object keeps no part of it.
    ask: async (schema, statements) => (await openBooks()).ask(schema, copyStatements(statements)),
    migrate: async (migrations) => (await openBooks()).migrate(structuredClone(migrations)),
  };
  return {
    calls,
    books: openBooks,
    reset() {
      books = undefined;
    },
  };
}
