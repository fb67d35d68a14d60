import { beforeEach, describe, expect, it } from 'vitest';
import { shellPlaceholders } from '#shared/article/article-page';
import { articlesOf } from '#tests/support/content/articles';
import { type ContentApp, makeContentApp } from '#tests/support/content/content';
import type { Db } from '#worker/data/db';

/** The files of the last build, by path. */
let files: Record<string, string>;
const SHELL = `${shellPlaceholders.title} ${shellPlaceholders.content}${shellPlaceholders.head}`;
const ASSETS = {
  fetch: async (url: string) => {
    const { pathname } = new URL(url);
    const html = pathname.startsWith('/app/') || pathname === '/404' ? `${pathname} ${SHELL}` : files[pathname];
    const headers = { 'cache-control': 'public, max-age=0, must-revalidate', etag: '"tag"' };
    return html === undefined ? new Response(null, { status: 404 }) : new Response(html, { headers });
  },
};

let app: ContentApp;
let token: string;
const { makePost, makePage, putPage } = articlesOf(() => ({ app, token }));
beforeEach(async () => {
  files = {};
  app = makeContentApp({}, { ASSETS });
  token = (await app.makeOwner()).token;
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await app.call('GET', path, { headers });
  return { status: answer.status, cacheControl: answer.headers.get('cache-control'), text: await answer.text() };
};
/** Returns the file that a build would write now. */
const buildFile = async (path: string) => `built ${(await get(path)).text}`;

describe('an article’s address for which the last build wrote a file', () => {
  it.each([
    ['post', () => makePost({ status: 'PUBLISHED' })],
    ['page', () => makePage({ status: 'PUBLISHED' })],
  ])('sends the file of a %s that shows the last saved version', async (kind, make) => {
    const article = await make();
    const path = `/${kind === 'post' ? 'blog' : 'pages'}/${article.slug}`;
    const file = await buildFile(path);
    files = { [path]: file };
    expect(await get(path)).toEqual({ status: 200, cacheControl: 'public, max-age=0, must-revalidate', text: file });
    expect((await get(path, { 'if-none-match': 'W/"tag"' })).status).toBe(304);
  });

  it('never returns to an earlier version when a build from before a change goes live', async () => {
    const article = await makePage({ status: 'PUBLISHED', content: '<p>First.</p>' });
    const path = `/pages/${article.slug}`;
    const file = await buildFile(path);
    app.clock.now += 1000;
    await putPage(article.id, { version: article.version, status: 'PUBLISHED', content: '<p>Second.</p>' });
    expect((await get(path)).text).toContain('Second.');
    files = { [path]: file };
    const answerAfterBuild = await get(path);
    expect([
      answerAfterBuild.cacheControl,
      answerAfterBuild.text.includes('Second.'),
      answerAfterBuild.text.includes('First.'),
    ]).toEqual(['no-store', true, false]);
  });

  it('returns 404 after its article is removed, and later shows a new article with the same address', async () => {
    const article = await makePage({ status: 'PUBLISHED', title: 'About us', content: '<p>First.</p>' });
    const path = `/pages/${article.slug}`;
    files = { [path]: await buildFile(path) };
    await app.get(200, 'DELETE', `/api/cms/pages/${article.id}`, { token });
    expect((await get(path)).status).toBe(404);
    app.clock.now += 1000;
    const newArticle = await makePage({ status: 'PUBLISHED', title: 'About us', content: '<p>Another.</p>' });
    expect([newArticle.slug, newArticle.version]).toEqual([article.slug, article.version]);
    expect((await get(path)).text).toContain('Another.');
  });

  it('sends the file while the database does not respond', async () => {
    const failDatabase = () => {
      throw new Error('D1_ERROR: Network connection lost');
    };
    files = { '/blog/hours': 'built' };
    app = makeContentApp(
      { installation: { $client: { prepare: failDatabase, batch: failDatabase } } as unknown as Db },
      { ASSETS },
    );
    expect(await get('/blog/hours')).toMatchObject({ status: 200, text: 'built' });
  });

  it('sends the built file of a further page of the list', async () => {
    files = { '/blog/page/2': 'second page' };
    expect(await get('/blog/page/2')).toMatchObject({ status: 200, text: 'second page' });
    expect((await get('/blog/page/3')).status).toBe(404);
  });
});
