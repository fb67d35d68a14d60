import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DESKTOP, expectAccessible, PHONE, useBrowser } from '#tests/support/browser/browser';
import { freshJpeg } from '#tests/support/content/images';
import { useProduct } from '#tests/support/product/product';
import { expectFocus } from './payer.ts';
import { openEditor, save, textBox, tool, useWriter, useWriters, waitForSaved } from './writer.ts';

const product = useProduct();
const newPage = useBrowser();
const writers = useWriters(product);
const { appUrl } = product;
const { writer, writerPage, readPage } = useWriter(newPage, writers);

const LONG = '<p>Because nobody asks them.</p>'.repeat(80);

/** True if no sticky or floating element covers the middle of the text. */
const isInSight = (page: Page, text: string) =>
  page.getByText(text).evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const topElement = document.elementFromPoint(left + width / 2, top + height / 2);
    return topElement !== null && (element.contains(topElement) || topElement.contains(element));
  });

describe.each([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])('a long text in the editor on a %s', (_screen, viewport) => {
  it('scrolls a save conflict into view', async () => {
    const article = await writers.makePage(writer.token, { content: LONG });
    const page = await writerPage({ viewport, expected: /409/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    await writers.overtake(article);
    await textBox(page).press('Control+End');
    await page.keyboard.type(' Mine.');
    await save(page).click();
    await expectFocus(page.getByRole('alert').filter({ hasText: 'Someone else changed this.' }));
    expect(await isInSight(page, 'Someone else changed this. Your text is kept.')).toBe(true);
    await expectAccessible(page);
  });

  it('scrolls the error for an address already in use into view on save', async () => {
    const otherArticle = await writers.makePage(writer.token);
    const article = await writers.makePage(writer.token, { content: LONG });
    const page = await writerPage({ viewport, expected: /409/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    const slug = page.getByLabel('Last part of the address');
    await slug.fill(otherArticle.slug);
    await page.evaluate(() => window.scrollTo(0, 0));
    await save(page).click();
    await expectFocus(slug);
    expect(await isInSight(page, 'That address is already in use.')).toBe(true);
  });

  it('keeps the toolbar in view after a preview was opened', async () => {
    const article = await writers.makePage(writer.token, { content: LONG });
    const page = await writerPage({ viewport });
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    const [preview] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: 'Preview' }).click(),
    ]);
    await page.getByText(/^The preview is open until/).waitFor();
    // Chromium ignores the close of a tab that is navigating.
    await preview.getByRole('heading', { level: 1, name: article.title }).waitFor();
    await preview.close();
    await textBox(page).press('Control+End');
    const bold = tool(page, 'Bold');
    expect(await bold.evaluate((button) => button.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
    await bold.click();
    await expect.poll(() => bold.getAttribute('aria-pressed')).toBe('true');
    await expectAccessible(page);
  });
});

describe('focus in the editor', () => {
  it('returns to the text after a picture is inserted or cancelled', async () => {
    const article = await writers.makePage(writer.token);
    const page = await writerPage();
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    await textBox(page).press('Control+End');
    await tool(page, 'Image').click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(textBox(page));
    await tool(page, 'Image').click();
    const file = { name: 'IMG_2041.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(freshJpeg()) };
    await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file);
    await page.getByLabel('Decorative: no description needed').check();
    await page.getByRole('button', { name: 'Insert image' }).click();
    await expectFocus(textBox(page));
    await page.keyboard.type('Behind it.');
    await save(page).click();
    await waitForSaved(page);
    expect((await readPage(article.id)).content).toMatch(
      /<p>One\.<img src="\/media\/\w+\.jpg" alt="" role="presentation">Behind it\.<\/p>/,
    );
    expect(await page.getByText(/no description\.$/).count()).toBe(0);
  });

  it('returns to the button that opened the image dialog, which saves the description entered there', async () => {
    const form = new FormData();
    form.set('file', new File([freshJpeg()], 'IMG_2042.jpg', { type: 'image/jpeg' }));
    const file = await writers.call<{ id: string }>('POST', '/api/cms/media/upload', form, writer.token);
    const post = await writers.makePost(writer.token);
    const page = await writerPage();
    await openEditor(page, `${appUrl}/cms/posts/edit/${post.id}`);
    const choose = page.getByRole('button', { name: 'Choose image' });
    await choose.click();
    await page.keyboard.press('Escape');
    await expectFocus(choose);
    await choose.click();
    await page.getByRole('dialog').getByRole('button', { name: 'IMG_2042.jpg' }).first().click();
    await page.getByLabel('Description', { exact: true }).fill('A full waiting room');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Use as featured image' }).click();
    await page.getByRole('img', { name: 'A full waiting room' }).waitFor();
    await expectFocus(page.getByRole('button', { name: 'Change image' }));
    const { alt } = await writers.call<{ alt: string }>('GET', `/api/cms/media/${file.id}`, undefined, writer.token);
    expect(alt).toBe('A full waiting room');
  });

  it('inserts no picture if its dialog is closed before the picture is loaded', async () => {
    const form = new FormData();
    form.set('file', new File([freshJpeg()], 'IMG_2043.jpg', { type: 'image/jpeg' }));
    const file = await writers.call<{ id: string }>('POST', '/api/cms/media/upload', form, writer.token);
    const article = await writers.makePage(writer.token);
    const page = await writerPage({ expected: /ERR_FAILED/ });
    await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isAnswered = false;
    await page.route(`**/api/cms/media/${file.id}`, async (route) => {
      await isReleased;
      await route.continue().catch(() => undefined);
      isAnswered = true;
    });
    await tool(page, 'Image').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('searchbox').fill('IMG_2043');
    await dialog.getByRole('button', { name: 'IMG_2043.jpg' }).first().click();
    await dialog.getByLabel('Description', { exact: true }).fill('A queue');
    await dialog.getByRole('button', { name: 'Insert image' }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    release();
    await expect.poll(() => isAnswered).toBe(true);
    await textBox(page).press('Control+End');
    await page.keyboard.type(' Two.');
    await save(page).click();
    await waitForSaved(page);
    expect((await readPage(article.id)).content).toBe('<p>One. Two.</p>');
  });

  it('stops showing the missing-title error once a title is typed', async () => {
    const page = await writerPage({ expected: /404/ });
    await openEditor(page, `${appUrl}/cms/pages/new`);
    await save(page).click();
    await page.getByText('Please enter a title.').waitFor();
    await expectFocus(page.getByRole('textbox', { name: 'Title' }));
    await page.keyboard.type('F');
    await page.getByText('Please enter a title.').waitFor({ state: 'detached' });
  });
});
