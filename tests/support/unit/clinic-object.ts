import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { remoteD1 } from '#worker/clinic/d1-interface';
import { Books, type BooksDeps } from '#worker/clinic/database-and-alarm';
import { clinicMigrations } from '#worker/clinic/migrations';

/** Clinic numbers that no other test file uses. */
let lastNumber = 1_000_000 + Math.floor(Math.random() * 1_000_000_000);
let lastErased = lastNumber;

/** A clinic object of this test only, and its database as the Worker sees it. */
export function makeObject() {
  const clinic = ++lastNumber;
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

/** Call it after each test: a remaining alarm would fire in another one. */
export async function eraseObjects(): Promise<void> {
  while (lastErased < lastNumber) await env.CLINICS.getByName(String(++lastErased)).erase();
}

export const addAccount = (d1: D1Database, id = 42) =>
  d1
    .prepare("INSERT INTO accounts (account_id, name, domain, time_zone, connected_at) VALUES (?, 'a', 'b', 'UTC', 0)")
    .bind(id)
    .run();

/** The environment of books over real storage; tests may override clock, migrations and work. */
export function makeWorld(overrides: Partial<BooksDeps> = {}) {
  const clock = { now: Date.now() };
  const alerts: string[] = [];
  return {
    clock,
    alerts,
    now: () => clock.now,
    migrations: clinicMigrations,
    ring: async (): Promise<number | undefined> => undefined,
    alert: (event: string) => alerts.push(event),
    ...overrides,
  };
}

/** Runs the work with books that are founded and written to once, in their object. */
export async function withBooks(
  work: (context: {
    books: Books;
    world: ReturnType<typeof makeWorld>;
    alarm: () => Promise<number | null>;
  }) => Promise<void>,
  overrides: Partial<BooksDeps> = {},
) {
  const { clinic, inside } = makeObject();
  await inside(async (storage) => {
    const world = makeWorld(overrides);
    const books = await new Books(storage, world).open();
    books.found({ clinic, accountId: 42 });
    books.ask(0, [{ sql: 'UPDATE clinic SET founded_at = founded_at', values: [] }]);
    // The alarm is set in a microtask after the write.
    await Promise.resolve();
    await work({ books, world, alarm: () => storage.getAlarm() });
    await storage.deleteAlarm();
  });
}
