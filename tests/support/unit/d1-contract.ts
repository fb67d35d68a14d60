import { asc, eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Cases that run on both a clinic's database and a real D1, with their own tables. */

export type Case = (d1: D1Database) => Promise<unknown>;
export const SCHEMA = [
  'CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, n INTEGER CHECK (n > 0), r REAL, b BLOB) STRICT',
  'CREATE TABLE child (t INTEGER NOT NULL REFERENCES t (id), at INTEGER) STRICT',
  'CREATE TABLE noted (what TEXT) STRICT',
  'CREATE VIRTUAL TABLE words USING fts5 (said)',
  "CREATE TRIGGER t_noted AFTER INSERT ON t BEGIN INSERT INTO noted (what) VALUES ('made ' || NEW.name); END",
  "CREATE TRIGGER t_kept BEFORE DELETE ON t BEGIN SELECT RAISE(ABORT, 'rows stay'); END",
];
export const TABLES = ['child', 't', 'noted', 'words'];
export const rowsAfter = 'SELECT id, name, n FROM t ORDER BY id';
export const insert = 'INSERT INTO t (name) VALUES (?)';

const METAS = ['changes', 'changed_db', 'rows_read', 'rows_written'] as const;
/** Reduces a result's metadata to the fields that mean the same in both databases. */
export const toPlain = (answer: unknown): unknown => {
  if (Array.isArray(answer)) return answer.map(toPlain);
  if (typeof answer !== 'object' || answer === null || !('meta' in answer)) return answer;
  const { meta, ...rest } = answer as D1Result;
  return { ...rest, meta: Object.fromEntries(METAS.map((name) => [name, meta[name]])) };
};

const all =
  (statement: string, ...values: unknown[]): Case =>
  (d1) =>
    d1
      .prepare(statement)
      .bind(...values)
      .all();
const batch =
  (...statements: [statement: string, ...values: unknown[]][]): Case =>
  (d1) =>
    d1.batch(statements.map(([statement, ...values]) => d1.prepare(statement).bind(...values)));

const marks = (count: number) => Array.from({ length: count }, () => '?').join(', ');
const things = sqliteTable('t', {
  id: integer('id').primaryKey(),
  name: text('name'),
  n: integer('n', { mode: 'boolean' }),
  b: blob('b', { mode: 'buffer' }),
});

export const VALUES: [name: string, value: unknown][] = [
  ['text', 'Núñez 🦷'],
  ['empty text', ''],
  ['text with a NUL character', 'a\0b'],
  ['an unpaired surrogate', '\ud800'],
  ['an integer', 42],
  ['a fraction', 0.1],
  ['negative zero', -0],
  ['the largest safe number', Number.MAX_SAFE_INTEGER],
  ['an unsafe integer', 2 ** 53 + 2],
  ['a number over 64 bits', 2 ** 70],
  ['NaN', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
  ['true', true],
  ['false', false],
  ['null', null],
  ['bytes', new Uint8Array([0, 127, 255])],
  ['a view of part of a buffer', new Uint8Array([1, 2, 3, 4]).subarray(1, 3)],
  ['16-bit numbers', new Uint16Array([258])],
  ['a DataView', new DataView(new Uint8Array([9, 8]).buffer, 1)],
  ['an ArrayBuffer', new Uint8Array([7]).buffer],
  ['an empty ArrayBuffer', new ArrayBuffer(0)],
  ['a list of bytes', [1, 2.5, 3]],
  ['a list with a number over 255', [256]],
  ['a list of texts', ['a']],
  ['undefined', undefined],
  ['a big integer', 10n],
  ['an object', { a: 1 }],
  ['a date', new Date(0)],
  ['a function', Math.max],
];

export const CASES: [name: string, ask: Case][] = [
  ['a symbol', all('SELECT ?', Symbol('a'))],
  [
    'literals',
    all("SELECT 1.0 AS a, -0.0 AS b, 9007199254740993 AS c, x'ff00' AS d, 9e999 AS e, -9e999 AS f, NULL AS g"),
  ],
  ['no rows', all('SELECT id FROM t WHERE 0')],
  ['columns with the same name', all('SELECT 1 AS a, 2 AS b, 3 AS a')],
  ['a column without a name', all("SELECT 1, 'x', count(*) FROM t")],
  ['an INSERT', all(insert, 'made')],
  ['the id of an inserted row', async (d1) => (await d1.prepare(insert).bind('made').run()).meta.last_row_id],
  ['RETURNING', all('INSERT INTO t (name, n) VALUES (?, 3), (?, 4) RETURNING id, name AS called', 'a', 'b')],
  ['an UPDATE of no row', all('UPDATE t SET n = 1 WHERE id = -1')],
  ['an UPDATE', all('UPDATE t SET n = 5 WHERE id <= 2')],
  ['ON CONFLICT DO NOTHING', all("INSERT INTO t (name) VALUES ('first') ON CONFLICT DO NOTHING RETURNING id")],
  ['an upsert', all("INSERT INTO t (name, n) VALUES ('first', 9) ON CONFLICT (name) DO UPDATE SET n = excluded.n")],
  ['REPLACE', all("REPLACE INTO noted (rowid, what) VALUES (1, 'over')")],
  ['a DELETE', all('DELETE FROM noted')],
  [
    'WITH in a SELECT',
    all('WITH g (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < 5) SELECT sum(n) AS s FROM g'),
  ],
  ['WITH in an INSERT', all("WITH g (w) AS (VALUES ('g')) INSERT INTO noted (what) SELECT w FROM g")],
  ['a leading comment', all('-- why\nSELECT 1 AS a')],
  ['a leading block comment', all("/* why\n */ INSERT INTO noted (what) VALUES ('c')")],
  ['a trailing comment', all('SELECT 1 AS a -- why')],
  ['a comment after the semicolon', all('SELECT 1 AS a; -- why')],
  ['a trailing semicolon', all('SELECT 1 AS a;')],
  ['two statements with values', all('SELECT ? AS a; SELECT ? AS b', 1, 2)],
  ['two writes in one text', all("INSERT INTO noted (what) VALUES ('1'); INSERT INTO noted (what) VALUES ('2')")],
  ['two writes in one text, one wrong', all("INSERT INTO noted (what) VALUES ('1'); INSERT INTO nope VALUES ('2')")],
  ['only a comment', all('-- why')],
  ['only a block comment', all('/* why */')],
  ['a syntax error', all('SELEC 1')],
  ['an unknown table', all('SELECT * FROM nope')],
  ['an unknown column', all('SELECT nope FROM t')],
  ['one value too few', all('SELECT ?, ?', 1)],
  ['one value too many', all('SELECT 1', 1)],
  ['numbered values', all('SELECT ?2 AS a, ?1 AS b, ?2 AS c', 1, 2)],
  ['named values', all('SELECT :a AS a', 1)],
  ['a UNIQUE violation', all(insert, 'first')],
  ['a CHECK violation', all('UPDATE t SET n = 0')],
  ['a value of the wrong type', all("UPDATE t SET n = 'x'")],
  ['a fraction in an integer column', all('UPDATE t SET n = 1.5')],
  ['a NOT NULL violation', all('INSERT INTO child (at) VALUES (1)')],
  ['a foreign key violation', all('INSERT INTO child (t) VALUES (99)')],
  ['an error raised by a trigger', all('DELETE FROM t')],
  ['an integer overflow', all('SELECT abs(-9223372036854775807 - 1)')],
  ['JSON', all('SELECT key, value, type FROM json_each(?)', '[1, "a", null, {"b": true}]')],
  ['invalid JSON', all("SELECT json('{')")],
  ['built JSON', all("SELECT json_object('a', 1, 'b', json_array(?)) AS j", 'x')],
  ['an INSERT into a full-text index', all("INSERT INTO words (said) VALUES ('a filling'), ('a crown')")],
  [
    'a full-text search',
    batch(
      ["INSERT INTO words (said) VALUES ('a filling')"],
      ["SELECT rowid, said FROM words WHERE words MATCH 'fill*'"],
    ),
  ],
  ['an invalid full-text query', all("SELECT * FROM words WHERE words MATCH '\"'")],
  ['LIKE with a long pattern', all("SELECT 'a' LIKE ?", 'x'.repeat(60))],
  ['100 values', all(`SELECT ${marks(100)}`, ...Array.from({ length: 100 }, (_, at) => at))],
  ['too many columns', all(`SELECT ${Array.from({ length: 2001 }, () => '1').join()}`)],
  ['too many UNION terms', all(Array.from({ length: 6 }, () => 'SELECT 1').join(' UNION ALL '))],
  ['a long statement', all(`SELECT 1 AS a /*${'x'.repeat(99_000)}*/`)],
  ['a long value', all('SELECT length(?) AS x', 'x'.repeat(1_999_000))],
  ['BEGIN', all('BEGIN')],
  ['SAVEPOINT', all('SAVEPOINT a')],
  ['ATTACH', all("ATTACH ':memory:' AS x")],
  ['a temporary table', all('CREATE TEMP TABLE x (a)')],
  ['PRAGMA that reads', all('PRAGMA table_info(t)')],
  ['PRAGMA foreign_keys', all('PRAGMA foreign_keys')],
  ['PRAGMA that is refused', all('PRAGMA journal_mode')],
  ['PRAGMA optimize', async (d1) => (await d1.prepare('PRAGMA optimize(0x10002)').run()).success],
  ['EXPLAIN', all('EXPLAIN QUERY PLAN SELECT * FROM t WHERE id = 1')],
  ['the SQLite version', all('SELECT sqlite_version()')],
  ['a CREATE TABLE', all('CREATE TABLE made_here (a)')],
  ['a batch', batch([insert, 'c'], [rowsAfter], ['UPDATE t SET n = 1'], ['SELECT count(*) AS n FROM noted'])],
  ['an empty batch', (d1) => d1.batch([])],
  ['a batch of one statement', batch([rowsAfter])],
  ['a batch whose last statement fails', batch([insert, 'c'], [insert, 'first'])],
  ['a batch whose middle statement fails', batch([insert, 'c'], ['SELEC'], [insert, 'd'])],
  ['a batch with an invalid value', batch([insert, 'c'], [insert, undefined])],
  ['a batch with a comment', batch(['-- why'], [insert, 'c'])],
  ['changes()', batch([rowsAfter], ['UPDATE t SET n = 7'], ['SELECT changes() AS n'], ['SELECT changes() AS n'])],
  [
    'changes() after an UPDATE of no row',
    batch(['UPDATE t SET n = 7 WHERE 0'], ["INSERT INTO noted (what) SELECT 'moved' WHERE changes() = 1"]),
  ],
  [
    'changes() after an UPDATE of one row',
    batch(['UPDATE t SET n = 7 WHERE id = 1'], ["INSERT INTO noted (what) SELECT 'moved' WHERE changes() = 1"]),
  ],
  ['last_insert_rowid()', batch([insert, 'c'], ['SELECT last_insert_rowid() AS id'])],
  [
    'deferred foreign keys',
    batch(
      ['PRAGMA defer_foreign_keys = on'],
      ['INSERT INTO child (t) VALUES (50)'],
      ["INSERT INTO t (id, name) VALUES (50, 'late')"],
    ),
  ],
  ['run', (d1) => d1.prepare(insert).bind('r').run()],
  ['run of a SELECT', (d1) => d1.prepare(rowsAfter).run()],
  ['first', (d1) => d1.prepare(rowsAfter).first()],
  ['first of a column', (d1) => d1.prepare(rowsAfter).first('name')],
  ['first of an unknown column', (d1) => d1.prepare(rowsAfter).first('nope')],
  ['first of a NULL column', (d1) => d1.prepare('SELECT NULL AS a').first('a')],
  ['first without rows', (d1) => d1.prepare('SELECT 1 AS a WHERE 0').first('nope')],
  ['first of a failing statement', (d1) => d1.prepare('SELEC').first()],
  ['raw', (d1) => d1.prepare('SELECT id AS a, name AS a FROM t').raw()],
  ['raw with names', (d1) => d1.prepare('SELECT id AS a, name AS a FROM t').raw({ columnNames: true })],
  ['raw without rows, with names', (d1) => d1.prepare('SELECT id, name FROM t WHERE 0').raw({ columnNames: true })],
  ['raw of a write, with names', (d1) => d1.prepare(insert).bind('x').raw({ columnNames: true })],
  [
    'a statement bound twice',
    async (d1) => {
      const statement = d1.prepare(insert);
      const [first, second] = [statement.bind('one'), statement.bind('two')];
      return [toPlain(await second.run()), toPlain(await first.run()), toPlain(await first.run().catch(String))];
    },
  ],
  ['a session', (d1) => d1.withSession('first-primary').prepare(rowsAfter).all()],
  [
    'drizzle: insert, select, update',
    async (d1) => {
      const db = drizzle(d1, { schema: { things } });
      const inserted = await db
        .insert(things)
        .values({ name: 'd', n: true, b: Buffer.from([1, 2]) })
        .returning();
      await db
        .update(things)
        .set({ n: sql`${things.n} + 1` })
        .where(eq(things.name, 'd'));
      const listed = await db.select().from(things).orderBy(asc(things.id));
      const found = await db.query.things.findFirst({ where: eq(things.name, 'd') });
      return [inserted, listed, found, await db.select({ a: things.id, b: things.name }).from(things).limit(1)];
    },
  ],
  [
    'drizzle: a batch',
    (d1) => {
      const db = drizzle(d1);
      return db.batch([db.insert(things).values({ name: 'e' }), db.select().from(things), db.$count(things)] as never);
    },
  ],
  ['drizzle: an error', (d1) => drizzle(d1).insert(things).values({ name: 'first' })],
];
