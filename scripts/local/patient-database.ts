const PAUSE_MS = 100;
/** A killed process, or one that recovers its database, lets go much sooner. */
const WAIT_MS = 30_000;

/**
 * A local D1 whose statements wait while another process locks the file. The Workers runtime fails at once, for
 * example when a killed start still holds the database or the product writes at the same moment. A statement that met
 * a lock changed nothing, and neither did its batch. Reports once that it waits; throws when the lock stays.
 */
export function patientDatabase(db: D1Database, say: (what: string) => void, waitMs = WAIT_MS): D1Database {
  const own = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  let isTold = false;

  async function waiting<T>(work: () => Promise<T>): Promise<T> {
    for (const end = Date.now() + waitMs; ; ) {
      try {
        return await work();
      } catch (cause) {
        if (!isLocked(cause) || Date.now() >= end) throw cause;
      }
      if (!isTold) say('waiting for the database: another process uses it');
      isTold = true;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  function patient(statement: D1PreparedStatement): D1PreparedStatement {
    const wrapped = {
      bind: (...values: unknown[]) => patient(statement.bind(...values)),
      first: (...column: [string]) => waiting(() => statement.first(...column)),
      all: () => waiting(() => statement.all()),
      run: () => waiting(() => statement.run()),
      raw: (...options: []) => waiting(() => statement.raw(...options)),
    } as D1PreparedStatement;
    own.set(wrapped, statement);
    return wrapped;
  }

  return {
    prepare: (text: string) => patient(db.prepare(text)),
    batch: (list: D1PreparedStatement[]) =>
      waiting(() => db.batch(list.map((statement) => own.get(statement) ?? statement))),
  } as D1Database;
}

/** When opening the file meets the lock, the runtime only reports an internal error. */
const isLocked = (cause: unknown) =>
  cause instanceof Error && /database is locked|SQLITE_BUSY|^internal error; reference = /.test(cause.message);
