import { runDurableObjectAlarm } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addAccount, eraseObjects, makeObject, makeWorld, withBooks } from '#tests/support/unit/clinic-object';
import { Books } from './database-and-alarm.ts';
import { CLINIC_SCHEMA, clinicMigrations } from './migrations.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

afterEach(async () => {
  vi.restoreAllMocks();
  await eraseObjects();
});

const execute = async (books: Books, ...statements: string[]) => {
  const reply = books.ask(
    0,
    statements.map((sql) => ({ sql, values: [] })),
  );
  // The alarm is set in a microtask after the write.
  await Promise.resolve();
  return reply;
};
const dueMail = (id: string, at: number) =>
  `INSERT INTO outbox (id, kind, recipient, next_try_at, created_at) VALUES ('${id}', 'receipt', 'a@b.example', ${at}, 0)`;

describe('a clinic’s alarm', () => {
  it('is not set by the creation of the clinic, but by a wake call', async () => {
    const { clinic, inside } = makeObject();
    await inside(async (storage) => {
      const world = makeWorld();
      const books = await new Books(storage, world).open();
      await books.found({ clinic, accountId: 42 });
      await Promise.resolve();
      expect(await storage.getAlarm()).toBeNull();
      await books.wake();
      expect(await storage.getAlarm()).toBe(world.clock.now + 500);
      await storage.deleteAlarm();
    });
  });

  it('is set within a day even if nothing is due', () =>
    withBooks(async ({ world, alarm }) => {
      expect(await alarm()).toBe(world.clock.now + DAY_MS);
    }));

  it('is set by a write to the earliest due time, and not postponed by a later one', () =>
    withBooks(async ({ books, world, alarm }) => {
      await execute(books, dueMail('a', world.clock.now + HOUR_MS));
      expect(await alarm()).toBe(world.clock.now + HOUR_MS);
      await execute(books, dueMail('b', world.clock.now + 2 * HOUR_MS));
      expect(await alarm()).toBe(world.clock.now + HOUR_MS);
      await execute(books, dueMail('c', world.clock.now + 60_000));
      expect(await alarm()).toBe(world.clock.now + 60_000);
      world.clock.now += 30_000;
      await execute(books, 'UPDATE outbox SET next_try_at = next_try_at + 1000000');
      expect(await alarm()).toBe(world.clock.now + 30_000);
    }));

  it('is not set by a failed batch or a read', () =>
    withBooks(async ({ books, world, alarm }) => {
      expect(await execute(books, dueMail('a', 5), 'SELEC')).toMatchObject({
        error: expect.stringContaining('syntax'),
      });
      await execute(books, 'SELECT * FROM outbox');
      expect(await alarm()).toBe(world.clock.now + DAY_MS);
    }));

  it('fires no earlier than half a second after a write', () =>
    withBooks(async ({ books, world, alarm }) => {
      await execute(books, dueMail('a', 0));
      expect(await alarm()).toBe(world.clock.now + 500);
    }));

  it('is not postponed by further writes while it is overdue', () =>
    withBooks(async ({ books, world, alarm }) => {
      await execute(books, dueMail('a', 0));
      const first = await alarm();
      world.clock.now += 20_000;
      await execute(books, dueMail('b', 0));
      expect(await alarm()).toBe(first);
    }));

  it('is set again once it must have been lost', () =>
    withBooks(async ({ books, world, alarm }) => {
      await execute(books, dueMail('a', 0));
      world.clock.now += 120_000;
      await execute(books, dueMail('b', 0));
      expect(await alarm()).toBe(world.clock.now + 500);
    }));

  it('is set again by a wake call', () =>
    withBooks(async ({ books, world, alarm }) => {
      await books.wake();
      expect(await alarm()).toBe(world.clock.now + 500);
    }));

  it('sets the next alarm before it does anything else', async () => {
    const alarms: (number | null)[] = [];
    let readAlarm: () => Promise<number | null> = async () => null;
    await withBooks(
      async ({ books, world, alarm }) => {
        readAlarm = alarm;
        await books.alarm();
        expect(alarms).toEqual([world.clock.now + 60_000]);
        expect(await alarm()).toBe(world.clock.now + DAY_MS);
      },
      {
        ring: async () => {
          alarms.push(await readAlarm());
          return undefined;
        },
      },
    );
  });

  it('keeps firing while one turn is running, and starts another turn once the first must be dead', async () => {
    const turns: (() => void)[] = [];
    await withBooks(
      async ({ books, world, alarm }) => {
        const ring = async () => {
          world.clock.now = (await alarm()) ?? 0;
          void books.alarm();
          await alarm();
        };
        await execute(books, dueMail('a', 0));
        for (let n = 0; n < 16; n++) await ring();
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

  it('fires next at the time that its turn returned', () => {
    const nextAt = Date.now() + HOUR_MS;
    return withBooks(
      async ({ books, alarm }) => {
        await books.alarm();
        expect(await alarm()).toBe(nextAt);
      },
      { ring: async () => nextAt },
    );
  });

  it('backs off after each turn that throws while work is due', () =>
    withBooks(
      async ({ books, world, alarm }) => {
        await execute(books, dueMail('a', 0));
        const pauses: number[] = [];
        for (let turn = 0; turn < 9; turn++) {
          await books.alarm();
          const at = (await alarm()) ?? 0;
          pauses.push(at - world.clock.now);
          world.clock.now = at;
        }
        expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
        expect(world.alerts).toEqual(Array.from({ length: 9 }, () => 'clinic-turn-failed'));
        // A write does not bring the alarm forward.
        await books.alarm();
        await execute(books, dueMail('b', 0));
        expect(await alarm()).toBe(world.clock.now + 60_000);
        // Once no work is left, a write sets the alarm without a backoff.
        await execute(books, "UPDATE outbox SET state = 'sent'");
        await books.alarm();
        await execute(books, dueMail('c', 0));
        expect(await alarm()).toBe(world.clock.now + 500);
      },
      {
        ring: async () => {
          throw new Error('the step is broken');
        },
      },
    ));

  it('applies migrations before it works, since its code may be newer than that of any caller', async () => {
    const { clinic, inside } = makeObject();
    await inside(async (storage) => {
      const migrations = clinicMigrations.slice(0, 6);
      new Books(storage, makeWorld({ migrations })).found({ clinic, accountId: 42 });
      let schema = 0;
      const ring = async () => {
        schema = books.readStatus()?.schema ?? 0;
        return undefined;
      };
      const books: Books = new Books(storage, makeWorld({ ring }));
      await books.alarm();
      expect(schema).toBe(CLINIC_SCHEMA);
      await storage.deleteAlarm();
    });
  });

  it('is set again in a real object whose turn throws', async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue();
    const { d1, open, found, inside } = makeObject();
    await found();
    await addAccount(d1);
    expect(await inside((storage) => storage.getAlarm())).not.toBeNull();
    expect(await runDurableObjectAlarm(open())).toBe(true);
    expect(log).toHaveBeenCalledWith(expect.stringContaining('clinic-turn-failed'));
    expect(await inside((storage) => storage.getAlarm())).not.toBeNull();
  });
});
