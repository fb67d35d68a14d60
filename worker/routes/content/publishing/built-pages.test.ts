import { beforeEach, describe, expect, it } from 'vitest';
import { shellPlaceholders } from '#shared/article/article-page';
import { articlesOf } from '#tests/support/content/articles';
import { type ContentApp, makeContentApp } from '#tests/support/content/content';
import type { Db } from '#worker/data/db';

/** The built site: its shells, and the files of the last build. */
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
  return { status: answer.status, kept: answer.headers.get('cache-control'), text: await answer.text() };
};
/** The file that a build would write from what is published now. */
const asBuilt = async (path: string) => `built ${(await get(path)).text}`;

describe('an article’s address, with a file of a build', () => {
  it.each([
    ['post', () => makePost({ status: 'PUBLISHED' })],
    ['page', () => makePage({ status: 'PUBLISHED' })],
  ])('sends the file of a %s that shows the last saved version', async (kind, make) => {
    const made = await make();
    const path = `/${kind === 'post' ? 'blog' : 'pages'}/${made.slug}`;
    const file = await asBuilt(path);
    files = { [path]: file };
    expect(await get(path)).toEqual({ status: 200, kept: 'public, max-age=0, must-revalidate', text: file });
    expect((await get(path, { 'if-none-match': 'W/"tag"' })).status).toBe(304);
  });

  it('never shows an earlier version than was shown, when a build that began before the change goes live', async () => {
    const made = await makePage({ status: 'PUBLISHED', content: '<p>First.</p>' });
    const path = `/pages/${made.slug}`;
    const file = await asBuilt(path);
    app.clock.now += 1000;
    await putPage(made.id, { version: made.version, status: 'PUBLISHED', content: '<p>Second.</p>' });
    expect((await get(path)).text).toContain('Second.');
    files = { [path]: file };
    const after = await get(path);
    expect([after.kept, after.text.includes('Second.'), after.text.includes('First.')]).toEqual([
      'no-store',
      true,
      false,
    ]);
  });

  it('stays empty after a removal, and shows a new article there instead of the removed one', async () => {
    const made = await makePage({ status: 'PUBLISHED', title: 'About us', content: '<p>First.</p>' });
    const path = `/pages/${made.slug}`;
    files = { [path]: await asBuilt(path) };
    await app.get(200, 'DELETE', `/api/cms/pages/${made.id}`, { token });
    expect((await get(path)).status).toBe(404);
    app.clock.now += 1000;
    const next = await makePage({ status: 'PUBLISHED', title: 'About us', content: '<p>Another.</p>' });
    expect([next.slug, next.version]).toEqual([made.slug, made.version]);
    expect((await get(path)).text).toContain('Another.');
  });

  it('sends the file while the database does not answer', async () => {
    const lost = () => {
      throw new Error('D1_ERROR: Network connection lost');
    };
    files = { '/blog/hours': 'built' };
    app = makeContentApp({ installation: { $client: { prepare: lost, batch: lost } } as unknown as Db }, { ASSETS });
    expect(await get('/blog/hours')).toMatchObject({ status: 200, text: 'built' });
  });

  it('sends the further pages of the list', async () => {
    files = { '/blog/page/2': 'second page' };
    expect(await get('/blog/page/2')).toMatchObject({ status: 200, text: 'second page' });
    expect((await get('/blog/page/3')).status).toBe(404);
  });
});
