import { beforeEach, describe, expect, it } from 'vitest';
import type { PreviewReply } from '#shared/contracts/content/content';
import type { PageDetail, PostDetail, PostItem, PublicPost } from '#shared/contracts/content/content-answers';
import { contentLimits } from '#shared/limits';
import { articlesOf, form, text } from '#tests/support/content/articles';
import { type ContentApp, makeContentApp } from '#tests/support/content/content';

let app: ContentApp;
let token: string;
beforeEach(async () => {
  app = makeContentApp();
  token = (await app.makeOwner()).token;
});
const { makePost, makePage } = articlesOf(() => ({ app, token }));
const putPost = (id: string, fields: Record<string, string>, status = 200) =>
  app.get<PostDetail>(status, 'PUT', `/api/cms/posts/${id}`, { token, body: form({ ...text, ...fields }) });

describe('an article excerpt', () => {
  it('is one line of plain text, stays when a save omits it and is removed by an empty value', async () => {
    const post = await makePost({ excerpt: '  Two\nlines & <b>words</b>  ', status: 'PUBLISHED' });
    expect(post.excerpt).toBe('Two lines & <b>words</b>');
    expect((await putPost(post.id, { status: 'PUBLISHED' })).excerpt).toBe('Two lines & <b>words</b>');
    const publishedPost = await app.get<PublicPost>(200, 'GET', `/api/public/posts/${post.slug}`);
    expect(publishedPost.excerpt).toBe('Two lines & <b>words</b>');
    expect((await putPost(post.id, { excerpt: '', status: 'PUBLISHED' })).excerpt).toBe('');
  });

  it('is rejected when it is too long', async () => {
    const post = await makePost();
    expect(await putPost(post.id, { excerpt: 'x'.repeat(contentLimits.excerpt + 1) }, 422)).toMatchObject({
      error: { fields: ['excerpt'] },
    });
    expect((await putPost(post.id, { excerpt: 'x'.repeat(contentLimits.excerpt) })).excerpt).toHaveLength(300);
  });

  it('is omitted from list rows, like the content', async () => {
    await makePost({ excerpt: 'Short.' });
    const readExcerpts = async (view: string) =>
      (await app.get<PostItem[]>(200, 'GET', `/api/cms/posts${view}`, { token })).map(({ excerpt }) => excerpt);
    expect([await readExcerpts(''), await readExcerpts('?view=rows')]).toEqual([['Short.'], ['']]);
  });

  it('is part of a draft, its preview and a restored version', async () => {
    const page = await makePage({ excerpt: 'First.' });
    const path = `/api/cms/pages/${page.id}`;
    const body = { title: 'Draft', content: '<p>x</p>', excerpt: 'Typed.', slug: '', baseVersion: 1 };
    await app.get(200, 'PUT', `${path}/draft`, { token, body });
    expect(await app.get<PageDetail>(200, 'GET', path, { token })).toMatchObject({
      excerpt: 'First.',
      draft: { excerpt: 'Typed.' },
    });
    const { url } = await app.get<PreviewReply>(200, 'POST', `${path}/preview`, { token });
    const preview = new URL(url).pathname.replace('/preview/', '/api/public/preview/');
    expect(await app.get(200, 'GET', preview)).toMatchObject({ excerpt: 'Typed.' });
    // After a save that comes too late, the draft keeps the excerpt with the rest of the text.
    const lateText = { ...text, excerpt: 'Late.', version: 0 };
    expect((await app.call('PUT', path, { token, body: lateText })).status).toBe(409);
    expect(await app.get<PageDetail>(200, 'GET', path, { token })).toMatchObject({ draft: { excerpt: 'Late.' } });
    await app.get(200, 'PUT', path, { token, body: { ...text, excerpt: 'Second.' } });
    expect(await app.get(200, 'GET', `${path}/revisions/1`, { token })).toMatchObject({ excerpt: 'First.' });
    expect(await app.get(200, 'POST', `${path}/revisions/1/restore`, { token })).toMatchObject({ excerpt: 'First.' });
  });
});
