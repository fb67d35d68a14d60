import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Books, type World } from './books.ts';
import { type Migration, NoSuchClinic, remoteD1 } from './facade.ts';
import { clinicMigrations } from './migrations.ts';
import { CLINIC_SCHEMA } from './schema-number.ts';

let last = 5000;
let first = last;

/** An alarm that is left would ring in another test. */
afterEach(async () => {
  vi.restoreAllMocks();
  while (first < last) await env.CLINICS.getByName(String(++first)).erase();
});
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A clinic's object that no other test has, and its database from the Worker. */
function makeClinic() {
  const clinic = ++last;
  const open = () => env.CLINICS.getByName(String(clinic));
  const inside = <T>(work: (storage: DurableObjectStorage, state: DurableObjectState) => Promise<T>): Promise<T> =>
    runInDurableObject(open(), (_object, state) => work(state.storage, state));
  return {
    ...{ clinic, open, inside },
    d1: remoteD1(open, CLINIC_SCHEMA),
    found: () => open().found({ clinic, accountId: 42 }),
    abort: () => inside(async (_storage, state) => state.abort('as a deployment does')).catch(() => undefined),
  };
}

const tables = (storage: DurableObjectStorage) => storage.sql.exec('SELECT name FROM sqlite_schema').toArray().length;
const account = (d1: D1Database, id = 42) =>
  d1
    .prepare("INSERT INTO hubs (hub_id, name, domain, time_zone, connected_at) VALUES (?, 'a', 'b', 'UTC', 0)")
    .bind(id)
    .run();
/** Migrations of a version before the one that a test brings. */
const MADE_UP: Migration[] = [
  { name: '0001_a.sql', sql: 'CREATE TABLE a (n INTEGER);' },
  { name: '0002_b.sql', sql: 'ALTER TABLE a ADD COLUMN m INTEGER; INSERT INTO a (n) VALUES (5);' },
];
const names = (d1: D1Database) => d1.prepare('SELECT name FROM hubs').raw();

describe('a clinic’s object', () => {
  it('that was never founded says so to whatever is asked, and writes nothing', async () => {
    const { d1, open, inside } = makeClinic();
    await expect(d1.prepare('SELECT 1').all()).rejects.toBeInstanceOf(NoSuchClinic);
    await expect(account(d1)).rejects.toBeInstanceOf(NoSuchClinic);
    await open().migrate(0, [...clinicMigrations]);
    await open().wake();
    expect(await open().standing()).toBeNull();
    expect(await inside(async (storage) => [tables(storage), await storage.getAlarm()])).toEqual([0, null]);
  });

  it('is founded once, with all migrations, and is no other account’s afterwards', async () => {
    const { clinic, d1, open, found } = makeClinic();
    await found();
    await account(d1);
    await found();
    expect(await names(d1)).toEqual([['a']]);
    expect(await open().standing()).toMatchObject({ schema: CLINIC_SCHEMA });
    await runInDurableObject(open(), async (object) => {
      await expect(object.found({ clinic, accountId: 43 })).rejects.toThrow('another account');
    });
  });

  it('that was erased is as if it had never been', async () => {
    const { d1, open, found, inside } = makeClinic();
    await found();
    await account(d1);
    await open().erase();
    await expect(names(d1)).rejects.toBeInstanceOf(NoSuchClinic);
    expect(await inside(async (storage) => [tables(storage), await storage.getAlarm()])).toEqual([0, null]);
    await found();
    expect(await names(d1)).toEqual([]);
  });

  it('keeps what it answered for through a reset, and nothing of a batch that failed', async () => {
    const { d1, found, abort } = makeClinic();
    await found();
    await account(d1);
    await expect(d1.batch([d1.prepare("UPDATE hubs SET name = 'x'"), d1.prepare('SELEC')])).rejects.toThrow('syntax');
    await abort();
    expect(await names(d1)).toEqual([['a']]);
    await abort();
    await d1.prepare("UPDATE hubs SET name = 'after'").run();
    expect(await names(d1)).toEqual([['after']]);
  });

  it('that is behind is brought up to date by whoever asks', async () => {
    const { clinic, open, inside } = makeClinic();
    await inside(async (storage) => {
      await new Books(storage, makeWorld({ migrations: async () => MADE_UP })).found({ clinic, accountId: 42 });
    });
    // The object learns what it has when it begins.
    await inside(async (_storage, state) => state.abort('again')).catch(() => undefined);
    expect(await open().standing()).toMatchObject({ schema: 2 });
    const newer = [...MADE_UP, { name: '0003_c.sql', sql: 'CREATE TABLE c (n INTEGER); CREATE INDEX c_n ON c (n);' }];
    const worker = remoteD1(open, 3, { migrations: async () => newer });
    await worker.prepare('INSERT INTO c (n) VALUES (7)').run();
    expect(await open().standing()).toMatchObject({ schema: 3 });
    // A Worker of before goes on with the newer tables.
    expect(await remoteD1(open, 2).prepare('SELECT n, (SELECT n FROM c) FROM a').raw()).toEqual([[5, 7]]);
  });
});

