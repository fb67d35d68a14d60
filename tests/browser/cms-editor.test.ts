import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Draft, PageDetail, PostDetail } from '#shared/contracts/content';
import { DESKTOP, expectAccessible, PHONE, picture, type Theme, useBrowser } from '#tests/support/browser';
import { jpeg } from '#tests/support/images';
import { until, useProduct } from '#tests/support/product';
import { freshTitle, openEditor, textBox, useWriters } from './writer.ts';

const product = useProduct();
const newPage = useBrowser();
const writers = useWriters(product);
const { appUrl } = product;

let writer: Awaited<ReturnType<typeof writers.makeWriter>>;
beforeAll(async () => {
  writer = await writers.makeWriter();
});

/** A page that is logged in as this test file's writer. */
async function writing(options: Parameters<typeof newPage>[0] = {}): Promise<Page> {
  const page = await newPage(options);
  await page.goto(`${appUrl}/cms/login`);
  await page.evaluate((token) => localStorage.setItem('cms_token', token), writer.token);
  await page.goto(`${appUrl}/cms/login`);
  await page.waitForURL(`${appUrl}/cms`);
  return page;
}

const VIEWS: [Theme, typeof PHONE][] = [
  ['light', DESKTOP],
  ['dark', PHONE],
];
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const saved = (page: Page) => page.getByText(/^Saved \d/).waitFor();
const tool = (page: Page, name: string) => page.getByRole('toolbar').getByRole('button', { name, exact: true });
const getPage = (id: string) => writers.call<PageDetail>('GET', `/api/cms/pages/${id}`, undefined, writer.token);

