import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Draft } from '#shared/contracts/content/content';
import { expectAccessible, useBrowser } from '#tests/support/browser/browser';
import { until, useProduct } from '#tests/support/product/product';
import { openEditor, save, saved, textBox, tool, useWriter, useWriters, VIEWS } from './writer.ts';

const product = useProduct();
const newPage = useBrowser();
const writers = useWriters(product);
const { appUrl } = product;
const { writer, writing, readPage } = useWriter(newPage, writers);

/** The key under which the browser keeps this writer's drafts of a page; the tab's name follows it. */
const keptAs = (id: string) => `cms_draft:${writer.email}:page:${id}`;
/** All that the browser keeps of a page, in one text. */
const keptHere = (page: Page, id: string) =>
  page.evaluate((name) => {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(name));
    return keys.length === 0 ? null : keys.map((key) => localStorage.getItem(key)).join('\n');
  }, keptAs(id));

describe('unsaved text', () => {
  it('is stored within three seconds, survives a killed tab and is never published on its own', async () => {
    const made = await writers.makePage(writer.token, { status: 'PUBLISHED' });
    // The page may not be built yet.
    const page = await writing({ expected: /404/ });
    await page.clock.install();
    await openEditor(page, `${appUrl}/cms/pages/edit/${made.id}`);
    await textBox(page).press('Control+End');
    const sending = page.waitForRequest((request) => request.method() === 'PUT' && request.url().endsWith('/draft'));
    // The page's own time: only three seconds of it pass, however long the machine takes for them.
    await page.clock.pauseAt(Date.now() + 120_000);
    await page.keyboard.type(' And two');
    await expect.poll(() => textBox(page).textContent()).toBe('One. And two');
    await page.clock.runFor(3000);
    await sending;
    const path = `/api/cms/pages/${made.id}/draft`;
    const draft = await until(
      () => writers.call<Draft>('GET', path, undefined, writer.token).catch(() => null),
      (kept) => kept?.content.includes('And two') ?? false,
    );
    expect(draft?.content).toBe('<p>One. And two</p>');
    await page.context().close();

    const again = await writing({ expected: /404/ });
    await openEditor(again, `${appUrl}/cms/pages/edit/${made.id}`);
    await again.getByText(/Your unsaved text from .* is shown/).waitFor();
    expect(await textBox(again).textContent()).toBe('One. And two');
    const live = await fetch(`${appUrl}/api/public/pages/${made.slug}`);
    expect(await live.json()).toMatchObject({ content: '<p>One.</p>' });
    await again.getByRole('button', { name: 'Discard it' }).click();
    await expect.poll(() => textBox(again).textContent()).toBe('One.');
    await until(
      () => readPage(made.id),
      (now) => now.draft === null,
    );
  });

  it('stays in the browser while offline and is sent when the server is reachable again', async () => {
    const made = await writers.makePage(writer.token);
    const page = await writing({ expected: /ERR_INTERNET_DISCONNECTED/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${made.id}`);
    await page.context().setOffline(true);
    await textBox(page).press('Control+End');
    await page.keyboard.type(' Alone');
    await page.getByText('Not sent yet; kept in this browser.').waitFor();
    expect(await keptHere(page, made.id)).toContain('Alone');
    await save(page).click();
    await page.getByText('Failed to save page').waitFor();
    await page.context().setOffline(false);
    await page.getByText(/^Draft kept/).waitFor();
    // The server keeps one for all tabs, so the browser keeps this tab's until it is saved.
    expect(await keptHere(page, made.id)).toContain('Alone');
    await save(page).click();
    await saved(page);
    expect(await keptHere(page, made.id)).toBeNull();
    expect((await readPage(made.id)).content).toBe('<p>One. Alone</p>');
  });
});

describe('unsaved text in the browser', () => {
  /** The editor on its own page, with draft calls that are answered only when the test says so. */
  const slowly = async () => {
    const made = await writers.makePage(writer.token);
    const page = await writing({ expected: /ERR_FAILED/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${made.id}`);
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**/pages/${made.id}/draft`, async (route) => {
      await isReleased;
      await route.continue().catch(() => undefined);
    });
    const asking = page.waitForRequest((request) => request.url().endsWith('/draft'));
    await textBox(page).press('Control+End');
    await page.keyboard.type(' Two.');
    await asking;
    await page.keyboard.type(' Three.');
    return { made, page, release };
  };

  it('survives a killed tab while the server is slow', async () => {
    const { made, page } = await slowly();
    await expect.poll(() => keptHere(page, made.id)).toContain('Three.');
    const again = await page.context().newPage();
    await page.close();
    await openEditor(again, `${appUrl}/cms/pages/edit/${made.id}`);
    await again.getByText(/Your unsaved text from .* is shown/).waitFor();
    expect(await textBox(again).textContent()).toBe('One. Two. Three.');
  });

  it('is dropped once the same text was saved elsewhere', async () => {
    const made = await writers.makePage(writer.token, { content: '<p>One. Two.</p>' });
    const page = await writing();
    // The draft left by a tab that was closed while it sent its text.
    const { title, slug } = made;
    const left = { title, slug, content: '<p>One.  Two.</p>', baseVersion: 0, savedAt: made.createdAt, sending: null };
    await page.evaluate(
      ([key = '', text = '']) => localStorage.setItem(key, text),
      [keptAs(made.id), JSON.stringify(left)],
    );
    await openEditor(page, `${appUrl}/cms/pages/edit/${made.id}`);
    expect(await page.getByText(/Someone else changed this|Your unsaved text/).count()).toBe(0);
    expect(await keptHere(page, made.id)).toBeNull();
  });

  it('is not shown to the next writer in the same browser', async () => {
    const made = await writers.makePage(writer.token);
    const page = await writing();
    const next = await writers.makeWriter();
    const left = { title: made.title, slug: made.slug, content: '<p>Mine.</p>', baseVersion: 1, sending: null };
    const text = JSON.stringify({ ...left, savedAt: new Date().toISOString() });
    await page.evaluate(([key = '', value = '']) => localStorage.setItem(key, value), [keptAs(made.id), text]);
    await openEditor(page, `${appUrl}/cms/pages/edit/${made.id}`);
    await page.getByText(/Your unsaved text from .* is shown/).waitFor();
    const theirs = await page.context().newPage();
    await page.close();
    await theirs.addInitScript((token) => localStorage.setItem('cms_token', token), next.token);
    await openEditor(theirs, `${appUrl}/cms/pages/edit/${made.id}`);
    expect(await textBox(theirs).textContent()).toBe('One.');
    expect(await theirs.getByText('Your unsaved text').count()).toBe(0);
  });

  it.each([
    ['by a link', (page: Page) => page.getByRole('link', { name: 'Media', exact: true }).click()],
    ['by the way back', (page: Page) => page.locator('.editor-back').click()],
  ])('is stored completely when the screen is left %s', async (_how, leave) => {
    const { made, page, release } = await slowly();
    await leave(page);
    await textBox(page).waitFor({ state: 'detached' });
    release();
    const path = `/api/cms/pages/${made.id}/draft`;
    const draft = await until(
      () => writers.call<Draft>('GET', path, undefined, writer.token).catch(() => null),
      (kept) => kept !== null && !kept.content.endsWith('Two.</p>'),
    );
    expect(draft?.content).toBe('<p>One. Two. Three.</p>');
  });
});

describe('two writers on the same page', () => {
  const collide = async (options: Parameters<typeof newPage>[0] = {}) => {
    const made = await writers.makePage(writer.token);
    const page = await writing({ ...options, expected: /409/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${made.id}`);
    await writers.overtake(made);
    await textBox(page).press('Control+End');
    await page.keyboard.type(' Mine.');
    await save(page).click();
    await page.getByText('Someone else changed this. Your text is kept.').waitFor();
    expect(await textBox(page).textContent()).toBe('One. Mine.');
    return { made, page };
  };

  it.each(VIEWS)('see both texts, and the later one can overwrite the other (%s)', async (theme, viewport) => {
    const { made, page } = await collide({ theme, viewport });
    await page.getByRole('button', { name: 'Compare' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('region', { name: 'Yours' }).locator('mark', { hasText: 'One. Mine.' }).waitFor();
    await dialog.getByRole('region', { name: 'Theirs' }).locator('mark', { hasText: 'Theirs.' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Use mine' }).click();
    await saved(page);
    expect(await readPage(made.id)).toMatchObject({ content: '<p>One. Mine.</p>', version: 3, draft: null });
  });

  it('see the conflict again after the tab is closed, and can take the other text and undo that', async () => {
    const { made, page } = await collide();
    await until(
      () => readPage(made.id),
      (now) => now.draft !== null,
    );
    await page.context().close();
    const again = await writing({ expected: /409/ });
    await openEditor(again, `${appUrl}/cms/pages/edit/${made.id}`);
    await again.getByText('Someone else changed this. Your text is kept.').waitFor();
    expect(await textBox(again).textContent()).toBe('One. Mine.');
    await again.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => textBox(again).textContent()).toBe('Theirs.');
    await until(
      () => readPage(made.id),
      (now) => now.draft === null,
    );
    await tool(again, 'Undo').click();
    await expect.poll(() => textBox(again).textContent()).toBe('One. Mine.');
    await save(again).click();
    await saved(again);
    expect(await readPage(made.id)).toMatchObject({ content: '<p>One. Mine.</p>', version: 3 });
  });
});
