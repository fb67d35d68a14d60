import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Draft, PreviewReply, Revision } from '#shared/contracts/content/content';
import type {
  ConflictReply,
  PageDetail,
  PostDetail,
  PostItem,
  PublicPost,
} from '#shared/contracts/content/content-answers';
import { listHeaders } from '#shared/contracts/lists/list-values';
import { articlesOf, form, text } from '#tests/support/content/articles';
import { type ContentApp, makeContentApp } from '#tests/support/content/content';
import { eventsOf } from '#tests/support/unit/trail';
import { INSTALLATION } from '#worker/data/schema/audit';

let app: ContentApp;
let token: string;
beforeEach(async () => {
  app = makeContentApp();
  token = (await app.makeOwner()).token;
});

const { makePost, makePage, putPage, openPage } = articlesOf(() => ({ app, token }));
const siteRevision = () => env.INSTALLATION.prepare('SELECT revision FROM site_state').first<number>('revision');

describe('a post', () => {
  it('is created, published, listed, read publicly and deleted', async () => {
    const created = await makePost({ content: '<h2 onclick=x>Late</h2><script>x</script><p></p>' });
    expect(created).toMatchObject({
      title: text.title,
      content: '<h2>Late</h2>',
      status: 'DRAFT',
      slug: 'why-patients-pay-late',
      featuredImage: null,
      version: 1,
      publishedAt: null,
      updatedBy: 'Olga Reyes',
      draft: null,
    });
    const missingAnswer = await app.call('GET', `/api/public/posts/${created.slug}`);
    expect(missingAnswer.status).toBe(404);
    expect(await missingAnswer.json()).toMatchObject({ error: { message: 'Post not found' } });
    expect(await app.get(200, 'GET', '/api/public/posts')).toEqual([]);
    expect(await siteRevision()).toBe(0);

    app.clock.now += 60_000;
    const body = form({ ...text, status: 'PUBLISHED' });
    const saved = await app.get<PostDetail>(200, 'PUT', `/api/cms/posts/${created.id}`, { token, body });
    expect(saved).toMatchObject({ version: 2, slug: created.slug, publishedAt: new Date(app.clock.now).toISOString() });
    expect(await siteRevision()).toBe(1);
    expect(saved.revision).toBe(1);
    const publishedPost = await app.get<PublicPost>(200, 'GET', `/api/public/posts/${created.slug}`);
    expect(Object.keys(publishedPost).sort()).toEqual(
      [
        ...['id', 'title', 'content', 'status', 'featuredImage', 'slug', 'createdAt'],
        ...['excerpt', 'picture', 'publishedAt', 'updatedAt', 'version'],
      ].sort(),
    );
    expect(await app.get(200, 'GET', '/api/public/posts')).toEqual([publishedPost]);
    expect(await app.get(200, 'GET', '/api/public/pages')).toEqual([]);

    expect(await app.get(200, 'DELETE', `/api/cms/posts/${created.id}`, { token })).toEqual({ id: created.id });
    expect((await app.call('DELETE', `/api/cms/posts/${created.id}`, { token })).status).toBe(404);
    expect((await app.call('GET', `/api/public/posts/${created.slug}`)).status).toBe(404);
    expect(await siteRevision()).toBe(2);
  });

  it('cannot be opened as a page by its id', async () => {
    const { id } = await makePost();
    for (const method of ['GET', 'DELETE']) {
      expect((await app.call(method, `/api/cms/pages/${id}`, { token })).status).toBe(404);
      expect((await app.call(method, '/api/cms/posts/unknown', { token })).status).toBe(404);
    }
    const answer = await putPage(id, {});
    expect(await answer.json()).toMatchObject({ error: { message: 'Page not found' } });
  });

  it.each([
    ['no title', { title: '' }, 422, 'Please enter a title.'],
    ['a title of spaces', { title: ' \u200b ' }, 422, 'Please enter a title.'],
    ['an overlong title', { title: 'x'.repeat(201) }, 422, 'Please enter a title of at most 200 characters.'],
    ['a lower-case status', { status: 'published' }, 422, 'Status must be DRAFT or PUBLISHED.'],
    ['another status', { status: 'DELETED' }, 422, 'Status must be DRAFT or PUBLISHED.'],
    ['tags nested too deeply', { content: '<b>'.repeat(5000) }, 422, 'Content is nested too deeply.'],
    [
      'formatting reopened in every paragraph',
      { content: `<p>${Array.from({ length: 190 }, (_, n) => `<b a=${n}>`).join('')}</p>${'<p>x</p>'.repeat(30_000)}` },
      422,
      'Content is nested too deeply.',
    ],
    ['content too long', { content: 'x'.repeat(300_001) }, 413, 'Content is too long.'],
    ['an unknown picture', { featuredImageId: 'none' }, 422, 'This image is no longer in the library.'],
  ])('is rejected with %s, and nothing is saved', async (_case, overrides, status, message) => {
    const answer = await app.call('POST', '/api/cms/posts', { token, body: form({ ...text, ...overrides }) });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { message } });
    expect(await env.INSTALLATION.prepare('SELECT * FROM articles').first()).toBeNull();
  });

  it('is accepted as a form and a page as JSON, and both are rejected at five megabytes', async () => {
    expect((await app.call('POST', '/api/cms/posts', { token, body: text })).status).toBe(415);
    expect((await app.call('POST', '/api/cms/pages', { token, body: form(text) })).status).toBe(415);
    expect((await app.call('POST', '/api/cms/pages', { token, body: '{' })).status).toBe(400);
    const longArticle = { ...text, content: 'x'.repeat(5_000_000) };
    expect((await app.call('POST', '/api/cms/pages', { token, body: longArticle })).status).toBe(413);
    expect((await app.call('POST', '/api/cms/posts', { token, body: form(longArticle) })).status).toBe(413);
  });
});

