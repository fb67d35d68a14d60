import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { unpack } from '#worker/files/zip';
import { logIn, VIEWS } from './merchant.ts';

const product = useProduct();
const newPage = useBrowser();
const { appUrl } = product;
const [dental] = hubs;

describe('records and closing', { timeout: 120_000 }, () => {
  it.each(VIEWS)(
    'collects all records with a progress display and offers them as one file (%s)',
    async (_name, view) => {
      const page = await newPage({ ...view, expected: /40[13]/ });
      await logIn(page, appUrl, dental);
      await page.goto(`${appUrl}/account/records`);
      await page.getByRole('heading', { name: 'Records and closing' }).waitFor();
      await page.getByRole('button', { name: /^(Download everything|Make a new one)$/ }).click();
      const save = page.getByRole('button', { name: 'Download the file' });
      await save.waitFor({ timeout: 60_000 });
      await expectAccessible(page);
      await picture(page, `records-${view.theme}`);
      const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
      expect(download.suggestedFilename()).toMatch(/^records-\d{4}-\d\d-\d\d\.zip$/);
      const names: string[] = [];
      for await (const { name } of unpack(new Uint8Array(readFileSync(await download.path())))) names.push(name);
      expect(names[0]).toBe('README.txt');
      expect(names).toContain('tables/accounts-0.ndjson');
      expect(names.at(-1)).toBe('manifest.json');
    },
  );

  it('schedules the closing of the account on a chosen day, and cancels it', async () => {
    const page = await newPage({ expected: /40[13]|422/ });
    await logIn(page, appUrl, dental);
    await page.goto(`${appUrl}/account/records`);
    const close = page.getByRole('button', { name: 'Close the account' });
    await close.click();
    await page.getByText(/Choose a day/).waitFor();
    const day = (await page.getByLabel('Day').getAttribute('max')) ?? '';
    await page.getByLabel('Day').fill(day);
    await page.getByLabel(/^Type/).fill('another');
    await close.click();
    await page.locator('.field-error', { hasText: dental.name }).waitFor();
    await page.getByLabel(/^Type/).fill(dental.name);
    try {
      await close.click();
      // The bar above every screen has the same text without the year.
      await page.getByText(/^This account closes on .+, \d{4}\.$/).waitFor();
      await expectAccessible(page);
      await picture(page, 'closing');
    } finally {
      await page.getByRole('button', { name: 'Keep the account' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
    }
    await close.waitFor();
  });
});