describe('a post', () => {
  it.each(VIEWS)(
    'is written with tools and a described picture, and saved as a draft (%s)',
    async (theme, viewport) => {
      // Nothing is kept yet for a post that has no id.
      const page = await writing({ theme, viewport, expected: /404/ });
      const title = freshTitle('Why patients pay late');
      await page.goto(`${appUrl}/cms/posts`);
      await page.getByRole('link', { name: 'New post' }).click();
      await textBox(page).waitFor();
      await expectAccessible(page);
      await save(page).click();
      await page.getByText('Please enter a title.').waitFor();
      await page.getByRole('textbox', { name: 'Title' }).fill(title);
      await page.keyboard.press('Enter');
      await page.keyboard.type('Because nobody ');
      await tool(page, 'Bold').click();
      await page.keyboard.type('asks');
      await tool(page, 'Bold').click();
      await page.keyboard.type(' them.');
      await page.keyboard.press('Enter');
      await tool(page, 'Heading').click();
      await page.keyboard.type('What helps');
      await page.keyboard.press('Enter');
      await tool(page, 'Bulleted list').click();
      await page.keyboard.type('A link');
      await page.keyboard.press('Enter');
      await page.keyboard.type('A word');
      await page.keyboard.press('Shift+ArrowLeft');
      await tool(page, 'Link').click();
      await page.getByLabel('Link address').fill('javascript:alert(1)');
      await page.getByRole('button', { name: 'Set link' }).click();
      await page.getByText('Please enter a web address').waitFor();
      await page.getByLabel('Link address').fill('tillway.example/help');
      await page.getByRole('button', { name: 'Set link' }).click();
      await textBox(page).press('Control+End');
      await tool(page, 'Picture').click();
      await expectAccessible(page);
      await page
        .getByRole('dialog')
        .locator('input[type=file]')
        .setInputFiles({ name: 'chart.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(jpeg()) });
      await page.getByLabel('Description', { exact: true }).fill('A falling line');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Insert picture' }).click();
      await textBox(page).locator('img[alt="A falling line"]').waitFor();
      await save(page).click();
      await saved(page);
      await page.waitForURL(/\/cms\/posts\/edit\/[\w-]+$/);
      await expectAccessible(page);
      await picture(page, `cms-editor-${theme}`);
      const id = page.url().split('/').at(-1) ?? '';
      const post = await writers.call<PostDetail>('GET', `/api/cms/posts/${id}`, undefined, writer.token);
      expect(post).toMatchObject({ title, status: 'DRAFT', draft: null });
      expect(post.slug).toMatch(/^why-patients-pay-late-/);
      expect(post.content).toMatch(
        /^<p>Because nobody <strong>asks<\/strong> them.<\/p><h2>What helps<\/h2><ul><li.*A wor<a href="https:\/\/tillway.example\/help">d<\/a>.*<img src="\/media\/\w+\.jpg" alt="A falling line">/s,
      );
      // What was typed next belongs to the same post.
      await textBox(page).press('Control+End');
      await page.keyboard.type(' More.');
      await page.getByText(/^Draft kept/).waitFor();
    },
  );

  it('has a featured image, which can be taken away again', async () => {
    const post = await writers.makePost(writer.token);
    const page = await writing();
    await openEditor(page, `${appUrl}/cms/posts/edit/${post.id}`);
    await page.getByRole('button', { name: 'Choose image' }).click();
    await page
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles({ name: 'front.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(jpeg()) });
    await page.getByLabel('Description', { exact: true }).fill('The front desk');
    await page.getByRole('button', { name: 'Use as featured image' }).click();
    await page.getByRole('img', { name: 'The front desk' }).waitFor();
    await save(page).click();
    await saved(page);
    const read = () => writers.call<PostDetail>('GET', `/api/cms/posts/${post.id}`, undefined, writer.token);
    expect((await read()).picture).toMatchObject({ alt: 'The front desk' });
    expect((await read()).content).toBe('<p>One.</p>');
    await page.getByRole('button', { name: 'Remove image' }).click();
    await save(page).click();
    await until(read, ({ picture: shown }) => shown === null);
  });
});

describe('what is typed', () => {
  it('is kept within three seconds, is there again after the tab is killed, and is never public by itself', async () => {
    const made = await writers.makePage(writer.token, { status: 'PUBLISHED' });
    // Its page may not be built yet.
    const page = await writing({ expected: /404/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${made.id}`);
    await textBox(page).press('Control+End');
    await page.evaluate(() =>
      document.addEventListener('input', () => Reflect.set(window, 'typedAt', Date.now()), true),
    );
    const sending = page.waitForRequest((request) => request.method() === 'PUT' && request.url().endsWith('/draft'));
    await page.keyboard.type(' And two');
    const path = `/api/cms/pages/${made.id}/draft`;
    const draft = await until(
      () => writers.call<Draft>('GET', path, undefined, writer.token).catch(() => null),
      (kept) => kept?.content.includes('And two') ?? false,
    );
    expect(draft?.content).toBe('<p>One. And two</p>');
    const sentAt = (await sending).timing().startTime;
    expect(sentAt - (await page.evaluate(() => Number(Reflect.get(window, 'typedAt'))))).toBeLessThan(3000);
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
      () => getPage(made.id),
      (now) => now.draft === null,
    );
  });

  it('stays in the browser while the server cannot be reached, and is sent when it can be', async () => {
    const made = await writers.makePage(writer.token);
    const page = await writing({ expected: /ERR_INTERNET_DISCONNECTED/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${made.id}`);
    await page.context().setOffline(true);
    await textBox(page).press('Control+End');
    await page.keyboard.type(' Alone');
    await page.getByText('Not sent yet; kept in this browser.').waitFor();
    expect(await page.evaluate((id) => localStorage.getItem(`cms_draft:page:${id}`), made.id)).toContain('Alone');
    await save(page).click();
    await page.getByText('Failed to save page').waitFor();
    await page.context().setOffline(false);
    await page.getByText(/^Draft kept/).waitFor();
    expect(await page.evaluate((id) => localStorage.getItem(`cms_draft:page:${id}`), made.id)).toBeNull();
    await save(page).click();
    await saved(page);
    expect((await getPage(made.id)).content).toBe('<p>One. Alone</p>');
  });
});

describe('two who write the same page', () => {
  const collide = async (options: Parameters<typeof newPage>[0] = {}) => {
    const made = await writers.makePage(writer.token);
    const page = await writing({ ...options, expected: /409/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${made.id}`);
    const theirs = { title: made.title, content: '<p>Theirs.</p>', status: 'DRAFT' };
    await writers.call('PUT', `/api/cms/pages/${made.id}`, theirs, await writers.ownerToken());
    await textBox(page).press('Control+End');
    await page.keyboard.type(' Mine.');
    await save(page).click();
    await page.getByText('Someone else changed this. Your text is kept.').waitFor();
    expect(await textBox(page).textContent()).toBe('One. Mine.');
    return { made, page };
  };

  it.each(VIEWS)('are shown both texts, and mine can take the place of theirs (%s)', async (theme, viewport) => {
    const { made, page } = await collide({ theme, viewport });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Compare' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('region', { name: 'Yours' }).locator('mark', { hasText: 'One. Mine.' }).waitFor();
    await dialog.getByRole('region', { name: 'Theirs' }).locator('mark', { hasText: 'Theirs.' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Use mine' }).click();
    await saved(page);
    expect(await getPage(made.id)).toMatchObject({ content: '<p>One. Mine.</p>', version: 3, draft: null });
  });

  it('meet again after the tab was closed, and theirs can be taken, and undone', async () => {
    const { made, page } = await collide();
    await page.context().close();
    const again = await writing({ expected: /409/ });
    await openEditor(again, `${appUrl}/cms/pages/edit/${made.id}`);
    await again.getByText('Someone else changed this. Your text is kept.').waitFor();
    expect(await textBox(again).textContent()).toBe('One. Mine.');
    await again.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => textBox(again).textContent()).toBe('Theirs.');
    await until(
      () => getPage(made.id),
      (now) => now.draft === null,
    );
    await tool(again, 'Undo').click();
    await expect.poll(() => textBox(again).textContent()).toBe('One. Mine.');
    await save(again).click();
    await saved(again);
    expect(await getPage(made.id)).toMatchObject({ content: '<p>One. Mine.</p>', version: 3 });
  });
});

describe('an article', () => {
  it('has an address that may be written, and is told when it is taken', async () => {
    const other = await writers.makePage(writer.token);
    const made = await writers.makePage(writer.token);
    const page = await writing({ expected: /409/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${made.id}`);
    const slug = page.getByLabel('Last part of the address');
    await slug.fill(other.slug);
    await save(page).click();
    await page.getByText('That address is already in use.').waitFor();
    await slug.fill(`Fees & Prices ${made.id.slice(0, 6)}`);
    await slug.blur();
    expect(await slug.inputValue()).toBe(`fees-and-prices-${made.id.slice(0, 6).toLowerCase()}`);
    await save(page).click();
    await saved(page);
    expect((await getPage(made.id)).slug).toMatch(/^fees-and-prices-/);
  });

  it('comes back as it was saved before', async () => {
    const made = await writers.makePage(writer.token);
    const page = await writing();
    await openEditor(page, `${appUrl}/cms/pages/edit/${made.id}`);
    await textBox(page).press('Control+End');
    await page.keyboard.type(' Two.');
    await save(page).click();
    await saved(page);
    await page.getByText('History').click();
    await page.getByRole('button', { name: /^Restore the version of/ }).click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await expect.poll(() => textBox(page).textContent()).toBe('One.');
    expect(await getPage(made.id)).toMatchObject({ content: '<p>One.</p>', version: 3 });
  });

  it('is deleted with the question that was agreed', async () => {
    const made = await writers.makePage(writer.token);
    const page = await writing({ expected: /404/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${made.id}`);
    await page.getByRole('button', { name: 'Delete page' }).click();
    await page.getByRole('heading', { name: 'Are you sure you want to delete this page?' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete page' }).click();
    await page.waitForURL(`${appUrl}/cms/pages`);
    await page.goto(`${appUrl}/cms/pages/edit/${made.id}`);
    await page.getByRole('heading', { name: 'Failed to fetch page' }).waitFor();
  });
});
