import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import * as completeOnly from '#tests/support/complete-only';
import { type Ask, createTables, makeAsk, pullContent } from './remote-database.ts';

const id = (number: number) => `a${String(number).padStart(6, '0')}`;
const folder = () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'tillway-pull-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
};

/** A stand-in for the production database that records all queries and answers. */
function productionDatabase() {
  const db = new DatabaseSync(':memory:');
  onTestFinished(() => db.close());
  db.exec('CREATE TABLE site_state (revision INTEGER, changed_at INTEGER); INSERT INTO site_state VALUES (7, 1)');
  db.exec(`CREATE TABLE media (id, owner, key, alt, width, height, variants);
CREATE TABLE articles (id, kind, slug, title, status, picture_id, version, created_at, updated_at, published_at, search, content, excerpt)`);
  const queries: { sql: string; rows: number; bytes: number }[] = [];
  const ask: Ask = async (sql) => {
    const rows = db.prepare(sql).all();
    queries.push({ sql, rows: rows.length, bytes: Buffer.byteLength(JSON.stringify(rows)) });
    return rows;
  };
  const write = (number: number, content: string, status = 'PUBLISHED', title = `Ü ${number}`) =>
    db
      .prepare("INSERT INTO articles VALUES (?, 'post', ?, ?, ?, NULL, 1, 2, 3, 4, 'words', ?, '')")
      .run(id(number), `post-${number}`, title, status, content);
  return { db, ask, queries, write };
}

async function pullCopy(ask: Ask) {
  const file = path.join(folder(), 'copy.sqlite');
  const copy = new DatabaseSync(file);
  onTestFinished(() => copy.close());
  copy.exec(createTables);
  await pullContent(ask, file);
  return (sql: string) => copy.prepare(sql).all();
}

test('copies only published content, unchanged, including long texts', async () => {
  const { db, ask, write } = productionDatabase();
  const long = `<p>${"It’s “long” – 'quoted'; -- 🇩🇪\n".repeat(9000)}</p>`;
  write(1, long);
  write(2, '<p>Not yet.</p>', 'DRAFT');
  write(3, '', 'PUBLISHED', "O'Hara");
  db.exec(
    `INSERT INTO media VALUES ('${id(4)}', 'x', 'k.webp', 'Ä', 10, 20, '[]'), ('${id(5)}', 'x', 'k.pdf', '', NULL, NULL, '[]')`,
  );
  const read = await pullCopy(ask);
  expect(read('SELECT * FROM site_state')).toEqual([{ revision: 7 }]);
  expect(read('SELECT id, title, picture_id, published_at, content FROM articles')).toEqual([
    { id: id(1), title: 'Ü 1', picture_id: null, published_at: 4, content: long },
    { id: id(3), title: "O'Hara", picture_id: null, published_at: 4, content: '' },
  ]);
  expect(read('SELECT * FROM media')).toEqual([
    { id: id(4), key: 'k.webp', alt: 'Ä', width: 10, height: 20, variants: '[]' },
  ]);
});

test('reads every text once, in responses of little more than a megabyte', async () => {
  const { ask, queries, write } = productionDatabase();
  for (let number = 0; number < 1300; number++) write(number, 'x'.repeat(number % 100 === 0 ? 280_000 : 100));
  const read = await pullCopy(ask);
  expect(read('SELECT count(*) AS n, count(DISTINCT id) AS ids FROM articles')).toEqual([{ n: 1300, ids: 1300 }]);
  expect(Math.max(...queries.map(({ bytes }) => bytes))).toBeLessThan(1_500_000);
  expect(queries.length).toBeLessThan(12);
});

test('creates an empty copy from a database without content', async () => {
  const read = await pullCopy(productionDatabase().ask);
  expect(read('SELECT * FROM articles')).toEqual([]);
});

// Only in the complete run: it starts wrangler twice, and only a release reads this way.
completeOnly.it(
  'queries go through wrangler, and its errors are reported',
  async () => {
    const ask = makeAsk(['--local', '--persist-to', folder(), '-c', 'wrangler.toml']);
    expect(await ask("SELECT 7 AS seven, 'Ü “[1]”' AS text, NULL AS empty")).toEqual([
      { seven: 7, text: 'Ü “[1]”', empty: null },
    ]);
    await expect(ask('SELECT * FROM nowhere')).rejects.toThrow(/^the database was not read: .*no such table: nowhere/s);
  },
  60_000,
);
