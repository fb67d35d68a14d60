import { beforeEach, describe, expect, it } from 'vitest';
import { articlesOf, form, text } from '#tests/support/content/articles';
import { type ContentApp, makeContentApp } from '#tests/support/content/content';
import { randomFrom } from '#tests/support/seeded-random';

let app: ContentApp;
let token: string;
beforeEach(async () => {
  app = makeContentApp();
  token = (await app.makeOwner()).token;
});
const { makePost, makePage, putPage } = articlesOf(() => ({ app, token }));

describe('an article address', () => {
  it('is derived from the title with a counter, but is rejected if a writer chose one already in use', async () => {
    const slugs = await Promise.all([makePost(), makePost(), makePost()]);
    expect(slugs.map(({ slug }) => slug).sort()).toEqual([
      'why-patients-pay-late',
      'why-patients-pay-late-2',
      'why-patients-pay-late-3',
    ]);
    const formWithUsedSlug = form({ ...text, slug: 'why-patients-pay-late' });
    const answer = await app.call('POST', '/api/cms/posts', { token, body: formWithUsedSlug });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({
      error: { message: 'That address is already in use.', fields: ['slug'] },
    });
    // A page may have the address of a post.
    expect(await makePage({ slug: 'why-patients-pay-late' })).toMatchObject({ slug: 'why-patients-pay-late' });
  });

  it('is unique for each of thirty articles created at once with the same title', async () => {
    const pages = await Promise.all(Array.from({ length: 30 }, () => makePage()));
    expect(new Set(pages.map(({ slug }) => slug)).size).toBe(30);
    for (const { slug } of pages) expect(slug).toMatch(/^why-patients-pay-late(-(\d+|[0-9a-f]{8}))?$/);
  });

  it('goes to only one of several writers who choose it at once', async () => {
    const create = () => app.call('POST', '/api/cms/pages', { token, body: { ...text, slug: 'fees' } });
    const answers = await Promise.all([create(), create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it.each([
    ['..', 'why-patients-pay-late'],
    ['new', 'new-page'],
    ['../../admin', 'admin'],
    ['a\u202egpj.exe', 'a-gpj-exe'],
    ['<img src=x>', 'img-src-x'],
  ])('turns %j into a harmless address', async (slug, expected) => {
    expect(await makePage({ slug })).toMatchObject({ slug: expected });
  });

  it('is generated for a title without Latin letters', async () => {
    expect((await makePage({ title: '診療費' })).slug).toMatch(/^page-[0-9a-f]{8}$/);
  });

  it('redirects from a published article’s old address until another article takes it', async () => {
    const page = await makePage({ status: 'PUBLISHED', slug: 'fees' });
    await putPage(page.id, { status: 'PUBLISHED', slug: 'prices' });
    const redirectAnswer = await app.call('GET', '/api/public/pages/fees');
    expect([redirectAnswer.status, redirectAnswer.headers.get('location')]).toEqual([301, '/api/public/pages/prices']);
    // Once unpublished, its old address no longer redirects.
    await putPage(page.id, { status: 'DRAFT' });
    expect((await app.call('GET', '/api/public/pages/fees')).status).toBe(404);
    await putPage(page.id, { status: 'PUBLISHED' });
    const otherPage = await makePage({ status: 'PUBLISHED', slug: 'fees' });
    expect(await app.get(200, 'GET', '/api/public/pages/fees')).toMatchObject({ id: otherPage.id });
  });
});

describe('a redirecting address', () => {
  const redirectTarget = async () => (await app.call('GET', '/api/public/pages/fees')).headers.get('location');
  const move = async () => {
    const page = await makePage({ status: 'PUBLISHED', title: 'Fees' });
    await putPage(page.id, { status: 'PUBLISHED', slug: 'prices' });
    expect([page.slug, await redirectTarget()]).toEqual(['fees', '/api/public/pages/prices']);
    return page;
  };

  it('keeps redirecting while another article with that address is a draft', async () => {
    await move();
    const otherPage = await makePage({ slug: 'fees' });
    expect([otherPage.slug, await redirectTarget()]).toEqual(['fees', '/api/public/pages/prices']);
    await putPage(otherPage.id, { status: 'PUBLISHED' });
    expect(await app.get(200, 'GET', '/api/public/pages/fees')).toMatchObject({ id: otherPage.id });
    await putPage(otherPage.id, { status: 'DRAFT' });
    expect((await app.call('GET', '/api/public/pages/fees')).status).toBe(404);
  });

  it('keeps redirecting after another published article briefly had the address as a draft', async () => {
    await move();
    const otherPage = await makePage({ status: 'PUBLISHED', slug: 'questions' });
    for (const slug of ['fees', 'answers']) {
      await putPage(otherPage.id, { slug });
      expect(await redirectTarget()).toBe('/api/public/pages/prices');
    }
    await putPage(otherPage.id, { status: 'PUBLISHED' });
    expect(await redirectTarget()).toBe('/api/public/pages/prices');
    const oldAddressAnswer = await app.call('GET', '/api/public/pages/questions');
    expect(oldAddressAnswer.headers.get('location')).toBe('/api/public/pages/answers');
    // An article that is published under the address takes it over, and redirects it when it moves on.
    await putPage(otherPage.id, { status: 'PUBLISHED', slug: 'fees' });
    await putPage(otherPage.id, { status: 'PUBLISHED', slug: 'charges' });
    expect(await redirectTarget()).toBe('/api/public/pages/charges');
  });

  it('passes to another article only when a writer chooses it', async () => {
    await move();
    expect((await makePage({ title: 'Fees', status: 'PUBLISHED' })).slug).toBe('fees-2');
    expect(await redirectTarget()).toBe('/api/public/pages/prices');
  });

  it('redirects straight to the current address and causes no loop when an article moves back', async () => {
    const page = await move();
    await putPage(page.id, { status: 'PUBLISHED', slug: 'costs' });
    expect(await redirectTarget()).toBe('/api/public/pages/costs');
    await putPage(page.id, { status: 'PUBLISHED', slug: 'fees' });
    expect(await app.get(200, 'GET', '/api/public/pages/fees')).toMatchObject({ id: page.id });
    for (const oldSlug of ['prices', 'costs']) {
      const redirectAnswer = await app.call('GET', `/api/public/pages/${oldSlug}`);
      expect([redirectAnswer.status, redirectAnswer.headers.get('location')]).toEqual([301, '/api/public/pages/fees']);
    }
  });

  it('leads to a page after at most one redirect, however often articles move', async () => {
    const { pick } = randomFrom(21);
    const names = Array.from({ length: 8 }, (_, index) => `name-${index}`);
    const pages = [];
    for (const slug of names.slice(0, 3)) pages.push(await makePage({ status: 'PUBLISHED', slug }));
    const used = new Set(names.slice(0, 3));
    let moves = 0;
    while (moves < 21) {
      const slug = pick(names);
      // Another article may have this address now.
      if ((await putPage(pick(pages).id, { status: 'PUBLISHED', slug })).status !== 200) continue;
      used.add(slug);
      moves++;
    }
    for (const slug of used) {
      const first = await app.call('GET', `/api/public/pages/${slug}`);
      const next = first.headers.get('location');
      const last = next === null ? first : await app.call('GET', next);
      expect([slug, last.status]).toEqual([slug, 200]);
    }
  });
});
