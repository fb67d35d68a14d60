import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Draft, MediaItem } from '#shared/contracts/content/content';
import type { PostDetail } from '#shared/contracts/content/content-answers';
import { expectAccessible, PHONE, picture, useBrowser } from '#tests/support/browser/browser';
import { freshJpeg } from '#tests/support/content/images';
import { until, useProduct } from '#tests/support/product/product';
import { freshTitle, openEditor, save, textBox, tool, useWriter, useWriters, VIEWS, waitForSaved } from './writer.ts';

const product = useProduct();
const newPage = useBrowser();
const writers = useWriters(product);
const { appUrl } = product;

const { writer, writerPage, readPage } = useWriter(newPage, writers);

/** Expects no word to break across two lines. */
const expectWholeWords = async (where: Locator) =>
  expect(
    await where.evaluate((box) => {
      const brokenWords: string[] = [];
      const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode())
        for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[^\s-]+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1 && !node.parentElement?.closest('.sr-only')) brokenWords.push(word);
        }
      return brokenWords;
    }),
  ).toEqual([]);

describe('editing a post', () => {
  it.each(VIEWS)('formats text, inserts a described picture and saves a draft (%s)', async (theme, viewport) => {
    // A post without an id has no draft yet.
    const page = await writerPage({ theme, viewport, expected: /404/ });
    const title = freshTitle('Why patients pay late');
    await page.goto(`${appUrl}/cms/posts`);
    await page.getByRole('link', { name: 'New post' }).click();
    await textBox(page).waitFor();
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
    await tool(page, 'Image').click();
    await page
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles({ name: 'chart.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(freshJpeg()) });
    await page.getByLabel('Description', { exact: true }).fill('A falling line');
    await page.getByRole('button', { name: 'Insert image' }).click();
    await textBox(page).locator('img[alt="A falling line"]').waitFor();
    await save(page).click();
    await waitForSaved(page);
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
    // Later typing belongs to the same post.
    await textBox(page).press('Control+End');
    await page.keyboard.type(' More.');
    await page.getByText(/^Draft kept/).waitFor();
  });

  it.each(['', 'The front desk'])(
    'offers the library’s picture instead of uploading the same file again (its description: %j)',
    async (description) => {
      const bytes = freshJpeg();
      const form = new FormData();
      const name = `${freshTitle('front')}.jpg`;
      form.set('file', new File([bytes], name, { type: 'image/jpeg' }));
      form.set('alt', description);
      const media = await writers.call<MediaItem>('POST', '/api/cms/media/upload', form, writer.token);
      const article = await writers.makePage(writer.token);
      const page = await writerPage({ expected: /409/ });
      await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
      await textBox(page).press('Control+End');
      await tool(page, 'Image').click();
      const dialog = page.getByRole('dialog');
      const file = { name: 'again.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(bytes) };
      await dialog.locator('input[type=file]').setInputFiles(file);
      await dialog.getByLabel('Description', { exact: true }).fill('A desk by the door');
      await dialog.getByRole('button', { name: 'Insert image' }).click();
      await dialog.getByText(`The library already has this file, as ${name}.`).waitFor();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Use that one' }).click();
      const alt = description || 'A desk by the door';
      await textBox(page).locator(`img[src="${media.localUrl}"][alt="${alt}"]`).waitFor();
    },
  );

  it('sets and removes a featured image', async () => {
    const post = await writers.makePost(writer.token);
    const page = await writerPage();
    await openEditor(page, `${appUrl}/cms/posts/edit/${post.id}`);
    await page.getByRole('button', { name: 'Choose image' }).click();
    await page
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles({ name: 'front.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(freshJpeg()) });
    await page.getByLabel('Description', { exact: true }).fill('The front desk');
    await page.getByRole('button', { name: 'Use as featured image' }).click();
    await page.getByRole('img', { name: 'The front desk' }).waitFor();
    await save(page).click();
    await waitForSaved(page);
    const read = () => writers.call<PostDetail>('GET', `/api/cms/posts/${post.id}`, undefined, writer.token);
    expect((await read()).picture).toMatchObject({ alt: 'The front desk' });
    expect((await read()).content).toBe('<p>One.</p>');
    // Choices are kept like typed text, so closing the tab loses nothing.
    await page.getByRole('button', { name: 'Remove image' }).click();
    await page.getByText(/^Draft kept/).waitFor();
    await page.reload();
    await page.getByText(/Your unsaved text from .* is shown/).waitFor();
    expect(await page.getByRole('img', { name: 'The front desk' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Choose image' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'The front desk' }).first().click();
    await page.getByText(/^Draft kept/).waitFor();
    const readDraft = () => writers.call<Draft>('GET', `/api/cms/posts/${post.id}/draft`, undefined, writer.token);
    await until(readDraft, ({ featuredImageId }) => featuredImageId !== '');
    await page.reload();
    await page.getByRole('img', { name: 'The front desk' }).waitFor();
    await page.getByRole('button', { name: 'Remove image' }).click();
    await save(page).click();
    await until(read, ({ picture: shown }) => shown === null);
  });

  it('keeps the excerpt in the draft and saves it with the text', async () => {
    const post = await writers.makePost(writer.token);
    const page = await writerPage();
    await openEditor(page, `${appUrl}/cms/posts/edit/${post.id}`);
    const excerpt = page.getByLabel('Shown in lists (optional)');
    await excerpt.fill('Why it matters.');
    await page.getByText(/^Draft kept/).waitFor();
    await page.reload();
    await page.getByText(/Your unsaved text from .* is shown/).waitFor();
    expect(await excerpt.inputValue()).toBe('Why it matters.');
    await save(page).click();
    await waitForSaved(page);
    const read = await writers.call<PostDetail>('GET', `/api/cms/posts/${post.id}`, undefined, writer.token);
    expect(read).toMatchObject({ excerpt: 'Why it matters.', content: '<p>One.</p>', draft: null });
  });
});

describe('editing an article', () => {
  it('changes the slug and reports one that is taken', async () => {
    const otherArticle = await writers.makePage(writer.token);
    const article = await writers.makePage(writer.token);
    const page = await writerPage({ expected: /409/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    const slug = page.getByLabel('Last part of the address');
    await slug.fill(otherArticle.slug);
    await save(page).click();
    await page.getByText('That address is already in use.').waitFor();
    await slug.fill(`Fees & Prices ${article.id.slice(0, 6)}`);
    await slug.blur();
    expect(await slug.inputValue()).toBe(`fees-and-prices-${article.id.slice(0, 6).toLowerCase()}`);
    await save(page).click();
    await waitForSaved(page);
    expect((await readPage(article.id)).slug).toMatch(/^fees-and-prices-/);
  });

  it.each([PHONE, { width: 1024, height: 800 }])(
    'causes no horizontal scroll with the longest title and slug ($width pixels)',
    async (viewport) => {
      const title = 'W'.repeat(192) + crypto.randomUUID().slice(0, 8);
      const article = await writers.makePage(writer.token, { title });
      const page = await writerPage({ viewport });
      const width = () => page.evaluate(() => document.documentElement.scrollWidth);
      await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
      await page.getByText('History').click();
      await page.getByText(`Draft: ${title}`).waitFor();
      expect(await width()).toBe(viewport.width);
      await page.getByRole('button', { name: 'Delete page' }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
      await dialog.getByRole('button', { name: 'Delete page' }).click();
      await page.getByText(`Deleted: ${title}`).waitFor();
      expect(await width()).toBe(viewport.width);
    },
  );

  it('restores an earlier version', async () => {
    const article = await writers.makePage(writer.token);
    const page = await writerPage();
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    await textBox(page).press('Control+End');
    await page.keyboard.type(' Two.');
    await save(page).click();
    await waitForSaved(page);
    await page.getByText('History').click();
    await page.getByRole('button', { name: /^Restore the version of/ }).click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await expect.poll(() => textBox(page).textContent()).toBe('One.');
    expect(await readPage(article.id)).toMatchObject({ content: '<p>One.</p>', version: 3 });
  });

  it.each(VIEWS)(
    'shows in the history how an earlier version differs, in whole words (%s)',
    async (theme, viewport) => {
      const content = '<p>Our prepayment is well-known.</p><p>Stays.</p>';
      const article = await writers.makePage(writer.token, { content });
      const body = { title: article.title, status: 'DRAFT', content: content.replace('well-known', 'well-meant') };
      await writers.call('PUT', `/api/cms/pages/${article.id}`, body, writer.token);
      const page = await writerPage({ theme, viewport });
      const loaded: string[] = [];
      page.on('response', (response) => void loaded.push(response.url()));
      await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
      await page.getByText('History').click();
      const compare = page.getByRole('button', { name: /^Compare the version of .* with the text now$/ });
      await compare.waitFor();
      await expectWholeWords(page.locator('.history'));
      expect(loaded.filter((url) => url.includes('CompareDialog'))).toEqual([]);
      await compare.click();
      const dialog = page.getByRole('dialog');
      const marks = (name: string) => dialog.getByRole('region', { name }).locator('mark').allTextContents();
      await dialog.getByText('well-known.').waitFor();
      expect([await marks('Then'), await marks('Now')]).toEqual([['well-known.'], ['well-meant.']]);
      expect(loaded.filter((url) => url.includes('CompareDialog'))).not.toEqual([]);
      await expectWholeWords(dialog);
      await expectAccessible(page);
      await picture(page, `cms-history-${theme}`);
      await page.keyboard.press('Escape');
      await expect.poll(() => compare.evaluate((button) => button === document.activeElement)).toBe(true);
    },
  );

  it('deletes the article after confirmation', async () => {
    const article = await writers.makePage(writer.token);
    const page = await writerPage({ expected: /404/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    await page.getByRole('button', { name: 'Delete page' }).click();
    await page.getByRole('heading', { name: 'Are you sure you want to delete this page?' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete page' }).click();
    await page.waitForURL(`${appUrl}/cms/pages`);
    await page.goto(`${appUrl}/cms/pages/edit/${article.id}`);
    await page.getByRole('heading', { name: 'Failed to fetch page' }).waitFor();
  });

  it.each(VIEWS)('restores a deleted article from the trash as a draft (%s)', async (theme, viewport) => {
    const title = `A reminder about uncomplicated prepayments ${freshTitle('and fees')}`;
    const article = await writers.makePage(writer.token, { status: 'PUBLISHED', title });
    await writers.call('DELETE', `/api/cms/pages/${article.id}`, undefined, writer.token);
    // The address of the deleted page returns 404.
    const page = await writerPage({ theme, viewport, expected: /404/ });
    await page.goto(`${appUrl}/cms/pages`);
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('heading', { level: 1, name: 'Deleted pages' }).waitFor();
    await page
      .getByRole('navigation', { name: 'Pages of deleted pages' })
      .getByText(/^1-\d+ of \d+/)
      .waitFor();
    const restoreButton = page.getByRole('button', { name: `Bring back ${article.title}` });
    await restoreButton.waitFor();
    const row = page.getByRole('listitem').filter({ has: restoreButton });
    await row.getByText(/^Deleted \d+:\d\d.[AP]M, kept until [A-Z][a-z]{2} \d+, \d{4}$/).waitFor();
    await expectWholeWords(row);
    await expectAccessible(page);
    await picture(page, `cms-trash-${theme}`);
    await restoreButton.click();
    await page.waitForURL(`${appUrl}/cms/pages/edit/${article.id}`);
    await page.getByRole('button', { name: 'Save draft' }).waitFor();
    expect(await readPage(article.id)).toMatchObject({ status: 'DRAFT', slug: article.slug, content: '<p>One.</p>' });
  });

  it('searches the trash and reports why a restore failed', async () => {
    const article = await writers.makePage(writer.token);
    const otherArticle = await writers.makePage(writer.token);
    for (const { id } of [article, otherArticle])
      await writers.call('DELETE', `/api/cms/pages/${id}`, undefined, writer.token);
    const page = await writerPage({ expected: /500/ });
    await page.goto(`${appUrl}/cms/pages/trash`);
    const restoreButton = page.getByRole('button', { name: `Bring back ${article.title}` });
    await page.getByRole('button', { name: `Bring back ${otherArticle.title}` }).waitFor();
    await page.getByRole('searchbox').fill(article.title);
    await page.getByRole('button', { name: `Bring back ${otherArticle.title}` }).waitFor({ state: 'detached' });
    await page.route('**/bring-back', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'Something went wrong.' } } }),
    );
    await restoreButton.click();
    await page.getByRole('alert').getByText('Failed to bring back page. Something went wrong.').waitFor();
    await expectAccessible(page);
    await page.getByRole('searchbox').fill('nobody wrote this');
    await page.getByText('No page matches "nobody wrote this".').waitFor();
  });
});

describe('the text below the toolbar', () => {
  it('stays where it is while a link is set and while the cursor enters and leaves a table', async () => {
    const content = '<p>First words.</p><table><tr><th>Hours</th></tr><tr><td>Nine</td></tr></table><p>Last words.</p>';
    const article = await writers.makePage(writer.token, { content });
    const page = await writerPage({ expected: /404/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    const last = textBox(page).locator('p', { hasText: 'Last words.' });
    const top = () => last.evaluate((element) => element.getBoundingClientRect().top);
    const before = await top();
    await textBox(page).getByText('Nine').click();
    await expect.poll(() => tool(page, 'Add row').getAttribute('aria-disabled')).toBeNull();
    expect(await top()).toBe(before);
    await last.click();
    await expect.poll(() => tool(page, 'Add row').getAttribute('aria-disabled')).toBe('true');
    expect(await top()).toBe(before);

    await page.keyboard.press('Shift+Home');
    await tool(page, 'Link').click();
    const address = page.getByLabel('Link address');
    await address.waitFor();
    expect(await top()).toBe(before);
    const highlightedText = () => page.evaluate(() => String([...(CSS.highlights.get('kept-selection') ?? [])][0]));
    expect('Last words.').toContain(await highlightedText());
    expect((await highlightedText()).length).toBeGreaterThan(0);
    await expectAccessible(page);
    await address.press('Escape');
    await address.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => CSS.highlights.has('kept-selection'))).toBe(false);
    await tool(page, 'Link').click();
    await address.fill('tillway.example/help');
    await page.getByRole('button', { name: 'Set link' }).click();
    await textBox(page).getByRole('link').waitFor();
    expect(await top()).toBe(before);
  });
});
