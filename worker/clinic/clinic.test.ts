import { runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, it } from 'vitest';
import { addAccount, eraseObjects, makeObject, makeWorld } from '#tests/support/unit/clinic-object';
import { NoSuchClinic, remoteD1 } from './d1-interface.ts';
import { Books } from './database-and-alarm.ts';
import { FIRST_MIGRATION, type Migration } from './migration.ts';
import { CLINIC_SCHEMA, clinicMigrations } from './migrations.ts';

afterEach(eraseObjects);

const tables = (storage: DurableObjectStorage) => storage.sql.exec('SELECT name FROM sqlite_schema').toArray().length;
/** The migrations of an older version, to which a test adds one. */
const OLDER_MIGRATIONS: Migration[] = [
  { number: 100, sql: 'CREATE TABLE a (n INTEGER);' },
  { number: 101, sql: 'ALTER TABLE a ADD COLUMN m INTEGER; INSERT INTO a (n) VALUES (5);' },
];
const names = (d1: D1Database) => d1.prepare('SELECT name FROM accounts').raw();

describe('a clinic’s object', () => {
  it('reports a missing clinic to every call, and writes nothing until it is created', async () => {
    const { d1, open, inside } = makeObject();
    await expect(d1.prepare('SELECT 1').all()).rejects.toBeInstanceOf(NoSuchClinic);
    await expect(addAccount(d1)).rejects.toBeInstanceOf(NoSuchClinic);
    await open().migrate([...clinicMigrations]);
    await open().wake();
    expect(await open().readStatus()).toBeNull();
    expect(await inside(async (storage) => [tables(storage), await storage.getAlarm()])).toEqual([0, null]);
  });

  it('is created once with all migrations, and cannot be taken by another account', async () => {
    const { clinic, d1, open, found } = makeObject();
    await found();
    await addAccount(d1);
    await found();
    expect(await names(d1)).toEqual([['a']]);
    expect(await open().readStatus()).toMatchObject({ schema: CLINIC_SCHEMA });
    await runInDurableObject(open(), async (object) => {
      expect(() => object.found({ clinic, accountId: 43 })).toThrow('another account');
    });
  });

  it('stays uncreated when its creation fails halfway, and may be created again', async () => {
    const { clinic, d1, found, inside } = makeObject();
    await inside(async (storage) => {
      const migrations = [100, 101].map((number) => ({ number, sql: 'CREATE TABLE a (n INTEGER);' }));
      const books = new Books(storage, makeWorld({ migrations }));
      expect(() => books.found({ clinic, accountId: 42 })).toThrow('already exists');
      expect(books.ask(0, [{ sql: 'SELECT 1', values: [] }])).toEqual({ missing: true });
      expect(tables(storage)).toBe(0);
    });
    await found();
    expect(await names(d1)).toEqual([]);
  });

  it('is empty after it was erased, like a clinic that never existed', async () => {
    const { d1, open, found, inside } = makeObject();
    await found();
    await addAccount(d1);
    await open().erase();
    await expect(names(d1)).rejects.toBeInstanceOf(NoSuchClinic);
    expect(await inside(async (storage) => [tables(storage), await storage.getAlarm()])).toEqual([0, null]);
    await found();
    expect(await names(d1)).toEqual([]);
  });

  it('keeps acknowledged writes through a reset, and no write of a failed batch', async () => {
    const { d1, found, abort } = makeObject();
    await found();
    await addAccount(d1);
    await expect(d1.batch([d1.prepare("UPDATE accounts SET name = 'x'"), d1.prepare('SELEC')])).rejects.toThrow(
      'syntax',
    );
    await abort();
    expect(await names(d1)).toEqual([['a']]);
    await abort();
    await d1.prepare("UPDATE accounts SET name = 'after'").run();
    expect(await names(d1)).toEqual([['after']]);
  });

  it('is migrated by the next caller when its schema is behind', async () => {
    const { clinic, open, inside } = makeObject();
    await inside(async (storage) => {
      new Books(storage, makeWorld({ migrations: OLDER_MIGRATIONS })).found({ clinic, accountId: 42 });
    });
    // The object reads its schema number when it starts.
    await inside(async (_storage, state) => state.abort('again')).catch(() => undefined);
    expect(await open().readStatus()).toMatchObject({ schema: 101 });
    const newerMigrations = [
      ...OLDER_MIGRATIONS,
      { number: 102, sql: 'CREATE TABLE c (n INTEGER); CREATE INDEX c_n ON c (n);' },
    ];
    const worker = remoteD1(open, newerMigrations);
    await worker.prepare('INSERT INTO c (n) VALUES (7)').run();
    expect(await open().readStatus()).toMatchObject({ schema: 102 });
    // An older Worker continues with the newer tables.
    expect(await remoteD1(open, OLDER_MIGRATIONS).prepare('SELECT n, (SELECT n FROM c) FROM a').raw()).toEqual([
      [5, 7],
    ]);
  });

  it('refuses a schema from before the first release without changing it', async () => {
    const { clinic, open, inside } = makeObject();
    await inside(async (storage) => {
      new Books(storage, makeWorld({ migrations: OLDER_MIGRATIONS })).found({ clinic, accountId: 42 });
      storage.sql.exec('UPDATE clinic SET schema = ?', FIRST_MIGRATION - 1);
    });
    await inside(async (_storage, state) => state.abort('again')).catch(() => undefined);
    await expect(names(remoteD1(open, clinicMigrations))).rejects.toThrow('made by a version before the first release');
    expect(await open().readStatus()).toMatchObject({ schema: FIRST_MIGRATION - 1 });
  });
});
