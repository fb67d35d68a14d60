import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { LoginReply, PostDetail } from '#shared/contracts/content';
import { bearer } from '#tests/support/consent';
import { testSettings } from '#tests/support/settings';
import { quantiles } from './load.ts';
import { figure, isFull, printFigures } from './report.ts';
import { htmlOf, type Text, texts } from './site-build/content.ts';
import { type BenchTill, openBenchTill } from './till.ts';

const ROUNDS = isFull ? 30 : 12;
const [SOME, MANY] = [1000, 5000];

let till: BenchTill;
let token: string;
const folder = mkdtempSync(path.join(tmpdir(), 'tillway-publish-'));
beforeAll(async () => {
  const shell = readFileSync(path.join(inject('product').state, 'site/client/app/post.html'), 'utf8');
  till = await openBenchTill({ shell });
  const answer = await fetch(`${till.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Bench',
      email: 'bench@clinic.example',
      password: 'eleven gentle otters',
      setupCode: testSettings('').OWNER_SETUP_CODE,
    }),
  });
  ({ token } = (await answer.json()) as LoginReply);
});
afterAll(async () => {
  await till.close();
  rmSync(folder, { recursive: true, force: true });
});
printFigures();

async function fill(all: Text[]): Promise<void> {
  const insert = till.db.prepare(
    `INSERT OR IGNORE INTO articles (id, kind, slug, title, status, save_id, created_at, updated_at, published_at, updated_by, search, content)
VALUES (?1, 'post', ?1, ?2, 'PUBLISHED', ?1, ?3, ?3, ?3, 'bench', ?1, ?4)`,
  );
  for (let at = 0; at < all.length; at += 250) {
    await till.db.batch(
      all.slice(at, at + 250).map((text) => insert.bind(text.slug, text.title, text.at, htmlOf(text))),
    );
  }
}

let counter = 0;

/** From the press on Save to the whole page at the post's own address, in milliseconds. */
async function publish(): Promise<number> {
  const title = `Published ${counter++}`;
  const form = new FormData();
  form.set('title', title);
  form.set('content', htmlOf({ slug: '', title, at: 0, seed: counter }));
  form.set('status', 'PUBLISHED');
  const from = performance.now();
  const made = await fetch(`${till.url}/api/cms/posts`, { method: 'POST', headers: bearer(token), body: form });
  if (made.status !== 201) throw new Error(`${made.status} ${await made.text()}`);
  const { slug } = (await made.json()) as PostDetail;
  const page = await fetch(`${till.url}/blog/${slug}`);
  const html = await page.text();
  const took = performance.now() - from;
  if (page.status !== 200 || !html.includes(`<h1>${title}</h1>`))
    throw new Error(`the post is not there: ${page.status}`);
  return took;
}

/** The least that can be done: a row, its page and the list of all, written by a script that knows nothing else. */
function scriptedWrite(all: Text[]): () => number {
  const db = new DatabaseSync(path.join(folder, `${all.length}.sqlite`));
  // It need not survive a loss of power: nothing but the work itself is measured.
  db.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY');
  db.exec('CREATE TABLE posts (slug TEXT PRIMARY KEY, title TEXT, at INTEGER, content TEXT)');
  const insert = db.prepare('INSERT OR REPLACE INTO posts VALUES (?, ?, ?, ?)');
  db.exec('BEGIN');
  for (const text of all) insert.run(text.slug, text.title, text.at, htmlOf(text));
  db.exec('COMMIT');
  const page = (title: string, body: string) =>
    `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`;
  return () => {
    const slug = `written-${counter++}`;
    const from = performance.now();
    insert.run(slug, slug, Date.now(), htmlOf({ slug, title: slug, at: 0, seed: counter }));
    const [row] = db.prepare('SELECT * FROM posts WHERE slug = ?').all(slug) as { title: string; content: string }[];
    writeFileSync(path.join(folder, `${slug}.html`), page(row?.title ?? '', row?.content ?? ''));
    const rows = db
      .prepare('SELECT slug, title, substr(content, 1, 400) AS content FROM posts ORDER BY at DESC')
      .all() as Record<string, string>[];
    const list = rows.map(
      ({ slug, title, content = '' }) =>
        `<li><a href="/blog/${slug}">${title}</a><p>${content.replace(/<[^>]*>/g, ' ').slice(0, 150)}</p></li>`,
    );
    writeFileSync(path.join(folder, 'list.html'), page('Blog', `<ul>${list.join('')}</ul>`));
    return performance.now() - from;
  };
}

describe('publishing a post', () => {
  it(`costs little more than a script that writes the one page, and no more with ${MANY} posts than with ${SOME}`, async () => {
    const all = texts(MANY);
    const some = all.slice(0, SOME);
    await fill(some);
    const write = scriptedWrite(some);
    for (let warm = 0; warm < 5; warm++) {
      await publish();
      write();
    }
    const few: number[] = [];
    const scripted: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      scripted.push(write());
      few.push(await publish());
    }
    await fill(all);
    for (let warm = 0; warm < 3; warm++) await publish();
    const many: number[] = [];
    for (let round = 0; round < ROUNDS; round++) many.push(await publish());

    const [one, other, base] = [quantiles(few), quantiles(many), quantiles(scripted)];
    const ratio = one.median / base.median;
    const growth = other.median / one.median;
    const ms = (value: number) => `${value.toFixed(1)} ms`;
    const text = `${ratio.toFixed(1)}x (${ms(one.median)} and ${ms(base.median)}, median of ${ROUNDS})`;
    figure(`publish and first 200, ${SOME} posts, against a scripted write`, text, '<= 9.5x', ratio <= 9.5);
    figure(`the same with ${MANY} posts`, `${growth.toFixed(2)}x (${ms(other.median)})`, '<= 1.20x', growth <= 1.2);
    // By the quick rounds: the others tell of what else the machine does.
    expect(one.q10 / base.q10).toBeLessThanOrEqual(9.5);
    if (isFull) expect(growth).toBeLessThanOrEqual(1.2);
    else expect(other.q10 / one.q10).toBeLessThanOrEqual(1.5);
  });
});
