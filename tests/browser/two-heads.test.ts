import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { expectAccessible, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { phone, useMerchant, VIEWS } from './merchant.ts';
import { expectGood } from './payer.ts';

const product = useProduct();
const { appUrl } = product;
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, appUrl);

const PUBLIC = [
  '/terms',
  '/privacy',
  '/cookie-policy',
  '/demo',
  '/proof',
  '/claims',
  '/blog',
  '/blog/closing-the-day',
  '/pages/about-us',
];
const LINKS = [
  ['Take Payment', '/payments'],
  ['Customers', '/customers'],
  ['Invoices', '/invoices'],
  ['User Info', '/userinfo'],
  ['Help', '/help'],
] as const;
const NAMES = [...LINKS.map(([name]) => name), 'Logout'];

describe('a logged-in merchant', () => {
  it.each(VIEWS)(
    'keeps the app’s navigation on every public page, which shows no clinic name (%s)',
    async (view, options) => {
      const page = await merchantPage(options);
      const requests: string[] = [];
      page.on('request', (request) => requests.push(`${request.resourceType()} ${new URL(request.url()).pathname}`));
      for (const path of PUBLIC) {
        await page.goto(`${appUrl}${path}`, { waitUntil: 'networkidle' });
        const header = page.getByRole('banner');
        if (view.includes('phone')) await header.getByRole('button', { name: 'Menu' }).click();
        expect(await header.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts(), path).toEqual(
          NAMES,
        );
        expect(await page.getByRole('link', { name: 'Log in' }).count(), path).toBe(0);
        expect(await header.innerText(), path).not.toContain(hubs[0].name);
        await expectAccessible(page);
      }
      expect(requests.filter((request) => /^(script|fetch|xhr) /.test(request))).toEqual([]);
    },
  );

  it('opens the navigation on a phone with a button and closes it with Escape', async () => {
    const page = await merchantPage(phone);
    await page.goto(`${appUrl}/terms`);
    const link = page.getByRole('link', { name: 'Customers' });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).tap();
    await link.waitFor();
    await page.keyboard.press('Escape');
    await link.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Menu' }).tap();
    await link.tap();
    await page.waitForURL(`${appUrl}/customers`);
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
  });

  it('reaches the right screen with each link', async () => {
    const page = await merchantPage();
    for (const [name, path] of LINKS) {
      await page.goto(`${appUrl}/privacy`);
      await page.getByRole('link', { name, exact: true }).click();
      await page.waitForURL(`${appUrl}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    await page.goto(`${appUrl}/terms`);
    await page.getByRole('link', { name: 'Tillway, home' }).click();
    await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor();
    await page.goto(`${appUrl}/terms`);
    await expectGood(page, 'public-page-of-a-merchant');
  });

  it('is sent to the login by each link when the session has ended, and to the homepage by Logout', async () => {
    const page = await newPage();
    await page.context().addCookies([{ name: 'authToken', value: 'a.b.c', url: appUrl }]);
    for (const [name] of LINKS) {
      await page.context().addCookies([{ name: 'authToken', value: 'a.b.c', url: appUrl }]);
      await page.goto(`${appUrl}/terms`);
      await page.getByRole('link', { name, exact: true }).click();
      await page.waitForURL(`${appUrl}/login`);
    }
    await page.context().addCookies([{ name: 'authToken', value: 'a.b.c', url: appUrl }]);
    await page.goto(`${appUrl}/terms`);
    await page.getByRole('link', { name: 'Logout' }).click();
    await page.waitForURL(`${appUrl}/`);
    await page.getByRole('link', { name: 'Log in' }).waitFor();
  });
});

describe('a visitor who is not logged in', () => {
  it.each(VIEWS)('sees the site’s header and nothing of the app (%s)', async (_view, options) => {
    const page = await newPage(options);
    for (const path of ['/', ...PUBLIC]) {
      await page.goto(`${appUrl}${path}`);
      const links = page.getByRole('banner').getByRole('navigation', { name: 'Main' }).getByRole('link');
      expect(await links.allInnerTexts(), path).toEqual(['Demo', 'Blog', 'Log in']);
    }
  });
});