/** Books over a real storage, with a clock, migrations and work of a test's own. */
function makeWorld(own: Partial<World> = {}) {
  const clock = { now: Date.now() };
  const alerts: string[] = [];
  return {
    ...{ clock, alerts },
    now: () => clock.now,
    migrations: async (): Promise<readonly Migration[]> => clinicMigrations,
    ring: async (): Promise<number | undefined> => undefined,
    alert: (event: string) => alerts.push(event),
    ...own,
  };
}

const ask = async (books: Books, ...statements: string[]) => {
  const reply = books.ask(
    0,
    statements.map((sql) => ({ sql, values: [] })),
  );
  // The clock is wound in a microtask after the write.
  await Promise.resolve();
  return reply;
};
const owed = (id: string, at: number) =>
  `INSERT INTO outbox (id, kind, recipient, next_try_at, created_at) VALUES ('${id}', 'receipt', 'a@b.example', ${at}, 0)`;

/** Books that were founded, with everything that a test needs of them. */
async function withBooks(
  work: (own: {
    books: Books;
    world: ReturnType<typeof makeWorld>;
    alarm: () => Promise<number | null>;
  }) => Promise<void>,
  own: Partial<World> = {},
) {
  const { clinic, inside } = makeClinic();
  await inside(async (storage) => {
    const world = makeWorld(own);
    const books = await new Books(storage, world).open();
    await books.found({ clinic, accountId: 42 });
    await Promise.resolve();
    await work({ books, world, alarm: () => storage.getAlarm() });
    await storage.deleteAlarm();
  });
}