describe('concurrent saves', () => {
  it('succeed for one of two writers of the same version, and give the other a conflict that preserves the text', async () => {
    const page = await makePage();
    const editor = await app.makeEditor(token);
    const save = (writerToken: string, content: string) =>
      app.call('PUT', `/api/cms/pages/${page.id}`, {
        token: writerToken,
        body: { ...text, content },
        headers: { 'if-match': '"1"' },
      });
    const answers = await Promise.all([save(token, '<p>Mine</p>'), save(editor.token, '<p>Theirs</p>')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const isFirst = answers[0]?.status === 200;
    const [savedText, refusedText] = isFirst ? ['<p>Mine</p>', '<p>Theirs</p>'] : ['<p>Theirs</p>', '<p>Mine</p>'];
    const refusedAnswer = answers.find(({ status }) => status === 409) ?? new Response();
    const { error, current } = (await refusedAnswer.json()) as ConflictReply;
    expect(error.message).toBe('Someone else changed this. Your text is kept.');
    expect(current).toMatchObject({ content: savedText, version: 2 });
    const refusedView = await app.get<PageDetail>(200, 'GET', `/api/cms/pages/${page.id}`, {
      token: isFirst ? editor.token : token,
    });
    expect(refusedView).toMatchObject({ content: savedText, draft: { content: refusedText, baseVersion: 1 } });
  });

  it('are all saved one after the other if none of them names a version', async () => {
    const page = await makePage();
    const answers = await Promise.all([1, 2, 3].map((n) => putPage(page.id, { content: `<p>${n}</p>` })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await openPage(page.id)).version).toBe(4);
  });

  it('are all accepted even if there are thirty, but ask for a retry after repeated collisions', async () => {
    const page = await makePage();
    const save = (n: number) => putPage(page.id, { content: `<p>${n}</p>` });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => save(n)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await openPage(page.id)).version).toBe(31);
    await env.INSTALLATION.prepare(
      'CREATE TRIGGER others BEFORE UPDATE ON articles BEGIN SELECT RAISE(IGNORE); END',
    ).run();
    app = makeContentApp({ pause: async () => undefined });
    const refusedAnswer = await save(31);
    await env.INSTALLATION.prepare('DROP TRIGGER others').run();
    expect([refusedAnswer.status, refusedAnswer.headers.get('retry-after')]).toEqual([409, '2']);
    const message = 'Others are saving this at the same moment. Please try again.';
    expect(await refusedAnswer.json()).toMatchObject({ error: { code: 'conflict', message } });
  });

  it('are checked against the version in the body or in the header', async () => {
    const page = await makePage();
    expect((await putPage(page.id, { version: 1 })).headers.get('etag')).toBe('"2"');
    expect((await putPage(page.id, { version: 1 })).status).toBe(409);
    expect((await putPage(page.id, {}, { 'if-match': 'W/"2"' })).status).toBe(200);
    expect((await putPage(page.id, {}, { 'if-match': 'nonsense' })).status).toBe(409);
    expect((await putPage(page.id, {}, { 'if-match': '*' })).status).toBe(200);
  });
});

