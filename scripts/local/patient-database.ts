import { waitWhileLocked } from './locked-database.ts';

/**
 * A local D1 whose statements wait while another process locks the file. The Workers runtime fails at once, for
 * example when a killed start still holds the database or the product writes at the same moment. A statement that met
 * a lock changed nothing, and neither did its batch. Reports once that it waits; throws when the lock stays.
 */
export function patientDatabase(db: D1Database, say: (what: string) => void, waitMs?: number): D1Database {
  const own = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  let isTold = false;
  const sayOnce = (what: string) => {
    if (!isTold) say(what);
    isTold = true;
  };
  const waiting = <T>(work: () => Promise<T>) => waitWhileLocked(work, sayOnce, waitMs);

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