describe('a clinic’s clock', () => {
  it('is wound within a day even where nothing is due', () =>
    withBooks(async ({ world, alarm }) => {
      expect(await alarm()).toBe(world.clock.now + DAY_MS);
    }));

  it('is wound by a write to what is due first, and not put off by a later one', () =>
    withBooks(async ({ books, world, alarm }) => {
      await ask(books, owed('a', world.clock.now + HOUR_MS));
      expect(await alarm()).toBe(world.clock.now + HOUR_MS);
      await ask(books, owed('b', world.clock.now + 2 * HOUR_MS));
      expect(await alarm()).toBe(world.clock.now + HOUR_MS);
      await ask(books, owed('c', world.clock.now + 60_000));
      expect(await alarm()).toBe(world.clock.now + 60_000);
      world.clock.now += 30_000;
      await ask(books, 'UPDATE outbox SET next_try_at = next_try_at + 1000000');
      expect(await alarm()).toBe(world.clock.now + 30_000);
    }));

  it('is not wound by a batch that failed, nor by what reads', () =>
    withBooks(async ({ books, world, alarm }) => {
      expect(await ask(books, owed('a', 5), 'SELEC')).toMatchObject({ error: expect.stringContaining('syntax') });
      await ask(books, 'SELECT * FROM outbox');
      expect(await alarm()).toBe(world.clock.now + DAY_MS);
    }));

  it('rings half a second after a write at the earliest', () =>
    withBooks(async ({ books, world, alarm }) => {
      await ask(books, owed('a', 0));
      expect(await alarm()).toBe(world.clock.now + 500);
    }));

  it('is not put off by writes that go on while an alarm is late', () =>
    withBooks(async ({ books, world, alarm }) => {
      await ask(books, owed('a', 0));
      const first = await alarm();
      world.clock.now += 20_000;
      await ask(books, owed('b', 0));
      expect(await alarm()).toBe(first);
    }));

  it('is wound anew once its alarm must have been lost', () =>
    withBooks(async ({ books, world, alarm }) => {
      await ask(books, owed('a', 0));
      world.clock.now += 120_000;
      await ask(books, owed('b', 0));
      expect(await alarm()).toBe(world.clock.now + 500);
    }));

  it('that has stopped goes on when it is woken', () =>
    withBooks(async ({ books, world, alarm }) => {
      await books.wake();
      expect(await alarm()).toBe(world.clock.now + 500);
    }));

  it('sets the next alarm before anything else', async () => {
    const seen: (number | null)[] = [];
    let look: () => Promise<number | null> = async () => null;
    await withBooks(
      async ({ books, world, alarm }) => {
        look = alarm;
        await books.alarm();
        expect(seen).toEqual([world.clock.now + 60_000]);
        expect(await alarm()).toBe(world.clock.now + DAY_MS);
      },
      {
        ring: async () => {
          seen.push(await look());
          return undefined;
        },
      },
    );
  });

  it('rings on while a turn goes on, which alone works, and without it once it must be dead', async () => {
    const turns: (() => void)[] = [];
    await withBooks(
      async ({ books, world, alarm }) => {
        const ring = async () => {
          world.clock.now = (await alarm()) ?? 0;
          void books.alarm();
          await alarm();
        };
        await ask(books, owed('a', 0));
        for (let rings = 0; rings < 16; rings++) await ring();
        expect(turns).toHaveLength(1);
        expect(await alarm()).toBe(world.clock.now + 60_000);
        await books.wake();
        expect(await alarm()).toBe(world.clock.now + 60_000);
        await ring();
        await ring();
        expect(turns).toHaveLength(2);
      },
      {
        ring: () =>
          new Promise((resolve) => {
            turns.push(() => resolve(undefined));
          }),
      },
    );
  });

  it('rings again when the turn wishes it', () => {
    const wish = Date.now() + HOUR_MS;
    return withBooks(
      async ({ books, alarm }) => {
        await books.alarm();
        expect(await alarm()).toBe(wish);
      },
      { ring: async () => wish },
    );
  });

  it('goes on after a turn that throws, later each time that something stays due', () =>
    withBooks(
      async ({ books, world, alarm }) => {
        await ask(books, owed('a', 0));
        const pauses: number[] = [];
        for (let turn = 0; turn < 9; turn++) {
          await books.alarm();
          const at = (await alarm()) ?? 0;
          pauses.push(at - world.clock.now);
          world.clock.now = at;
        }
        expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
        expect(world.alerts).toEqual(Array.from({ length: 9 }, () => 'clinic-turn-failed'));
        // A write does not hasten it.
        await books.alarm();
        await ask(books, owed('b', 0));
        expect(await alarm()).toBe(world.clock.now + 60_000);
        // Once nothing is left, the next failure waits a second again.
        await ask(books, "UPDATE outbox SET state = 'sent'");
        await books.alarm();
        await ask(books, owed('c', 0));
        expect(await alarm()).toBe(world.clock.now + 500);
      },
      {
        ring: async () => {
          throw new Error('the step is broken');
        },
      },
    ));

  it('migrates before it works: its code may be newer than any caller', async () => {
    const { clinic, inside } = makeClinic();
    await inside(async (storage) => {
      const some = clinicMigrations.slice(0, -1);
      await new Books(storage, makeWorld({ migrations: async () => some })).found({ clinic, accountId: 42 });
      let schema = 0;
      const ring = async () => {
        schema = books.standing()?.schema ?? 0;
        return undefined;
      };
      const books: Books = new Books(storage, makeWorld({ ring }));
      await books.alarm();
      expect(schema).toBe(CLINIC_SCHEMA);
      await storage.deleteAlarm();
    });
  });

  it('rings on in a real object whose turn throws, as it does here without settings', async () => {
    const said = vi.spyOn(console, 'log').mockReturnValue();
    const { d1, open, found, inside } = makeClinic();
    await found();
    await account(d1);
    expect(await inside((storage) => storage.getAlarm())).not.toBeNull();
    expect(await runDurableObjectAlarm(open())).toBe(true);
    expect(said).toHaveBeenCalledWith(expect.stringContaining('clinic-turn-failed'));
    // It has set itself again.
    expect(await inside((storage) => storage.getAlarm())).not.toBeNull();
  });
});
