import { describe, expect, it } from 'vitest';
import { type ClinicCalls, remoteD1 } from '#worker/clinic/d1-interface';
import { clinicMigrations } from '#worker/clinic/migrations';
import { nearObject, openNearStorage } from './near-storage.ts';

/** A clinic whose calls a test can break in transit. */
async function makeClinic() {
  const near = openNearStorage();
  const clock = { now: 1_800_000_000_000 };
  const rings: number[] = [];
  const object = nearObject(near, {
    now: () => clock.now,
    migrations: clinicMigrations,
    ring: async () => {
      rings.push(clock.now);
      return undefined;
    },
    alert: () => undefined,
  });
  await (await object.books()).found({ clinic: 1, accountId: 42 });
  const line: { way: 'whole' | 'lost-before' | 'lost-after' } = { way: 'whole' };
  const objectReset = () => Object.assign(new Error('the object was reset'), { retryable: true });
  const open = (): ClinicCalls => ({
    ...object.calls,
    ask: async (schema, statements) => {
      const { way } = line;
      line.way = 'whole';
      if (way === 'lost-before') {
        object.reset();
        throw objectReset();
      }
      const reply = await object.calls.ask(schema, statements);
      if (way === 'whole') return reply;
      object.reset();
      throw objectReset();
    },
  });
  const d1 = remoteD1(open, clinicMigrations, { pause: async () => undefined });
  const names = () => d1.prepare('SELECT name FROM accounts').raw();
  const connect = (name: string) =>
    d1
      .prepare("INSERT INTO accounts (account_id, name, domain, time_zone, connected_at) VALUES (42, ?, 'b', 'UTC', 0)")
      .bind(name)
      .run();
  return { near, object, line, d1, names, connect, clock, rings };
}

describe('a clinic object in Node', () => {
  it('has the full clinic schema and answers like a D1', async () => {
    const { d1, connect, names } = await makeClinic();
    expect((await connect('a')).meta).toMatchObject({ last_row_id: 42, changed_db: true });
    expect(await names()).toEqual([['a']]);
    await expect(connect('again')).rejects.toThrow(
      'D1_ERROR: UNIQUE constraint failed: accounts.account_id: SQLITE_CONSTRAINT',
    );
    await expect(d1.prepare('UPDATE accounts SET connected_at = 1.5').run()).rejects.toThrow('REAL value in INTEGER');
    await expect(d1.batch([d1.prepare("UPDATE accounts SET name = 'x'"), d1.prepare('SELEC')])).rejects.toThrow(
      'syntax',
    );
    expect(await d1.prepare("SELECT x'ff00' AS b, ? AS t, ? AS i").bind('é', true).first()).toEqual({
      b: [255, 0],
      t: 'é',
      i: 1,
    });
    expect(await names()).toEqual([['a']]);
  });

  it('loses no acknowledged write in a reset', async () => {
    const { object, connect, names } = await makeClinic();
    await connect('a');
    object.reset();
    expect(await names()).toEqual([['a']]);
  });

  it('drops a write that is lost before it arrives, and keeps a write whose answer is lost', async () => {
    const { line, connect, names } = await makeClinic();
    line.way = 'lost-before';
    await expect(connect('a')).rejects.toThrow('the object was reset');
    expect(await names()).toEqual([]);
    line.way = 'lost-after';
    await expect(connect('a')).rejects.toThrow('the object was reset');
    // A read finds out, because a lost read is retried.
    line.way = 'lost-after';
    expect(await names()).toEqual([['a']]);
  });

  it('sets its alarm with the write, keeps it through a reset, and sets the next one when it fires', async () => {
    const { near, object, d1, clock, rings } = await makeClinic();
    await d1
      .prepare("INSERT INTO outbox (id, kind, recipient, next_try_at, created_at) VALUES ('m', 'receipt', 'a', ?, 0)")
      .bind(clock.now + 5000)
      .run();
    expect(near.alarmAt()).toBe(clock.now + 5000);
    object.reset();
    clock.now += 5000;
    near.takeAlarm();
    await (await object.books()).alarm();
    expect(rings).toEqual([clock.now]);
    expect(near.alarmAt()).toBe(clock.now + 1000);
  });

  it('discards the writes of a run, and can be erased', async () => {
    const { near, object, connect, d1 } = await makeClinic();
    near.beginRun();
    await connect('a');
    near.discardRun();
    expect(near.read('SELECT * FROM accounts')).toEqual([]);
    await (await object.books()).erase();
    expect(near.read('SELECT name FROM sqlite_schema')).toEqual([]);
    await expect(d1.prepare('SELECT 1').all()).rejects.toMatchObject({ name: 'NoSuchClinic' });
  });
});
