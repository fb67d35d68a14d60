const PAUSE_MS = 100;
/** A killed process, or one that recovers its database, lets go much sooner. */
const WAIT_MS = 30_000;

/**
 * Does some work on a local database again while another process locks it: a statement that met a lock changed nothing.
 * Says once that it waits; throws the work's own error when the lock stays.
 */
export async function waitWhileLocked<T>(
  work: () => T | Promise<T>,
  say: (what: string) => void,
  waitMs = WAIT_MS,
): Promise<T> {
  let isTold = false;
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

/** When opening the file meets the lock, the runtime only reports an internal error. */
const isLocked = (cause: unknown) =>
  cause instanceof Error && /database is locked|SQLITE_BUSY|internal error; reference = /.test(cause.message);
