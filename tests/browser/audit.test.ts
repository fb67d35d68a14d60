import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { HASH, serveTrail } from '#tests/support/servers/audit-server';
import { phone, useMerchant } from './merchant.ts';
import { VIEWS as CMS_VIEWS, useWriters } from './writer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
const writers = useWriters(product);
const REFUSED = /Failed to load resource/;
const open = async (page: Page, search = '') => {
  await page.goto(`${product.appUrl}/audit${search}`);
  await page.getByRole('heading', { name: 'Audit trail', level: 1 }).waitFor();
};
const expectNoOverflow = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);

describe('the audit trail', () => {
  it('fits a phone screen with all details of an event', async () => {
    const page = await merchantPage({ theme: 'dark', ...phone });
    await serveTrail(page);
    await open(page);
    const row = page.getByRole('listitem').filter({ hasText: 'asked for the void of 1042, $184.00' });
    await row.locator('summary').click();
    await page.getByText(HASH).waitFor();
    await expectNoOverflow(page);
    await expectAccessible(page);
    await picture(page, 'audit-dark-phone');
  });

  it('does not overlap its filters while "Clear" is shown', async () => {
    const page = await merchantPage({ viewport: { width: 1280, height: 800 } });
    await serveTrail(page);
    await open(page, '?group=money');
    await page.getByRole('button', { name: 'Clear' }).waitFor();
    const controls = page.getByRole('form', { name: 'Filters' }).locator('select, input, button');
    const sides = await controls.evaluateAll((all) => all.map((control) => control.getBoundingClientRect().toJSON()));
    expect(sides).toHaveLength(7);
    for (const [at, { left }] of sides.slice(1).entries()) expect(left).toBeGreaterThan(sides[at].right);
  }, 30_000);

  it('restores its filters on Back', async () => {
    const page = await merchantPage();
    const { requests: queries } = await serveTrail(page);
    await open(page, '?group=money');
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => queries.at(-1)).toBe('');
    await page.goBack();
    await expect.poll(() => queries.at(-1)).toBe('?group=money');
    expect(await page.getByLabel('Kind').inputValue()).toBe('money');
  });

  it('is linked on the user page only after the rows above have loaded', async () => {
    const page = await merchantPage();
    const gate = Promise.withResolvers<void>();
    await page.route('**/api/token/status/current', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto(`${product.appUrl}/userinfo`);
    await page.getByText('Loading...').waitFor();
    const link = page.getByRole('link', { name: 'Audit trail' });
    expect(await link.count()).toBe(0);
    gate.resolve();
    await link.waitFor();
    await page.getByText('Hub domain').waitFor();
  });

  it('opens from the user page and exports to a file', async () => {
    const page = await merchantPage();
    await page.goto(`${product.appUrl}/userinfo`);
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.waitForURL(`${product.appUrl}/audit`);
    await page.getByRole('heading', { name: 'Audit trail', level: 1 }).waitFor();
    const save = async (button: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: button }).click(),
      ]);
      return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
    };
    const csv = await save('Export all as CSV');
    expect(csv.name).toMatch(/^audit-trail-\d{4}-\d\d-\d\d\.csv$/);
    expect(csv.text).toMatch(/^\u{feff}"Number","Time","What happened",/u);
    const seal = await save('Save newest seal');
    expect(seal.name).toMatch(/^audit-seal-\d{4}-\d\d-\d\d\.json$/);
    expect(JSON.parse(seal.text)).toMatchObject({ account: expect.any(Number), how_to_verify: expect.any(Array) });
    await page.reload();
    await page.getByRole('heading', { name: 'Audit trail', level: 1 }).waitFor();
  });
});

describe('the installation’s audit trail', () => {
  it.each(CMS_VIEWS)('is shown to owners of the content area (%s)', async (theme, viewport) => {
    const page = await newPage({ theme, viewport, expected: REFUSED });
    await writers.logIn(page, writers.owner, writers.ownerPassword);
    await page.goto(`${product.appUrl}/cms/users`);
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.getByRole('heading', { name: 'Audit trail', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Newest seal' }).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'Newest seal' }).waitFor();
    await expectNoOverflow(page);
    await expectAccessible(page);
    await picture(page, `cms-audit-${theme}`);
  });

  it('is refused to an editor with a message', async () => {
    const page = await newPage();
    const { email } = await writers.makeWriter('editor');
    await writers.logIn(page, email);
    await page.goto(`${product.appUrl}/cms/audit`);
    await page.getByText('Only an owner can see the audit trail.').waitFor();
  });
});