describe('an article draft', () => {
  const draft = { title: 'Half a', content: '<p onclick=x>Half</p>', slug: '', baseVersion: 1 };

  it('belongs to its writer, is never public and ends when the article is saved', async () => {
    const page = await makePage({ status: 'PUBLISHED' });
    const previousRevision = await siteRevision();
    const savedDraft = await app.get<Draft>(200, 'PUT', `/api/cms/pages/${page.id}/draft`, { token, body: draft });
    expect(savedDraft).toMatchObject({ title: 'Half a', content: '<p>Half</p>', baseVersion: 1 });
    expect(await app.get(200, 'GET', `/api/public/pages/${page.slug}`)).toMatchObject({ content: text.content });
    expect(await siteRevision()).toBe(previousRevision);
    const editor = await app.makeEditor(token);
    const otherView = await app.get<PageDetail>(200, 'GET', `/api/cms/pages/${page.id}`, { token: editor.token });
    expect(otherView.draft).toBeNull();
    expect((await openPage(page.id)).draft).toEqual(savedDraft);
    await putPage(page.id, {});
    expect((await openPage(page.id)).draft).toBeNull();
  });

  it('is saved for an article without an id and ends with the first save', async () => {
    const path = '/api/cms/posts/new/draft';
    expect((await app.call('GET', path, { token })).status).toBe(404);
    await app.get(200, 'PUT', path, { token, body: draft });
    expect(await app.get(200, 'GET', path, { token })).toMatchObject({ title: 'Half a' });
    await makePost();
    expect((await app.call('GET', path, { token })).status).toBe(404);
    expect((await app.call('PUT', '/api/cms/posts/unknown/draft', { token, body: draft })).status).toBe(404);
  });

  it('can be discarded', async () => {
    await app.get(200, 'PUT', '/api/cms/posts/new/draft', { token, body: draft });
    await app.get(200, 'DELETE', '/api/cms/posts/new/draft', { token });
    expect((await app.call('GET', '/api/cms/posts/new/draft', { token })).status).toBe(404);
  });
});

describe('article versions', () => {
  it('show author, title and status, and a restored one becomes the newest', async () => {
    const page = await makePage({ content: '<p>One</p>' });
    app.clock.now += 60_000;
    await putPage(page.id, { title: 'Two', content: '<p>Two</p>', status: 'PUBLISHED' });
    const list = await app.get<Revision[]>(200, 'GET', `/api/cms/pages/${page.id}/revisions`, { token });
    expect(list.map(({ version, title, status, savedBy }) => [version, title, status, savedBy])).toEqual([
      [2, 'Two', 'PUBLISHED', 'Olga Reyes'],
      [1, text.title, 'DRAFT', 'Olga Reyes'],
    ]);
    const first = `/api/cms/pages/${page.id}/revisions/1`;
    expect(await app.get(200, 'GET', first, { token })).toMatchObject({ content: '<p>One</p>', picture: null });
    const restoredPage = await app.get<PageDetail>(200, 'POST', `${first}/restore`, { token });
    expect(restoredPage).toMatchObject({ version: 3, title: text.title, content: '<p>One</p>', status: 'PUBLISHED' });
    const [event] = await eventsOf(INSTALLATION, 'article.edited');
    expect(JSON.parse(event?.after ?? '{}')).toMatchObject({ version: 3, restored: 1 });
    expect((await app.call('POST', `/api/cms/pages/${page.id}/revisions/9/restore`, { token })).status).toBe(404);
    expect((await app.call('GET', `/api/cms/posts/${page.id}/revisions`, { token })).status).toBe(404);
  });

  it('are limited to fifty', async () => {
    const page = await makePage();
    for (let n = 0; n < 52; n++) await putPage(page.id, { content: `<p>${n}</p>` });
    const list = await app.get<Revision[]>(200, 'GET', `/api/cms/pages/${page.id}/revisions`, { token });
    expect(list).toHaveLength(50);
    expect(list[0]?.version).toBe(53);
  });
});

