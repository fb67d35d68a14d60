import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Books, type World } from '#worker/clinic/books';
import { remoteD1 } from '#worker/clinic/facade';
import { clinicMigrations } from '#worker/clinic/migrations';

/** No other file of tests meets these numbers. */
let last = 1_000_000 + Math.floor(Math.random() * 1_000_000_000);
let erased = last;

/** A clinic's object that no other test has, and its database from the Worker. */
export function makeObject() {
  const clinic = ++last;
  const open = () => env.CLINICS.getByName(String(clinic));
  const inside = <T>(work: (storage: DurableObjectStorage, state: DurableObjectState) => Promise<T>): Promise<T> =>
    runInDurableObject(open(), (_object, state) => work(state.storage, state));
  return {
    clinic,
    open,
    inside,
    d1: remoteD1(open, clinicMigrations),
    found: () => open().found({ clinic, accountId: 42 }),
    abort: () => inside(async (_storage, state) => state.abort('as a deployment does')).catch(() => undefined),
  };
}

/** After each test: an alarm that is left would ring in another one. */
export async function eraseObjects(): Promise<void> {
  while (erased < last) await env.CLINICS.getByName(String(++erased)).erase();
}

export const addAccount = (d1: D1Database, id = 42) =>
  d1
    .prepare("INSERT INTO accounts (account_id, name, domain, time_zone, connected_at) VALUES (?, 'a', 'b', 'UTC', 0)")
    .bind(id)
    .run();

/** Books over a real storage, with a clock, migrations and work of a test's own. */
export function makeWorld(own: Partial<World> = {}) {
  const clock = { now: Date.now() };
  const alerts: string[] = [];
  return {
    clock,
    alerts,
    now: () => clock.now,
    migrations: clinicMigrations,
    ring: async (): Promise<number | undefined> => undefined,
    alert: (event: string) => alerts.push(event),
    ...own,
  };
}

/** Books that were founded and written to once, with everything that a test needs of them. */
export async function withBooks(
  work: (own: {
    books: Books;
    world: ReturnType<typeof makeWorld>;
    alarm: () => Promise<number | null>;
  }) => Promise<void>,
  own: Partial<World> = {},
) {
  const { clinic, inside } = makeObject();
  await inside(async (storage) => {
    const world = makeWorld(own);
    const books = await new Books(storage, world).open();
    books.found({ clinic, accountId: 42 });
    books.ask(0, [{ sql: 'UPDATE clinic SET founded_at = founded_at', values: [] }]);
    // The clock is wound in a microtask after the write.
    await Promise.resolve();
    await work({ books, world, alarm: () => storage.getAlarm() });
    await storage.deleteAlarm();
  });
}
