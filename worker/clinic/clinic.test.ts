import { runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, it } from 'vitest';
import { addAccount, eraseObjects, makeObject, makeWorld } from '#tests/support/unit/clinic-object';
import { Books } from './books.ts';
import { type Migration, NoSuchClinic, remoteD1 } from './facade.ts';
import { clinicMigrations } from './migrations.ts';
import { CLINIC_SCHEMA } from './schema-number.ts';

afterEach(eraseObjects);

const tables = (storage: DurableObjectStorage) => storage.sql.exec('SELECT name FROM sqlite_schema').toArray().length;
/** Migrations of a version before the one that a test brings. */
const MADE_UP: Migration[] = [
  { name: '0001_a.sql', sql: 'CREATE TABLE a (n INTEGER);' },
  { name: '0002_b.sql', sql: 'ALTER TABLE a ADD COLUMN m INTEGER; INSERT INTO a (n) VALUES (5);' },
];
const names = (d1: D1Database) => d1.prepare('SELECT name FROM hubs').raw();

describe('a clinic’s object', () => {
  it('that was never founded says so to whatever is asked, and writes nothing', async () => {
    const { d1, open, inside } = makeObject();
    await expect(d1.prepare('SELECT 1').all()).rejects.toBeInstanceOf(NoSuchClinic);
    await expect(addAccount(d1)).rejects.toBeInstanceOf(NoSuchClinic);
    await open().migrate(0, [...clinicMigrations]);
    await open().wake();
    expect(await open().standing()).toBeNull();
    expect(await inside(async (storage) => [tables(storage), await storage.getAlarm()])).toEqual([0, null]);
  });

  it('is founded once, with all migrations, and is no other account’s afterwards', async () => {
    const { clinic, d1, open, found } = makeObject();
    await found();
    await addAccount(d1);
    await found();
    expect(await names(d1)).toEqual([['a']]);
    expect(await open().standing()).toMatchObject({ schema: CLINIC_SCHEMA });
    await runInDurableObject(open(), async (object) => {
      await expect(object.found({ clinic, accountId: 43 })).rejects.toThrow('another account');
    });
  });

  it('whose founding breaks off in the middle is not founded at all, and may be founded again', async () => {
    const { clinic, d1, found, inside } = makeObject();
    await inside(async (storage) => {
      const newDatabase = async () => ({ schema: 1, sql: 'CREATE TABLE a (n INTEGER); CREATE TABLE a (n INTEGER)' });
      const books = new Books(storage, makeWorld({ newDatabase }));
      await expect(books.found({ clinic, accountId: 42 })).rejects.toThrow('already exists');
      expect(books.ask(0, [{ sql: 'SELECT 1', values: [] }])).toEqual({ missing: true });
      expect(tables(storage)).toBe(0);
    });
    await found();
    expect(await names(d1)).toEqual([]);
  });

  it('that was erased is as if it had never been', async () => {
    const { d1, open, found, inside } = makeObject();
    await found();
    await addAccount(d1);
    await open().erase();
    await expect(names(d1)).rejects.toBeInstanceOf(NoSuchClinic);
    expect(await inside(async (storage) => [tables(storage), await storage.getAlarm()])).toEqual([0, null]);
    await found();
    expect(await names(d1)).toEqual([]);
  });

  it('keeps what it answered for through a reset, and nothing of a batch that failed', async () => {
    const { d1, found, abort } = makeObject();
    await found();
    await addAccount(d1);
    await expect(d1.batch([d1.prepare("UPDATE hubs SET name = 'x'"), d1.prepare('SELEC')])).rejects.toThrow('syntax');
    await abort();
    expect(await names(d1)).toEqual([['a']]);
    await abort();
    await d1.prepare("UPDATE hubs SET name = 'after'").run();
    expect(await names(d1)).toEqual([['after']]);
  });

  it('that is behind is brought up to date by whoever asks', async () => {
    const { clinic, open, inside } = makeObject();
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
