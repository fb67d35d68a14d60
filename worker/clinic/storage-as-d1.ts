import {
  type Cell,
  d1Error,
  d1Over,
  jsonNumber,
  READ_PATTERN,
  type SerializedStatement,
  type StatementResult,
} from './d1-interface.ts';

/** The parts of a Durable Object's storage that hold its SQLite database. */
export type Storage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

/** Called after each statement with the number of rows read and written. `written` includes index rows. */
export type StatementWatcher = (sql: string, read: number, written: number) => void;

/** Converts a value as JSON, and therefore D1, does. */
function toCell(value: SqlStorageValue): Cell {
  if (value instanceof ArrayBuffer) return [...new Uint8Array(value)];
  return typeof value === 'number' ? jsonNumber(value) : value;
}

/**
 * Runs statements synchronously and throws the database's own errors. Several statements run in one transaction, even
 * if a single text contains them all. Each cursor is read to its end at once, because otherwise it would see later
 * writes.
 */
export function createExecutor(
  storage: Storage,
  watch?: StatementWatcher,
): (statements: SerializedStatement[]) => StatementResult[] {
  const { sql } = storage;
  let lastId = 0;
  let lastTotal = 0;

  // Does not affect what changes() returns to the next statement.
  const updateCounters = () => {
    const [[total, id] = [0, 0]] = sql.exec('SELECT total_changes(), last_insert_rowid()').raw();
    lastTotal = Number(total);
    lastId = Number(id);
  };

  function run({ sql: text, values }: SerializedStatement): StatementResult {
    const isRead = READ_PATTERN.test(text);
    const previous = { total: lastTotal, id: lastId, size: isRead ? 0 : sql.databaseSize };
    const cursor = sql.exec(text, ...values);
    const { columnNames: columns } = cursor;
    const rows = [...cursor.raw()].map((row) => row.map(toCell));
    const { rowsRead, rowsWritten } = cursor;
    if (!isRead) updateCounters();
    const changes = isRead ? 0 : lastTotal - previous.total;
    watch?.(text, rowsRead, rowsWritten);
    const size = sql.databaseSize;
    const meta = {
      changes,
      last_row_id: lastId,
      changed_db: !isRead && (changes > 0 || lastId !== previous.id || size !== previous.size),
      size_after: size,
      rows_read: rowsRead,
      rows_written: rowsWritten,
    };
    return { columns, rows, meta };
  }

  return (statements) => {
    // Reads run without interruption, so they need no transaction.
    if (statements.every(({ sql: text }) => READ_PATTERN.test(text) && !text.includes(';'))) return statements.map(run);
    // The alarm or the runtime itself may have written since the last call.
    updateCounters();
    return storage.transactionSync(() => statements.map(run));
  };
}

/** Returns the object's database for code inside the object. Its promises exist only to match the D1 interface. */
export function asD1(storage: Storage, watch?: StatementWatcher): D1Database {
  const execute = createExecutor(storage, watch);
  return d1Over(async (statements) => {
    try {
      return execute(statements);
    } catch (cause) {
      throw d1Error(messageOf(cause));
    }
  });
}

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
