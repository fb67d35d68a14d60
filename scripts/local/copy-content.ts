import { globSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { published } from '#site/content/published.ts';

const FOLDER = 'v3/d1/miniflare-D1DatabaseObject';

/** The content of the site; see site/content/read-site.ts. */
const COPIES = [
  'CREATE TABLE site_state AS SELECT * FROM product.site_state',
  `CREATE TABLE articles AS SELECT * FROM product.articles WHERE ${published.articles}`,
  `CREATE TABLE media AS SELECT * FROM product.media WHERE ${published.media}`,
  'CREATE UNIQUE INDEX articles_id ON articles (id)',
];

/**
 * Copies the published content from the product's local database, in one consistent read, into a database for the
 * build. Two engines of these databases on one file disturb each other. Returns the copy's state folder.
 */
export function copyContent(state: string): string {
  const copy = path.join(state, 'content');
  const [name, more] = globSync('*.sqlite', { cwd: path.join(state, FOLDER) }).filter(
    (file) => file !== 'metadata.sqlite',
  );
  if (name === undefined || more !== undefined) throw new Error(`${state} holds no database, or more than one`);
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(path.join(copy, FOLDER), { recursive: true });
  const db = new DatabaseSync(path.join(copy, FOLDER, name), { timeout: 10_000 });
  try {
    db.prepare('ATTACH ? AS product').run(path.join(state, FOLDER, name));
    db.exec(`BEGIN;\n${COPIES.join(';\n')};\nCOMMIT`);
  } finally {
    db.close();
  }
  return copy;
}
