import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { run } from '#scripts/local/processes';

const WORDS =
  'invoice patient visit payment link card terminal batch receipt desk clinic amount due bank debit reminder evening letter routine signature'.split(
    ' ',
  );
/** About 470 words, in the shape of a post: headings, a list, a link, emphasis. */
const paragraph = (seed: number, words: number): string =>
  Array.from({ length: words }, (_, at) => WORDS[(seed * 7 + at * 13) % WORDS.length]).join(' ');

export type Text = { slug: string; title: string; at: number; seed: number };

export const makeTexts = (count: number): Text[] =>
  Array.from({ length: count }, (_, seed) => ({
    slug: `text-${seed}`,
    title: `Text ${seed}: ${paragraph(seed, 4)}`,
    at: Date.UTC(2025, 0, 1) + seed * 3_600_000,
    seed,
  }));

export const htmlOf = ({ seed }: Text) =>
  [0, 1, 2]
    .map(
      (part) =>
        `<h2>${paragraph(seed + part, 4)}</h2><p>${paragraph(seed + part, 70)} <strong>${paragraph(seed, 3)}</strong> <a href="/blog/text-${part}">${paragraph(part, 3)}</a>.</p><ul><li><p>${paragraph(seed, 20)}</p></li><li><p>${paragraph(part, 20)}</p></li></ul><p>${paragraph(seed + 3, 35)}</p>`,
    )
    .join('\n');

const markdownOf = ({ seed, slug, title, at }: Text) =>
  `---\nslug: ${slug}\ntitle: "${title}"\nat: ${at}\n---\n\n${[0, 1, 2]
    .map(
      (part) =>
        `## ${paragraph(seed + part, 4)}\n\n${paragraph(seed + part, 70)} **${paragraph(seed, 3)}** [${paragraph(part, 3)}](/blog/text-${part}).\n\n- ${paragraph(seed, 20)}\n\n- ${paragraph(part, 20)}\n\n${paragraph(seed + 3, 35)}`,
    )
    .join('\n\n')}\n`;

export function writeMarkdown(folder: string, all: Text[]): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const text of all) writeFileSync(path.join(folder, `${text.slug}.md`), markdownOf(text));
}

/** A local database with the product's schema and these posts. Made once, filled by SQL. */
export async function makeDatabase(state: string): Promise<string> {
  await run('wrangler', [
    'd1',
    'migrations',
    'apply',
    'INSTALLATION',
    '--local',
    '--persist-to',
    state,
    '-c',
    'wrangler.toml',
  ]);
  return state;
}

export function fillDatabase(file: string, all: Text[]): void {
  const db = new DatabaseSync(file);
  try {
    db.exec('BEGIN; DELETE FROM articles; UPDATE site_state SET revision = revision + 1');
    const insert = db.prepare(
      `INSERT INTO articles (id, kind, slug, title, status, save_id, created_at, updated_at, published_at, updated_by, search, content)
VALUES (?1, 'post', ?1, ?2, 'PUBLISHED', ?1, ?3, ?3, ?3, 'bench', ?1, ?4)`,
    );
    for (const text of all) insert.run(text.slug, text.title, text.at, htmlOf(text));
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}
