import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod/mini';
import { published } from '#site/content/published.ts';

/** Runs one query on the production database and returns its rows. */
export type Ask = (sql: string) => Promise<unknown>;

/** The content of the site; see site/content/read-site.ts. Drafts and files that no page shows are not copied. */
const TABLES = {
  site_state: ['revision'],
  media: ['id', 'key', 'alt', 'width', 'height', 'variants'],
  articles: [
    ...['id', 'kind', 'slug', 'title', 'status', 'picture_id', 'version', 'created_at', 'updated_at', 'published_at'],
    ...['content', 'excerpt'],
  ],
} as const;
type Table = keyof typeof TABLES;

export const createTables = Object.entries(TABLES)
  .map(([table, columns]) => `CREATE TABLE ${table} (${columns.join(', ')});`)
  .join(' ');

const Rows = z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()])));
const Sizes = z.array(z.object({ id: z.string().check(z.regex(/^[\w-]+$/)), size: z.number() }));

/** Limits of one answer. */
const CHUNK = { bytes: 1_000_000, rows: 500 };
const IDS = 5000;

/**
 * Copies the published content into a database file for the build. It reads in parts: an export would lock the
 * database for everyone, payers too, and writes long texts as statements that no database accepts again.
 */
export async function pullContent(ask: Ask, file: string): Promise<void> {
  const db = new DatabaseSync(file);
  const copy = async (table: Table, condition: string) => {
    const columns = TABLES[table];
    const rows = Rows.parse(await ask(`SELECT ${columns.join(', ')} FROM ${table} WHERE ${condition}`));
    const insert = db.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`);
    for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
  };
  try {
    db.exec('BEGIN');
    // Read the revision first: content published during the copy belongs to the next revision and gets its own build.
    await copy('site_state', '1');
    for (const table of ['media', 'articles'] as const) {
      for (const { first, last } of await parts(ask, table)) {
        await copy(table, `${published[table]} AND id BETWEEN '${first}' AND '${last}'`);
      }
    }
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}

/** The first and last id of each part. */
async function parts(ask: Ask, table: 'media' | 'articles'): Promise<{ first: string; last: string }[]> {
  const size = table === 'articles' ? 'length(CAST(content AS BLOB))' : 'length(variants)';
  const found: { first: string; last: string; bytes: number; rows: number }[] = [];
  for (let after = ''; ; ) {
    const sizes = Sizes.parse(
      await ask(
        `SELECT id, ${size} AS size FROM ${table} WHERE ${published[table]} AND id > '${after}' ORDER BY id LIMIT ${IDS}`,
      ),
    );
    for (const { id, size: bytes } of sizes) {
      const part = found.at(-1);
      if (part && part.rows < CHUNK.rows && part.bytes + bytes <= CHUNK.bytes) {
        Object.assign(part, { last: id, bytes: part.bytes + bytes, rows: part.rows + 1 });
      } else found.push({ first: id, last: id, bytes, rows: 1 });
    }
    if (sizes.length < IDS) return found;
    after = sizes.at(-1)?.id ?? '';
  }
}
