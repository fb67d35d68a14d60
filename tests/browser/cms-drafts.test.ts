import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Draft } from '#shared/contracts/content/content';
import { expectAccessible, useBrowser } from '#tests/support/browser/browser';
import { until, useProduct } from '#tests/support/product/product';
import { openEditor, save, textBox, tool, useWriter, useWriters, VIEWS, waitForSaved } from './writer.ts';

const product = useProduct();
const newPage = useBrowser();
const writers = useWriters(product);
const { appUrl } = product;
const { writer, writerPage, readPage } = useWriter(newPage, writers);

/** The prefix of the storage keys of this writer's drafts of a page. The name of the tab follows it. */
const draftKey = (id: string) => `cms_draft:${writer.email}:page:${id}`;
/** Returns all drafts of a page that the browser stores, as one text. */
const storedDrafts = (page: Page, id: string) =>
  page.evaluate((name) => {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(name));
    return keys.length === 0 ? null : keys.map((key) => localStorage.getItem(key)).join('\n');
  }, draftKey(id));

describe('unsaved text', () => {
  it('is stored within three seconds, survives a killed tab and is never published on its own', async () => {
    const article = await writers.makePage(writer.token, { status: 'PUBLISHED' });
    // The page may not be built yet.
    const page = await writerPage({ expected: /404/ });
    await page.clock.install();
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    await textBox(page).press('Control+End');
    const sending = page.waitForRequest((request) => request.method() === 'PUT' && request.url().endsWith('/draft'));
    // On the page's fake clock, exactly three seconds pass, however long the machine takes.
    await page.clock.pauseAt(Date.now() + 120_000);
    await page.keyboard.type(' And two');
    await expect.poll(() => textBox(page).textContent()).toBe('One. And two');
    await page.clock.runFor(3000);
    await sending;
    const path = `/api/cms/pages/${article.id}/draft`;
    const draft = await until(
      () => writers.call<Draft>('GET', path, undefined, writer.token).catch(() => null),
      (stored) => stored?.content.includes('And two') ?? false,
    );
    expect(draft?.content).toBe('<p>One. And two</p>');
    await page.context().close();

    const reopened = await writerPage({ expected: /404/ });
    await openEditor(reopened, `${appUrl}/cms/pages/edit/${article.id}`);
    await reopened.getByText(/Your unsaved text from .* is shown/).waitFor();
    expect(await textBox(reopened).textContent()).toBe('One. And two');
    const live = await fetch(`${appUrl}/api/public/pages/${article.slug}`);
    expect(await live.json()).toMatchObject({ content: '<p>One.</p>' });
    await reopened.getByRole('button', { name: 'Discard it' }).click();
    await expect.poll(() => textBox(reopened).textContent()).toBe('One.');
    await until(
      () => readPage(article.id),
      (now) => now.draft === null,
    );
  });

  it('stays in the browser while offline and is sent when the server is reachable again', async () => {
    const article = await writers.makePage(writer.token);
    const page = await writerPage({ expected: /ERR_INTERNET_DISCONNECTED/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    await page.context().setOffline(true);
    await textBox(page).press('Control+End');
    await page.keyboard.type(' Alone');
    await page.getByText('Not sent yet; kept in this browser.').waitFor();
    expect(await storedDrafts(page, article.id)).toContain('Alone');
    await save(page).click();
    await page.getByText('Failed to save page').waitFor();
    await page.context().setOffline(false);
    await page.getByText(/^Draft kept/).waitFor();
    // The server stores one draft for all tabs, so the browser keeps this tab's draft until it is saved.
    expect(await storedDrafts(page, article.id)).toContain('Alone');
    await save(page).click();
    await waitForSaved(page);
    expect(await storedDrafts(page, article.id)).toBeNull();
    expect((await readPage(article.id)).content).toBe('<p>One. Alone</p>');
  });
});

describe('unsaved text in the browser', () => {
  /** Opens the editor with typed text, and holds the draft calls until `release` is called. */
  const openSlowEditor = async () => {
    const article = await writers.makePage(writer.token);
    const page = await writerPage({ expected: /ERR_FAILED/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**/pages/${article.id}/draft`, async (route) => {
      await isReleased;
      await route.continue().catch(() => undefined);
    });
    const draftCall = page.waitForRequest((request) => request.url().endsWith('/draft'));
    await textBox(page).press('Control+End');
    await page.keyboard.type(' Two.');
    await draftCall;
    await page.keyboard.type(' Three.');
    return { article, page, release };
  };

  it('survives a killed tab while the server is slow', async () => {
    const { article, page } = await openSlowEditor();
    await expect.poll(() => storedDrafts(page, article.id)).toContain('Three.');
    const reopened = await page.context().newPage();
    await page.close();
    await openEditor(reopened, `${appUrl}/cms/pages/edit/${article.id}`);
    await reopened.getByText(/Your unsaved text from .* is shown/).waitFor();
    expect(await textBox(reopened).textContent()).toBe('One. Two. Three.');
  });

  it('is dropped once the same text was saved elsewhere', async () => {
    const article = await writers.makePage(writer.token, { content: '<p>One. Two.</p>' });
    const page = await writerPage();
    // The draft of a tab that was closed while it sent its text.
    const { title, slug } = article;
    const content = '<p>One.  Two.</p>';
    const leftDraft = { title, slug, content, baseVersion: 0, savedAt: article.createdAt, sending: null };
    await page.evaluate(
      ([key = '', text = '']) => localStorage.setItem(key, text),
      [draftKey(article.id), JSON.stringify(leftDraft)],
    );
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    expect(await page.getByText(/Someone else changed this|Your unsaved text/).count()).toBe(0);
    expect(await storedDrafts(page, article.id)).toBeNull();
  });

  it('is not shown to the next writer in the same browser', async () => {
    const article = await writers.makePage(writer.token);
    const page = await writerPage();
    const next = await writers.makeWriter();
    const { title, slug } = article;
    const leftDraft = { title, slug, content: '<p>Mine.</p>', baseVersion: 1, sending: null };
    const text = JSON.stringify({ ...leftDraft, savedAt: new Date().toISOString() });
    await page.evaluate(([key = '', value = '']) => localStorage.setItem(key, value), [draftKey(article.id), text]);
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    await page.getByText(/Your unsaved text from .* is shown/).waitFor();
    const nextPage = await page.context().newPage();
    await page.close();
    await nextPage.addInitScript((token) => localStorage.setItem('cms_token', token), next.token);
    await openEditor(nextPage, `${appUrl}/cms/pages/edit/${article.id}`);
    expect(await textBox(nextPage).textContent()).toBe('One.');
    expect(await nextPage.getByText('Your unsaved text').count()).toBe(0);
  });

  it.each([
    ['by a link', (page: Page) => page.getByRole('link', { name: 'Media', exact: true }).click()],
    ['by the back link', (page: Page) => page.locator('.editor-back').click()],
  ])('is stored completely when the screen is left %s', async (_title, leave) => {
    const { article, page, release } = await openSlowEditor();
    await leave(page);
    await textBox(page).waitFor({ state: 'detached' });
    release();
    const path = `/api/cms/pages/${article.id}/draft`;
    const draft = await until(
      () => writers.call<Draft>('GET', path, undefined, writer.token).catch(() => null),
      (stored) => stored !== null && !stored.content.endsWith('Two.</p>'),
    );
    expect(draft?.content).toBe('<p>One. Two. Three.</p>');
  });
});

describe('two writers on the same page', () => {
  const collide = async (options: Parameters<typeof newPage>[0] = {}) => {
    const article = await writers.makePage(writer.token);
    const page = await writerPage({ ...options, expected: /409/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    await writers.overtake(article);
    await textBox(page).press('Control+End');
    await page.keyboard.type(' Mine.');
    await save(page).click();
    await page.getByText('Someone else changed this. Your text is kept.').waitFor();
    expect(await textBox(page).textContent()).toBe('One. Mine.');
    return { article, page };
  };

  it.each(VIEWS)('the later writer sees both texts and can overwrite the other (%s)', async (theme, viewport) => {
    const { article, page } = await collide({ theme, viewport });
    await page.getByRole('button', { name: 'Compare' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('region', { name: 'Yours' }).locator('mark', { hasText: 'One. Mine.' }).waitFor();
    await dialog.getByRole('region', { name: 'Theirs' }).locator('mark', { hasText: 'Theirs.' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Use mine' }).click();
    await waitForSaved(page);
    expect(await readPage(article.id)).toMatchObject({ content: '<p>One. Mine.</p>', version: 3, draft: null });
  });

  it('the conflict is shown again after the tab is closed; the writer can take the other text and undo that', async () => {
    const { article, page } = await collide();
    await until(
      () => readPage(article.id),
      (now) => now.draft !== null,
    );
    await page.context().close();
    const reopened = await writerPage({ expected: /409/ });
    await openEditor(reopened, `${appUrl}/cms/pages/edit/${article.id}`);
    await reopened.getByText('Someone else changed this. Your text is kept.').waitFor();
    expect(await textBox(reopened).textContent()).toBe('One. Mine.');
    await reopened.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => textBox(reopened).textContent()).toBe('Theirs.');
    await until(
      () => readPage(article.id),
      (now) => now.draft === null,
    );
    await tool(reopened, 'Undo').click();
    await expect.poll(() => textBox(reopened).textContent()).toBe('One. Mine.');
    await save(reopened).click();
    await waitForSaved(reopened);
    expect(await readPage(article.id)).toMatchObject({ content: '<p>One. Mine.</p>', version: 3 });
  });
});
