import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { makeContentApp } from '#tests/support/content/content';
import type { Db } from '#worker/data/db';

const failDatabase = () => {
  throw new Error('D1_ERROR: Network connection lost');
};
const installation = { $client: { prepare: failDatabase, batch: failDatabase } } as unknown as Db;

describe('public content while the database does not answer', () => {
  it.each([
    ['/api/public/posts', 'Failed to fetch posts'],
    ['/api/public/posts/spring-hours', 'Failed to fetch post'],
    ['/api/public/pages', 'Failed to fetch pages'],
    ['/api/public/pages/about-us', 'Failed to fetch page'],
  ])('reports at %s what could not be read', async (path, message) => {
    const app = makeContentApp({ installation });
    const answer = await app.call('GET', path);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ error: { code: 'internal', message } });
    expect(app.logs).toEqual(['content-not-read']);
  });

  it.each([
    ['/blog/spring-hours', '/app/post-failed'],
    ['/pages/about-us', '/app/page-failed'],
  ])('shows the site’s error page at %s', async (path, page) => {
    const app = makeContentApp({ installation });
    const answer = await app.call('GET', path);
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('cache-control')]).toEqual([
      503,
      '60',
      'no-store',
    ]);
    expect(await answer.text()).toContain(page);
    expect(app.logs).toEqual(['content-not-read']);
  });
});

describe('an article written directly into the database', () => {
  it.each([
    ['post', '/blog/planted', '/app/post'],
    ['page', '/pages/planted', '/app/page'],
  ])('is rendered as a %s even if its content is deeply nested', async (kind, path, shell) => {
    await env.INSTALLATION.prepare(
      `INSERT INTO articles (id, kind, slug, title, status, save_id, created_at, updated_at, published_at, updated_by, search, content)
VALUES (?1, ?1, 'planted', 'Planted', 'PUBLISHED', ?1, 0, 0, 0, 'nobody', 'planted', ?2)`,
    )
      .bind(kind, '<div>'.repeat(20_000))
      .run();
    const app = makeContentApp();
    const answer = await app.call('GET', path);
    expect([answer.status, app.logs]).toEqual([200, []]);
    expect(await answer.text()).toContain(shell);
  });
});

describe('an address with a trailing slash', () => {
  it.each(['/blog/spring-hours', '/pages/%0d%0aabout'])('redirects to %s', async (path) => {
    const answer = await makeContentApp().call('GET', `${path}/`);
    expect([answer.status, answer.headers.get('location')]).toEqual([307, path]);
  });
});