describe('an article preview', () => {
  it('shows the writer’s draft to anyone with the link, for an hour', async () => {
    const page = await makePage();
    const make = () => app.get<PreviewReply>(200, 'POST', `/api/cms/pages/${page.id}/preview`, { token });
    const path = ({ url }: PreviewReply) => new URL(url).pathname.replace('/preview/', '/api/public/preview/');
    const link = await make();
    expect(await app.get(200, 'GET', path(link))).toMatchObject({ kind: 'page', content: text.content });
    const body = { title: 'Draft', content: '<p>Draft</p>', slug: '', baseVersion: 1 };
    await app.get(200, 'PUT', `/api/cms/pages/${page.id}/draft`, { token, body });
    expect(await app.get(200, 'GET', path(link))).toMatchObject({ title: 'Draft', endsAt: link.endsAt });
    // The preview token opens nothing else, and no other token opens the preview.
    const previewToken = new URL(link.url).pathname.split('/').at(-1) ?? '';
    expect((await app.call('GET', '/api/cms/pages', { token: previewToken })).status).toBe(401);
    expect((await app.call('GET', `/api/public/preview/${token}`)).status).toBe(404);
    app.clock.now += 3_600_000;
    expect((await app.call('GET', path(link))).status).toBe(404);
  });

  it('works before the first save if a draft exists', async () => {
    expect((await app.call('POST', '/api/cms/posts/new/preview', { token })).status).toBe(404);
    const body = { title: 'Unborn', content: '<p>x</p>', slug: '', baseVersion: 0 };
    await app.get(200, 'PUT', '/api/cms/posts/new/draft', { token, body });
    const { url } = await app.get<PreviewReply>(200, 'POST', '/api/cms/posts/new/preview', { token });
    const path = new URL(url).pathname.replace('/preview/', '/api/public/preview/');
    expect(await app.get(200, 'GET', path)).toMatchObject({ kind: 'post', title: 'Unborn', featuredImage: null });
  });
});

describe('the article list', () => {
  it('is searched, filtered, sorted and paged, and reports its total', async () => {
    for (const [title, status] of [
      ['Überweisung', 'PUBLISHED'],
      ['Alpha 100%', 'DRAFT'],
      ['Beta', 'PUBLISHED'],
    ] as const) {
      app.clock.now += 1000;
      await makePost({ title, status });
    }
    const search = async (query: string) => {
      const answer = await app.call('GET', `/api/cms/posts?${query}`, { token });
      const rows = (await answer.json()) as PostItem[];
      return { titles: rows.map(({ title }) => title), rows, answer };
    };
    expect((await search('')).titles).toEqual(['Beta', 'Alpha 100%', 'Überweisung']);
    expect((await search('q=uberweisung')).titles).toEqual(['Überweisung']);
    expect((await search('q=100%25')).titles).toEqual(['Alpha 100%']);
    expect((await search(`q=${encodeURIComponent("%' OR 1=1--")}`)).titles).toEqual([]);
    expect((await search('sort=title')).titles).toEqual(['Alpha 100%', 'Beta', 'Überweisung']);
    expect((await search('sort=-title&status=PUBLISHED')).titles).toEqual(['Überweisung', 'Beta']);
    const second = await search('size=2&page=2');
    expect(second.titles).toEqual(['Überweisung']);
    expect(second.answer.headers.get(listHeaders.total)).toBe('3');
    expect(second.answer.headers.get(listHeaders.pages)).toBe('2');
    expect((await search('')).rows[0]?.content).toBe(text.content);
    expect((await search('view=rows')).rows[0]?.content).toBe('');
    const scheduledTime = new Date(app.clock.now + 60_000).toISOString();
    await makePost({ title: 'Soon', startsAt: scheduledTime });
    await makePost({ title: 'Until then', status: 'PUBLISHED', endsAt: scheduledTime });
    const scheduledPosts = await search('status=SCHEDULED');
    expect([scheduledPosts.titles, scheduledPosts.answer.headers.get(listHeaders.total)]).toEqual([['Soon'], '1']);
    for (const query of ['sort=content', 'sort=title;drop', 'size=101', 'page=0', 'status=x', 'page=1&page=2'])
      expect((await app.call('GET', `/api/cms/posts?${query}`, { token })).status, query).toBe(422);
  });
});
