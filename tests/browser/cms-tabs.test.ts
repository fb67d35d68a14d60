import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Draft } from '#shared/contracts/content/content';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { until, useProduct } from '#tests/support/product/product';
import { freshTitle, openEditor, save, saved, textBox, useWriter, useWriters, VIEWS } from './writer.ts';

const product = useProduct();
const newPage = useBrowser();
const writers = useWriters(product);
const { appUrl } = product;
const { writer, writing, readPage } = useWriter(newPage, writers);

describe('two editor tabs', () => {
  const type = async (page: Page, words: string) => {
    await textBox(page).press('Control+End');
    await page.keyboard.type(words);
    await page.getByText(/^Draft kept/).waitFor();
  };
  const textOf = (page: Page) => textBox(page).textContent();
  const shown = (page: Page) => page.getByText(/Your unsaved text from .* is shown/);
  const more = (page: Page) => page.getByText(/There is more unsaved text, from .*/);
  const twoTabs = async (address: string, options: Parameters<typeof newPage>[0] = {}) => {
    const one = await writing({ ...options, expected: /404|409/ });
    const other = await one.context().newPage();
    await openEditor(one, address);
    await type(one, ' Mine.');
    await openEditor(other, address);
    return [one, other] as const;
  };

  it('keep separate drafts of one page, and each restores its own', async () => {
    const made = await writers.makePage(writer.token);
    const [one, other] = await twoTabs(`${appUrl}/cms/pages/edit/${made.id}`);
    // The other tab starts with the saved text: the first tab's text is still open there.
    expect([await textOf(other), await shown(other).count()]).toEqual(['One.', 0]);
    await type(other, ' Yours.');
    for (const [page, text] of [
      [one, 'One. Mine.'],
      [other, 'One. Yours.'],
    ] as const) {
      await page.reload();
      await shown(page).waitFor();
      expect([await textOf(page), await more(page).count()]).toEqual([text, 0]);
    }
    await save(other).click();
    await saved(other);
    await one.reload();
    await one.getByText('Someone else changed this. Your text is kept.').waitFor();
    expect(await textOf(one)).toBe('One. Mine.');
  });

  it('keep separate drafts of two new pages, and a preview shows the draft of its own tab', async () => {
    const [one, other] = await twoTabs(`${appUrl}/cms/pages/new`);
    expect(await textOf(other)).toBe('');
    const titles = [freshTitle('Mine'), freshTitle('Yours')];
    for (const [at, page] of [one, other].entries()) {
      await page.getByRole('textbox', { name: 'Title' }).fill(titles[at] ?? '');
      await page.getByText(/^Draft kept/).waitFor();
    }
    await type(other, 'Yours.');
    // The server now has the other tab's draft.
    await until(
      () => writers.call<Draft>('GET', '/api/cms/pages/new/draft', undefined, writer.token).catch(() => null),
      (kept) => kept?.content.includes('Yours.') ?? false,
    );
    const [preview] = await Promise.all([
      one.context().waitForEvent('page'),
      one.getByRole('button', { name: 'Preview' }).click(),
    ]);
    await preview.getByRole('heading', { level: 1, name: titles[0] ?? '' }).waitFor();
    await save(one).click();
    await saved(one);
    await other.reload();
    await shown(other).waitFor();
    expect(await textOf(other)).toBe('Yours.');
    await save(other).click();
    await saved(other);
  });

  it.each(VIEWS)('leave both drafts when they are closed, and these are offered once (%s)', async (theme, viewport) => {
    const made = await writers.makePage(writer.token);
    const address = `${appUrl}/cms/pages/edit/${made.id}`;
    const [one, other] = await twoTabs(address, { theme, viewport });
    await type(other, ' Yours.');
    const next = await one.context().newPage();
    await one.close();
    await other.close();
    await openEditor(next, address);
    await shown(next).waitFor();
    await more(next).waitFor();
    expect(await textOf(next)).toBe('One. Yours.');
    await expectAccessible(next);
    await picture(next, `cms-left-${theme}`);
    // Only this tab offers its unsaved text.
    const third = await next.context().newPage();
    await openEditor(third, address);
    expect([await textOf(third), await shown(third).count(), await more(third).count()]).toEqual(['One.', 0, 0]);
    await third.close();

    await next.getByRole('button', { name: 'Show it' }).click();
    await expect.poll(() => textOf(next)).toBe('One. Mine.');
    await expect.poll(() => next.evaluate(() => document.activeElement?.textContent)).toMatch(/^Your unsaved text/);
    // The text that was replaced is now offered instead.
    await more(next).waitFor();
    const banner = next.getByRole('status').filter({ has: more(next) });
    await banner.getByRole('button', { name: 'Discard it' }).click();
    await next.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click();
    await more(next).waitFor({ state: 'detached' });
    await expect.poll(() => readPage(made.id).then(({ draft }) => draft)).toBeNull();
    await next.reload();
    await shown(next).waitFor();
    expect([await textOf(next), await more(next).count()]).toEqual(['One. Mine.', 0]);
  });

  it('stay separate when one is a duplicate of the other', async () => {
    const made = await writers.makePage(writer.token);
    const address = `${appUrl}/cms/pages/edit/${made.id}`;
    const one = await writing({ expected: /404/ });
    await openEditor(one, address);
    await type(one, ' Mine.');
    const [copy] = await Promise.all([
      one.context().waitForEvent('page'),
      one.evaluate((to) => void window.open(to), address),
    ]);
    await textBox(copy).waitFor();
    // The new tab copies sessionStorage, as for a duplicated tab.
    const nameOf = (page: Page) => page.evaluate(() => sessionStorage.getItem('cms_tab'));
    await expect.poll(() => nameOf(copy)).toBeTruthy();
    expect(await nameOf(copy)).not.toBe(await nameOf(one));
    expect(await textOf(copy)).toBe('One.');
  });
});
