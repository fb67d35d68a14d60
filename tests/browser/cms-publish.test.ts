import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { PublishState } from '#shared/contracts/content/content';
import type { PageDetail, PostDetail } from '#shared/contracts/content/content-answers';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { forge } from '#tests/support/forge';
import { until, useProduct } from '#tests/support/product/product';
import { installationSql } from '../whole/expect-money.ts';
import { freshEmail, freshTitle, openEditor, PASSWORD, textBox, useWriter, useWriters, VIEWS } from './writer.ts';

const product = useProduct();
const newPage = useBrowser();
const writers = useWriters(product);
const { appUrl } = product;

const { writer, writerPage } = useWriter(newPage, writers);

/** The text of each step, without its time. */
const stepsOf = async (line: Locator) =>
  (await line.getByRole('listitem').allInnerTexts()).map((text) => text.replace('\n:', ':').split('\n')[0]);

describe('publishing from the editor', () => {
  it('puts the new version on the live page and withdraws it again', async () => {
    const article = await writers.makePage(writer.token);
    const page = await writerPage({ expected: /404/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    const line = page.getByRole('list', { name: 'On the way to the site' });
    expect(await line.count()).toBe(0);
    await page.getByRole('radio', { name: 'PUBLISHED' }).check({ force: true });
    await page.getByText('Press Publish to put it on the site.').waitFor();
    expect((await fetch(`${appUrl}/api/public/pages/${article.slug}`)).status).toBe(404);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await line.getByText('Live at its address: done').waitFor();
    await expectAccessible(page);
    const siteLink = page.getByRole('link', { name: 'View on the site' });
    expect(await siteLink.getAttribute('href')).toBe(`/pages/${article.slug}`);
    const live = await (await fetch(`${appUrl}/pages/${article.slug}`)).text();
    expect(live).toContain('<meta name="article-version" content="2">');

    await page.getByRole('radio', { name: 'DRAFT' }).check({ force: true });
    await page.getByText('Press Unpublish to take it off the site.').waitFor();
    await page.getByRole('button', { name: 'Unpublish', exact: true }).click();
    // The page was never built, so it is gone as soon as its status changes.
    await page.getByText('No longer on the site.').waitFor();
    expect((await fetch(`${appUrl}/pages/${article.slug}`)).status).toBe(404);
    expect((await fetch(`${appUrl}/api/public/pages/${article.slug}`)).status).toBe(404);
  });

  it.each(VIEWS)('shows the progress of the build and why it failed, and retries it (%s)', async (theme, viewport) => {
    const article = await writers.makePage(writer.token, { status: 'PUBLISHED' });
    const page = await writerPage({ theme, viewport, expected: /404/ });
    const state: PublishState = {
      state: 'building',
      revision: 1_000_000,
      liveRevision: 0,
      progress: 60,
      step: 'Writing pages',
      reason: '',
      since: new Date().toISOString(),
      startsAt: null,
      reachedAt: null,
    };
    const methods: string[] = [];
    let now = state;
    await page.route('**/api/cms/publish*', (route) => {
      methods.push(route.request().method());
      return route.fulfill({ json: now });
    });
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    const line = page.getByRole('list', { name: 'On the way to the site' });
    const steps = () => stepsOf(line);
    await page.getByText('Building 60%').waitFor();
    await page.getByText('Live at its address; lists follow with the build.').waitFor();
    // A page without a static file is live before the build.
    expect(await steps()).toEqual(['Saved: done', 'Live at its address: done', 'In lists']);
    now = { ...state, state: 'waiting', progress: null };
    await page.getByText('Building 60%').waitFor({ state: 'detached' });
    expect(await steps()).toEqual(['Saved: done', 'Live at its address: done', 'In lists']);
    expect(await line.locator('[aria-current]').count()).toBe(0);
    now = { ...state, state: 'failed', progress: null, reason: 'The disk is full.' };
    await page.getByText('The build failed: The disk is full.').waitFor();
    await page.getByText('Your text is saved.').waitFor();
    expect(await steps()).toEqual(['Saved: done', 'Live at its address: done', 'In lists']);
    await expectAccessible(page);
    await picture(page, `cms-failed-${theme}`);
    now = { ...state, progress: 5 };
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Building 5%').waitFor();
    expect(methods).toContain('POST');
    now = { ...state, state: 'live', liveRevision: 1_000_000, progress: null, reachedAt: '2026-03-04T10:42:00.000Z' };
    await page.getByText('Live.', { exact: true }).waitFor();
    expect(await steps()).toEqual(['Saved: done', 'Live at its address: done', 'In lists: done']);
    await page.getByRole('link', { name: 'Pages', exact: true }).first().click();
    await page
      .locator('.badge', { hasText: /^Live$/ })
      .first()
      .waitFor();
  });

  it('reports an old version as long as it is on the site', async () => {
    const article = await writers.makePage(writer.token, { status: 'PUBLISHED' });
    const address = `**/pages/${article.slug}`;
    const oldPage = await (await fetch(`${appUrl}/pages/${article.slug}`)).text();
    const page = await writerPage({ expected: /404/ });
    await page.route(address, (route) => route.fulfill({ body: oldPage, contentType: 'text/html' }));
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    await textBox(page).press('Control+End');
    await page.keyboard.type(' More.');
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await page.getByText('The build is about to start. Its page shows version 1.').waitFor();
    const line = page.getByRole('list', { name: 'On the way to the site' });
    expect(await stepsOf(line)).toEqual(['Saved: done', 'Live at its address', 'In lists']);
    await page.getByRole('radio', { name: 'DRAFT' }).check({ force: true });
    await page.getByRole('button', { name: 'Unpublish', exact: true }).click();
    await page.getByText('Still on the site.').waitFor();
    await page.unroute(address);
    await page.getByText('No longer on the site.').waitFor();
  });
});

describe('a scheduled post', () => {
  it.each(VIEWS)('can be previewed, is listed with its times, and can be unscheduled (%s)', async (theme, viewport) => {
    const article = await writers.makePost(writer.token);
    const page = await writerPage({ theme, viewport, expected: /422/ });
    await openEditor(page, `${appUrl}/cms/posts/edit/${article.id}`);
    await page.getByLabel('Goes live at (optional)').fill('2099-03-04T10:42');
    await page.getByLabel('Leaves the site at (optional)').fill('2099-03-05T18:00');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByText('Goes live Mar 4, 2099, 10:42').waitFor();
    await page.getByText('Leaves the site Mar 5, 2099, 6:00').waitFor();
    await picture(page, `cms-scheduled-${theme}`);
    const read = () => writers.call<PostDetail>('GET', `/api/cms/posts/${article.id}`, undefined, writer.token);
    expect((await read()).status).toBe('DRAFT');
    expect((await fetch(`${appUrl}/blog/${article.slug}`)).status).toBe(404);
    const opening = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = await opening;
    await preview.getByRole('heading', { level: 1, name: article.title }).waitFor();
    await page.goto(`${appUrl}/cms/posts?q=${encodeURIComponent(article.title)}`);
    await page.getByText('Goes live Mar 4, 2099, 10:42').waitFor();
    await page.getByText('Ends Mar 5, 2099, 6:00').waitFor();
    await page.locator('.badge', { hasText: /^SCHEDULED$/ }).waitFor();
    await expectAccessible(page);
    await picture(page, `cms-scheduled-list-${theme}`);

    await openEditor(page, `${appUrl}/cms/posts/edit/${article.id}`);
    await page.getByLabel('Leaves the site at (optional)').fill('2001-03-05T18:00');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByText('Please choose an end that is still to come.').waitFor();
    await page.getByLabel('Goes live at (optional)').fill('');
    await page.getByRole('button', { name: 'Save draft', exact: true }).click();
    await until(read, ({ startsAt, endsAt }) => startsAt === null && endsAt === null);
  });
});

describe('a preview', () => {
  it('shows the unsaved text in the site’s design to anyone with the link, but not to search engines', async () => {
    const article = await writers.makePage(writer.token);
    const page = await writerPage();
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    await textBox(page).press('Control+End');
    await page.keyboard.type(' Not saved.');
    const opening = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = await opening;
    await preview.waitForURL(/\/preview\//);
    await preview.getByRole('heading', { level: 1, name: article.title }).waitFor();
    await preview.getByText('One. Not saved.').waitFor();
    await preview.getByText('Preview: this text may not be on the site yet.').waitFor();
    await page.getByText(/^The preview is open until /).waitFor();
    await expectAccessible(page);
    const link = (await page.getByRole('link', { name: 'Open preview' }).getAttribute('href')) ?? '';
    const stranger = await fetch(link);
    expect([stranger.status, stranger.headers.get('x-robots-tag'), stranger.headers.get('cache-control')]).toEqual([
      200,
      expect.stringContaining('noindex'),
      'no-store',
    ]);
    expect((await fetch(forge(link))).status).toBe(404);
    const savedPage = await writers.call<PageDetail>('GET', `/api/cms/pages/${article.id}`, undefined, writer.token);
    expect(savedPage.content).toBe('<p>One.</p>');
  });

  it('shows the typed text of an article that was never saved', async () => {
    const title = freshTitle('Opening hours');
    const page = await writerPage({ expected: /404/ });
    await page.goto(`${appUrl}/cms/posts/new`);
    await page.getByRole('textbox', { name: 'Title' }).fill(title);
    await page.keyboard.press('Enter');
    await page.keyboard.type('From nine to five.');
    const opening = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = await opening;
    await preview.getByRole('heading', { level: 1, name: title }).waitFor();
    await preview.getByText('From nine to five.').waitFor();
  });
});

describe('the first owner', () => {
  const register = async (page: Awaited<ReturnType<typeof newPage>>, code: string) => {
    await page.goto(`${appUrl}/register`);
    await page.getByRole('button', { name: 'I have a set-up code' }).click();
    await page.getByLabel('Name').fill('Olga Reyes');
    await page.getByLabel('Email').fill(freshEmail());
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm password').fill(PASSWORD);
    await page.getByLabel('Set-up code').fill(code);
    await page.getByRole('button', { name: 'Register' }).click();
  };

  it('registers once with the set-up code and sees the list of writers', async () => {
    const settings = readFileSync(path.join(product.state, 'site/server/wrangler.local.json'), 'utf8');
    const { OWNER_SETUP_CODE } = (JSON.parse(settings) as { vars: Record<string, string> }).vars;
    // Resets the site to the state before its set-up.
    await installationSql(product, 'DELETE FROM content_setup');
    const page = await newPage();
    await register(page, OWNER_SETUP_CODE ?? '');
    await page.waitForURL(`${appUrl}/cms`);
    await page.getByRole('link', { name: 'Users' }).click();
    const ownRow = page.getByRole('listitem').filter({ hasText: '(you)' });
    expect(await ownRow.getByRole('combobox').inputValue()).toBe('owner');
    await ownRow.getByRole('button', { name: /^Remove/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

    const second = await newPage({ expected: /422/ });
    await register(second, OWNER_SETUP_CODE ?? '');
    await second.getByText('This set-up code is not valid.').waitFor();
  });
});
