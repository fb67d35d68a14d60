import { globSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP, expectAccessible, PHONE, picture, type Theme, useBrowser } from '#tests/support/browser/browser';
import { bundleParts, type PartsBundle } from '#tests/support/browser/parts-bundle';

const ADDRESS = 'http://parts.test/';
const newPage = useBrowser();
let bundle: PartsBundle;
beforeAll(async () => {
  bundle = await bundleParts();
});

async function openParts(theme: Theme, viewport = DESKTOP): Promise<Page> {
  const page = await newPage({ theme, viewport });
  await page.route(`${ADDRESS}**`, (route) => route.fulfill({ contentType: 'text/html', body: bundle.html }));
  await page.goto(ADDRESS);
  await page.getByRole('heading', { name: 'Parts of the screens' }).waitFor();
  return page;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describe('page of UI components', () => {
  it('shows every shared component', () => {
    const files = globSync('site/islands/ui/**/*.tsx')
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => /^export (function|const|class) [A-Z]/m.test(readFileSync(file, 'utf8')));
    expect(files).toContain('site/islands/ui/table/DataTable.tsx');
    expect(files.filter((file) => !bundle.files.includes(file))).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('has no accessibility violation in the %s theme', async (theme) => {
    const page = await openParts(theme);
    expect(await page.locator(':focus').getAttribute('id')).toBe('field-focused');
    await press(page, 'Status: Overdue');
    await press(page, 'Say something long');
    await expectAccessible(page);
    await picture(page, `parts-${theme}`);
    await press(page, 'Do something that can be undone');
    await press(page, 'Undo');
    await page.getByText('It is too late.').waitFor();
    await expectAccessible(page);
    for (const name of ['Fail', 'Busy']) {
      await press(page, name);
      const dialog = page.getByRole('dialog', { name: `${name}?` });
      await dialog.waitFor();
      await expectAccessible(page);
      // A busy dialog cannot be closed.
      if (name !== 'Busy') await dialog.getByRole('button', { name: 'Cancel' }).click();
    }
  });

  it('fits a phone', async () => {
    const page = await openParts('light', PHONE);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    await expectAccessible(page);
    await picture(page, 'parts-phone');
  });
});
