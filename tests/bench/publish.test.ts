import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoginReply } from '#shared/contracts/content/content';
import type { PostDetail } from '#shared/contracts/content/content-answers';
import { bearer } from '#tests/support/consent';
import { productOfWorker } from '#tests/support/product/product';
import { testSettings } from '#tests/support/unit/settings';
import { quantiles } from './load.ts';
import { printFigures, recordFigure } from './report.ts';
import { htmlOf, makeTexts, type Text } from './site-build/content.ts';
import { type BenchWorker, openBenchWorker } from './test-worker.ts';

/**
 * On a busy machine the fastest of a few rounds is luck; medians of this many, in alternation, stay within a few
 * percent.
 */
const ROUNDS = 120;
const [SOME, MANY] = [1000, 5000];

/** Two products that differ only in the number of published posts. They take turns on the same machine. */
let few: Desk;
let many: Desk;
const folder = mkdtempSync(path.join(tmpdir(), 'tillway-publish-'));
beforeAll(async () => {
  [few, many] = [await openDesk(), await openDesk()];
});
afterAll(async () => {
  await Promise.all([few.testWorker.close(), many.testWorker.close()]);
  rmSync(folder, { recursive: true, force: true });
});
printFigures();

type Desk = { testWorker: BenchWorker; token: string };

async function openDesk(): Promise<Desk> {
  const shell = readFileSync(path.join(productOfWorker().state, 'site/client/app/post.html'), 'utf8');
  const testWorker = await openBenchWorker({ shell });
  const answer = await fetch(`${testWorker.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Bench',
      email: 'bench@clinic.example',
      password: 'eleven gentle otters',
      setupCode: testSettings('').OWNER_SETUP_CODE,
    }),
  });
  return { testWorker, token: ((await answer.json()) as LoginReply).token };
}

async function fill({ testWorker }: Desk, all: Text[]): Promise<void> {
  for (let at = 0; at < all.length; at += 250) {
    const rows = all.slice(at, at + 250).map((text) => ({ ...text, html: htmlOf(text) }));
    const { ok } = await fetch(`${testWorker.url}/bench/posts`, { method: 'PUT', body: JSON.stringify(rows) });
    if (!ok) throw new Error('the posts could not be written');
  }
}

let counter = 0;

/** Milliseconds from pressing Save to the full page at the post's own address. */
async function publish({ testWorker, token }: Desk): Promise<number> {
  const title = `Published ${counter++}`;
  const form = new FormData();
  form.set('title', title);
  form.set('content', htmlOf({ slug: '', title, at: 0, seed: counter }));
  form.set('status', 'PUBLISHED');
  const from = performance.now();
  const response = await fetch(`${testWorker.url}/api/cms/posts`, {
    method: 'POST',
    headers: bearer(token),
    body: form,
  });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  const { slug } = (await response.json()) as PostDetail;
  const page = await fetch(`${testWorker.url}/blog/${slug}`);
  const html = await page.text();
  const duration = performance.now() - from;
  if (page.status !== 200 || !html.includes(`<h1>${title}</h1>`))
    throw new Error(`the post is missing: ${page.status}`);
  return duration;
}

/** The minimum work: a script writes one row, its page and the full list. */
function scriptedWrite(all: Text[]): () => number {
  const db = new DatabaseSync(path.join(folder, `${all.length}.sqlite`));
  // It need not survive a power loss, because only the work itself is measured.
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
  it(`costs at most 3.8 times a minimal script, and hardly more with ${MANY} posts than with ${SOME}`, async () => {
    const all = makeTexts(MANY);
    const fewPosts = all.slice(0, SOME);
    await fill(few, fewPosts);
    await fill(many, all);
    const write = scriptedWrite(fewPosts);
    const fewTimes: number[] = [];
    const manyTimes: number[] = [];
    const scriptTimes: number[] = [];
    const kinds = [
      async () => fewTimes.push(await publish(few)),
      async () => manyTimes.push(await publish(many)),
      async () => scriptTimes.push(write()),
    ];
    for (let warm = 0; warm < 5; warm++) for (const kind of kinds) await kind();
    for (const values of [fewTimes, manyTimes, scriptTimes]) values.length = 0;
    for (let round = 0; round < ROUNDS; round++) {
      // Each kind comes first, second and third equally often.
      for (let turn = 0; turn < kinds.length; turn++) await kinds[(round + turn) % kinds.length]?.();
    }

    const [fewStats, manyStats, scriptStats] = [quantiles(fewTimes), quantiles(manyTimes), quantiles(scriptTimes)];
    const ratio = fewStats.median / scriptStats.median;
    const growth = manyStats.median / fewStats.median;
    const ms = (value: number) => `${value.toFixed(1)} ms`;
    const text = `${ratio.toFixed(1)}x (${ms(fewStats.median)} and ${ms(scriptStats.median)}, median of ${ROUNDS})`;
    recordFigure(`publish and first 200, ${SOME} posts, against a scripted write`, text, '<= 3.8x', ratio <= 3.8);
    recordFigure(
      `the same with ${MANY} posts`,
      `${growth.toFixed(2)}x (${ms(manyStats.median)})`,
      '<= 1.20x',
      growth <= 1.2,
    );
    expect(ratio).toBeLessThanOrEqual(3.8);
    expect(growth).toBeLessThanOrEqual(1.2);
  });
});
