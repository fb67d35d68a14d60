import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { clinicMigrations } from '#worker/clinic/migrations';
import { newDatabase } from '#worker/clinic/new-database';
import { CLINIC_SCHEMA } from '#worker/clinic/schema-number';
import { withMeasured } from './ceilings.ts';
import { clinicMigrationFiles } from './clinic-migrations.ts';
import { inlineHashes, withHashes } from './inline-scripts.ts';
import { newDatabaseSql } from './new-database.ts';

describe('the ceilings', () => {
  const text = readFileSync('tests/ceilings.ts', 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith("  '"));
  const nameOf = (row: string) => row.split("'")[1] ?? '';
  const [first = '', ...others] = rows;

  it('are left alone by a measurement of the same routes, whatever it says of their limits', () => {
    expect(withMeasured(text, rows.join('\n'))).toBe(text);
    const dearer = rows.map((row) => row.replace(/\[.*\]/, '[9000, 9000, 9000, 9000]'));
    expect(withMeasured(text, dearer.join('\n'))).toBe(text);
  });

  it('get a row in its place for what is new, and lose that of what is gone', () => {
    const planted = "  'GET /api/planted': [3, 20, 0, 0],";
    const next = withMeasured(text, [planted, ...others].join('\n')).split('\n');
    expect(next).not.toContain(first);
    expect(next.filter((line) => line.startsWith("  '"))).toEqual(
      [...others, planted].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
    );
  });

  it('are not emptied by a measurement that printed nothing', () => {
    expect(() => withMeasured(text, 'something broke')).toThrow('no rows');
  });
});

describe('the migrations of a clinic’s database', () => {
  it('are in the Worker as they are in their files', () => {
    for (const [file, text] of Object.entries(clinicMigrationFiles())) {
      expect(readFileSync(file, 'utf8'), `npm run registers writes ${file}`).toBe(text);
    }
    const names = readdirSync('migrations/clinic').sort();
    const files = names.map((name) => ({ name, sql: readFileSync(`migrations/clinic/${name}`, 'utf8') }));
    expect(clinicMigrations).toEqual(files);
    expect(CLINIC_SCHEMA).toBe(files.length);
  });

  it('are numbered without holes', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tillway-migrations-'));
    for (const name of ['0001_a.sql', '0003_c.sql']) writeFileSync(path.join(folder, name), 'SELECT 1;\n');
    expect(() => clinicMigrationFiles(folder)).toThrow('0003_c.sql should be number 2');
    rmSync(folder, { recursive: true });
  });

  it('keep the entries of the ledger and their order where its key is made anew', () => {
    const at = clinicMigrations.findIndex(({ name }) => name === '0037_numbers_by_method.sql');
    const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
    for (const { sql } of clinicMigrations.slice(0, at)) database.exec(sql);
    const book = (seq: number, id: string, method: string) =>
      database.exec(`INSERT INTO ledger (rowid, hub_id, provider_txn_id, attempt_id, invoice_id, kind, amount_cents, currency,
        channel, method, brand, at, day, hour)
        VALUES (${seq}, 1, '${id}', 'a${seq}', 'i', 'payment', ${seq}00, 'USD', 'link', '${method}', 'VISA', ${seq}, '2026-03-04', 9)`);
    book(7, 'n', 'card');
    book(3, 'm', 'ach');
    database.exec(`INSERT INTO gateway_transactions VALUES (1, 'n', 'card', 'T', '7', 'SALE', 'approved', 0, 700, 700, 'a7', '',
      'k', '1111', 'Ana', 7, 8, 'matched')`);
    const kept = () =>
      ['ledger', 'gateway_transactions', 'daily_totals'].map((table) =>
        database.prepare(`SELECT rowid AS seq, * FROM ${table} ORDER BY rowid`).all(),
      );
    const before = kept();
    for (const { sql } of clinicMigrations.slice(at, at + 1)) database.exec(sql);
    expect(kept()).toEqual(before);
    // The number of a card payment is free for a debit, and once for it.
    book(8, 'n', 'ach');
    expect(() => book(9, 'n', 'ach')).toThrow('UNIQUE constraint failed');
    expect(() => database.exec('DELETE FROM ledger')).toThrow('the ledger is only added to');
    expect(database.prepare('SELECT net_cents, methods FROM daily_totals').all()).toEqual([
      { net_cents: 1800, methods: '{"Visa":1,"Bank account":2}' },
    ]);
  });
});

describe('the database of a new clinic', () => {
  const made = (statements: string[]) => {
    const database = new DatabaseSync(':memory:');
    for (const text of statements) database.exec(text);
    return database;
  };
  /** Every table, index, view and trigger, without comments and white space, and what SQLite knows of each table. */
  const schemaOf = (database: DatabaseSync) => {
    const entries = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all();
    return entries
      .map(({ type, name, tbl_name, sql }) => {
        const text = String(sql).replaceAll(/--[^\n]*|\s/g, '');
        const columns = database.prepare(`PRAGMA table_xinfo("${name}")`).all();
        return JSON.stringify([type, name, tbl_name, text, columns]);
      })
      .sort();
  };

  it('is what all migrations come to, one after the other', () => {
    const migrated = made(clinicMigrations.map(({ sql }) => sql));
    const founded = made([newDatabase.sql]);
    expect(schemaOf(founded)).toEqual(schemaOf(migrated));
    expect(schemaOf(founded).length).toBeGreaterThan(200);
    expect(newDatabase.schema).toBe(clinicMigrations.length);
  });

  it('has the rows that migrations insert, once, and texts as they are', () => {
    const files = [
      `CREATE TABLE a (n INTEGER, t TEXT DEFAULT 'it''s  -- one'); -- of it's own
       CREATE TRIGGER a_twice AFTER INSERT ON a BEGIN
         INSERT INTO b VALUES (NEW.n); -- and ; here
       END;`,
      'CREATE TABLE b (n INTEGER); INSERT INTO a (n) VALUES (5);',
      'ALTER TABLE a ADD COLUMN m INTEGER NOT NULL DEFAULT 7;',
    ];
    const founded = made([newDatabaseSql(files.map((sql) => ({ sql })))]);
    expect(founded.prepare('SELECT n, t, m, (SELECT group_concat(n) FROM b) AS b FROM a').all()).toEqual([
      { n: 5, t: "it's  -- one", m: 7, b: '5' },
    ]);
    expect(schemaOf(founded)).toEqual(schemaOf(made(files)));
  });
});

describe('the inline scripts of the pay page', () => {
  const html =
    '<script>a</script><script src="/x.js"></script><script type="application/json">{}</script><script type="module">b</script>';
  const [a = '', b = ''] = inlineHashes(html);
  const entry = (hash: string, reason: string) => ({
    hash,
    owner: 'Tillway',
    integrity: 'allowed by this hash alone',
    reason,
  });

  it('are named by the hash of what stands between their tags', () => {
    expect(inlineHashes(html)).toEqual([a, b]);
    expect(a).toBe('sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=');
  });

  it('keep their reasons when one of them changes', () => {
    expect(withHashes([entry(b, 'second'), entry('sha256-old', 'first')], [a, b])).toEqual([
      entry(b, 'second'),
      entry(a, 'first'),
    ]);
  });

  it('need a person when one is added or taken away', () => {
    expect(() => withHashes([entry(a, 'first')], [a, b])).toThrow('2 inline scripts');
  });
});
