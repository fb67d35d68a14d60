const PAUSE_MS = 100;
/** A process that was killed, or one that recovers what such a one left, lets go much sooner. */
const WAIT_MS = 30_000;

/**
 * A local D1 whose statements wait while another process has the file. The Workers runtime gives up at once: on a database
 * that a killed start still holds or left to be recovered, and when the product writes at the same moment. A statement that
 * met a lock did nothing, and neither did its batch. Says once that it waits; throws when the lock stays.
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
      if (!isTold) say('waiting for the database: another process is at it');
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

/** Where the lock was met at the opening of the file, the runtime says no more than that something failed inside of it. */
const isLocked = (cause: unknown) =>
  cause instanceof Error && /database is locked|SQLITE_BUSY|^internal error; reference = /.test(cause.message);
