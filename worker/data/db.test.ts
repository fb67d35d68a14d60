import { env } from 'cloudflare:workers';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { columnsOf, openDb, type RawRow, rowOf } from './db.ts';

const notes = sqliteTable('notes', {
  id: integer('id').primaryKey(),
  isOpen: integer('is_open', { mode: 'boolean' }),
  isSent: integer('is_sent', { mode: 'boolean' }),
  tags: text('tags', { mode: 'json' }).$type<string[]>(),
  writtenAt: integer('written_at', { mode: 'timestamp_ms' }),
  readAt: integer('read_at', { mode: 'timestamp_ms' }),
});

it('a raw row from a batch equals the row that drizzle reads', async () => {
  const db = openDb(env.DB);
  await env.DB.prepare(
    'CREATE TABLE notes (id INTEGER PRIMARY KEY, is_open INTEGER, is_sent INTEGER, tags TEXT, written_at INTEGER, read_at INTEGER)',
  ).run();
  try {
    await db.insert(notes).values({ id: 1, isOpen: false, isSent: true, tags: ['a'], writtenAt: new Date(5) });
    const [result] = await env.DB.batch<RawRow>([env.DB.prepare(`SELECT ${columnsOf(notes, 'n', 'n_')} FROM notes n`)]);
    const [raw = {}] = result?.results ?? [];
    expect(rowOf(notes, raw, 'n_')).toEqual(await db.select().from(notes).get());
    expect(rowOf(notes, raw, 'n_')).toMatchObject({ isOpen: false, isSent: true, tags: ['a'], readAt: null });
  } finally {
    await env.DB.prepare('DROP TABLE notes').run();
  }
});
