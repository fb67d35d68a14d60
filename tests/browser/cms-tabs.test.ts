import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Draft } from '#shared/contracts/content/content';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { until, useProduct } from '#tests/support/product/product';
import { freshTitle, openEditor, save, textBox, useWriter, useWriters, VIEWS, waitForSaved } from './writer.ts';

const product = useProduct();
const newPage = useBrowser();
const writers = useWriters(product);
const { appUrl } = product;
const { writer, writerPage, readPage } = useWriter(newPage, writers);

describe('two editor tabs', () => {
  const type = async (page: Page, words: string) => {
    await textBox(page).press('Control+End');
    await page.keyboard.type(words);
    await page.getByText(/^Draft kept/).waitFor();
  };
  const textOf = (page: Page) => textBox(page).textContent();
  const draftBanner = (page: Page) => page.getByText(/Your unsaved text from .* is shown/);
  const moreBanner = (page: Page) => page.getByText(/There is more unsaved text, from .*/);
  const twoTabs = async (address: string, options: Parameters<typeof newPage>[0] = {}) => {
    const firstTab = await writerPage({ ...options, expected: /404|409/ });
    const secondTab = await firstTab.context().newPage();
    await openEditor(firstTab, address);
    await type(firstTab, ' Mine.');
    await openEditor(secondTab, address);
    return [firstTab, secondTab] as const;
  };

  it('two tabs keep separate drafts of one page, and each restores its own', async () => {
    const article = await writers.makePage(writer.token);
    const [firstTab, secondTab] = await twoTabs(`${appUrl}/cms/pages/edit/${article.id}`);
    // The second tab starts with the saved text, because the first tab still has its own text open.
    expect([await textOf(secondTab), await draftBanner(secondTab).count()]).toEqual(['One.', 0]);
    await type(secondTab, ' Yours.');
    for (const [page, text] of [
      [firstTab, 'One. Mine.'],
      [secondTab, 'One. Yours.'],
    ] as const) {
      await page.reload();
      await draftBanner(page).waitFor();
      expect([await textOf(page), await moreBanner(page).count()]).toEqual([text, 0]);
    }
    await save(secondTab).click();
    await waitForSaved(secondTab);
    await firstTab.reload();
    await firstTab.getByText('Someone else changed this. Your text is kept.').waitFor();
    expect(await textOf(firstTab)).toBe('One. Mine.');
  });

  it('two tabs keep separate drafts of two new pages, and a preview shows the draft of its own tab', async () => {
    const [firstTab, secondTab] = await twoTabs(`${appUrl}/cms/pages/new`);
    expect(await textOf(secondTab)).toBe('');
    const titles = [freshTitle('Mine'), freshTitle('Yours')];
    for (const [at, page] of [firstTab, secondTab].entries()) {
      await page.getByRole('textbox', { name: 'Title' }).fill(titles[at] ?? '');
      await page.getByText(/^Draft kept/).waitFor();
    }
    await type(secondTab, 'Yours.');
    // The server now has the second tab's draft.
    await until(
      () => writers.call<Draft>('GET', '/api/cms/pages/new/draft', undefined, writer.token).catch(() => null),
      (draft) => draft?.content.includes('Yours.') ?? false,
    );
    const [preview] = await Promise.all([
      firstTab.context().waitForEvent('page'),
      firstTab.getByRole('button', { name: 'Preview' }).click(),
    ]);
    await preview.getByRole('heading', { level: 1, name: titles[0] ?? '' }).waitFor();
    await save(firstTab).click();
    await waitForSaved(firstTab);
    await secondTab.reload();
    await draftBanner(secondTab).waitFor();
    expect(await textOf(secondTab)).toBe('Yours.');
    await save(secondTab).click();
    await waitForSaved(secondTab);
  });

  it.each(VIEWS)('closed tabs leave both drafts, and a new tab offers them (%s)', async (theme, viewport) => {
    const article = await writers.makePage(writer.token);
    const address = `${appUrl}/cms/pages/edit/${article.id}`;
    const [firstTab, secondTab] = await twoTabs(address, { theme, viewport });
    await type(secondTab, ' Yours.');
    const thirdTab = await firstTab.context().newPage();
    await firstTab.close();
    await secondTab.close();
    await openEditor(thirdTab, address);
    await draftBanner(thirdTab).waitFor();
    await moreBanner(thirdTab).waitFor();
    expect(await textOf(thirdTab)).toBe('One. Yours.');
    await expectAccessible(thirdTab);
    await picture(thirdTab, `cms-left-${theme}`);
    // Only this tab offers its unsaved text.
    const fourthTab = await thirdTab.context().newPage();
    await openEditor(fourthTab, address);
    const state = [await textOf(fourthTab), await draftBanner(fourthTab).count(), await moreBanner(fourthTab).count()];
    expect(state).toEqual(['One.', 0, 0]);
    await fourthTab.close();

    await thirdTab.getByRole('button', { name: 'Show it' }).click();
    await expect.poll(() => textOf(thirdTab)).toBe('One. Mine.');
    await expect.poll(() => thirdTab.evaluate(() => document.activeElement?.textContent)).toMatch(/^Your unsaved text/);
    // The text that was replaced is now offered instead.
    await moreBanner(thirdTab).waitFor();
    const banner = thirdTab.getByRole('status').filter({ has: moreBanner(thirdTab) });
    await banner.getByRole('button', { name: 'Discard it' }).click();
    await thirdTab.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click();
    await moreBanner(thirdTab).waitFor({ state: 'detached' });
    await expect.poll(() => readPage(article.id).then(({ draft }) => draft)).toBeNull();
    await thirdTab.reload();
    await draftBanner(thirdTab).waitFor();
    expect([await textOf(thirdTab), await moreBanner(thirdTab).count()]).toEqual(['One. Mine.', 0]);
  });

  it('a duplicated tab keeps a separate draft', async () => {
    const article = await writers.makePage(writer.token);
    const address = `${appUrl}/cms/pages/edit/${article.id}`;
    const firstTab = await writerPage({ expected: /404/ });
    await openEditor(firstTab, address);
    await type(firstTab, ' Mine.');
    const [duplicate] = await Promise.all([
      firstTab.context().waitForEvent('page'),
      firstTab.evaluate((to) => void window.open(to), address),
    ]);
    await textBox(duplicate).waitFor();
    // The new tab copies sessionStorage, as for a duplicated tab.
    const nameOf = (page: Page) => page.evaluate(() => sessionStorage.getItem('cms_tab'));
    await expect.poll(() => nameOf(duplicate)).toBeTruthy();
    expect(await nameOf(duplicate)).not.toBe(await nameOf(firstTab));
    expect(await textOf(duplicate)).toBe('One.');
  });
});
