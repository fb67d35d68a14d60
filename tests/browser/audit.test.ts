import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { GRACE, HASH, serveTrail, view } from '#tests/support/servers/audit-server';
import { useMerchant, VIEWS } from './merchant.ts';
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
const noOverflow = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);

describe('the audit trail', () => {
  it.each(VIEWS)(
    'tells what was done in sentences, with all that was recorded, and how far it is verified (%s)',
    async (name, options) => {
      const page = await merchantPage(options);
      await serveTrail(page);
      await open(page);
      const row = page.getByRole('listitem').filter({ hasText: 'asked for the void of 1042, $184.00' });
      await row.getByText('Details').click();
      expect((await row.innerText()).replace(/\s+/g, ' ')).toMatch(
        /Act reversal\.claimed Id of the reversal r1042 state from approved to sent amountCents 18400 Session 5f0e/,
      );
      await page.getByText(/^Verified to event 411 (at|on) /).waitFor();
      await page.getByText('The newest event is sealed within minutes.').waitFor();
      await page.getByText(HASH).waitFor();
      await noOverflow(page);
      await expectAccessible(page);
      await picture(page, `audit-${name.replace(' ', '-')}`);
    },
  );

  it('is filtered by its address, which survives a reload and the way back', async () => {
    const page = await merchantPage();
    const { asked } = await serveTrail(page);
    await open(page);
    await page.getByLabel('Kind').selectOption('Payments and refunds');
    await page.getByLabel('Who').selectOption(GRACE);
    await page.getByLabel('From').fill('2026-03-01');
    await page.getByLabel('Invoice or id').fill('1042');
    await page.getByRole('button', { name: 'Apply' }).press('Enter');
    const search = '?group=money&person=user%3A71204401&from=2026-03-01&about=1042';
    await expect.poll(() => new URL(page.url()).search).toBe(search);
    await page.reload();
    expect(await page.getByLabel('Kind').inputValue()).toBe('money');
    expect(await page.getByLabel('Invoice or id').inputValue()).toBe('1042');
    await page.getByRole('button', { name: 'Older events' }).click();
    await expect.poll(() => asked.at(-1)).toBe(`${search}&before=409`);
    await page.getByRole('button', { name: 'Newest events' }).click();
    await expect.poll(() => asked.at(-1)).toBe(search);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => asked.at(-1)).toBe('');
    await page.goBack();
    await expect.poll(() => asked.at(-1)).toBe(search);
    const row = page.getByRole('listitem').filter({ hasText: 'A payer paid' });
    await row.getByText('Details').click();
    await row.getByRole('button', { name: 'Only this payment of event 411' }).click();
    await expect.poll(() => asked.at(-1)).toBe('?about=p1042');
  });

  it('is offered on the user’s page once the rows above have come, so that its link stays where it is', async () => {
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

  it('is opened from the user’s page and kept as a file', async () => {
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

  it('mails the newest seal only to whom switched it on', async () => {
    const page = await merchantPage({ expected: REFUSED });
    const { asked, state } = await serveTrail(page);
    await open(page);
    const mail = page.getByRole('checkbox', { name: 'Mail it to me once a week' });
    expect(await mail.isChecked()).toBe(false);
    await mail.check();
    await page.getByText('The first mail comes in a week.').waitFor();
    state.isMailRefused = true;
    await mail.click();
    await page.getByText('No.', { exact: true }).waitFor();
    expect(await mail.isChecked()).toBe(true);
    expect(asked.filter((one) => one.startsWith('mail'))).toEqual(['mail true', 'mail false']);
  });

  it('says when nothing matches, when it cannot be loaded, and who may see it', async () => {
    const page = await merchantPage({ expected: REFUSED });
    const { state } = await serveTrail(page, { ...view, events: [], next: null, head: null, verified: null, unsealed: 0 });
    await open(page);
    await page.getByText('Nothing was recorded yet.').waitFor();
    await page.getByText('Nothing is sealed yet').waitFor();
    await expectAccessible(page);
    await open(page, '?group=money');
    await page.getByText('No event matches.').waitFor();
    state.view = { ...state.view, next: 100, looked_back_to: '2026-01-02T15:00:00.000Z' };
    await page.reload();
    await page.getByText('Looked back to Jan 2, 2026').waitFor();
    await page.getByRole('button', { name: 'Look further back' }).waitFor();
    state.status = 503;
    await page.reload();
    await page.getByText('The audit trail could not be loaded.').waitFor();
    await expectAccessible(page);
    state.status = 200;
    state.view = view;
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('A payer paid 1042, $184.00.').waitFor();
    state.status = 403;
    await page.reload();
    await page.getByText('Only an administrator of this account may see its audit trail.').waitFor();
    expect(await page.getByRole('button', { name: /CSV/ }).count()).toBe(0);
    await expectAccessible(page);
  });

  it('that does not agree with its seals says so first', async () => {
    const page = await merchantPage();
    const problem = 'Event 300 is altered: it is not what was sealed.';
    await serveTrail(page, { ...view, verified: { seq: 299, at: '2026-03-04T15:52:10.000Z', problem } });
    await open(page);
    await page.getByRole('alert').filter({ hasText: problem }).waitFor();
    expect(await page.getByText(/^Verified to event/).count()).toBe(0);
    await expectAccessible(page);
    await picture(page, 'audit-broken');
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
    await noOverflow(page);
    await expectAccessible(page);
    await picture(page, `cms-audit-${theme}`);
  });

  it('is refused to an editor in a sentence', async () => {
    const page = await newPage();
    const { email } = await writers.makeWriter('editor');
    await writers.logIn(page, email);
    await page.goto(`${product.appUrl}/cms/audit`);
    await page.getByText('Only an owner can see the audit trail.').waitFor();
  });
});
