import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { cardNumber, expectFocus, expectGood, payerPage, payWith, successHeading } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();

const bar = (page: Page) => page.getByRole('region', { name: 'Cookies' });
const accept = (page: Page) => bar(page).getByRole('button', { name: 'Accept' });
const install = (page: Page) => page.getByRole('region', { name: 'Install' });

async function logIn(page: Page): Promise<void> {
  await page.goto(`${product.appUrl}/oauth/start`);
  await page.getByRole('radio', { name: hubs[0].name }).check();
  await page.getByRole('button', { name: 'Grant access' }).click();
  await page.waitForURL(`${product.appUrl}/`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

describe('cookie consent', () => {
  it('is requested on the homepage, at the login and in the app until given once, never on the pay page', async () => {
    const { address } = await product.makeLink();
    const page = await newPage();
    for (const path of ['/', '/login']) {
      await page.goto(`${product.appUrl}${path}`);
      await bar(page).getByText('We use cookies to keep you logged in.').waitFor();
      expect(await bar(page).getByRole('link', { name: 'Cookie Policy' }).getAttribute('href')).toBe('/cookie-policy');
    }
    await expectGood(page, 'login-consent');
    await page.goto(address);
    await cardNumber(page).waitFor();
    expect(await bar(page).count()).toBe(0);
    await logIn(page);
    await accept(page).click();
    expect(await bar(page).count()).toBe(0);
    expect(await page.evaluate(() => localStorage.cookieConsent)).toBe('accepted');
    for (const path of ['/', '/userinfo']) {
      await page.goto(`${product.appUrl}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await bar(page).count(), path).toBe(0);
    }
    await page.goto(address);
    await cardNumber(page).waitFor();
    expect(await bar(page).count()).toBe(0);
  });

  it('is not requested from a payer, whose pages store nothing in the browser', async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage);
    await payWith(page, address);
    await successHeading(page).waitFor();
    expect(await bar(page).count()).toBe(0);
    await page.getByRole('link', { name: 'View receipt' }).click();
    await page.getByRole('article', { name: 'Receipt' }).waitFor();
    expect(await bar(page).count()).toBe(0);
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
  });

  it('leaves the page usable and does not trap the focus', async () => {
    const page = await newPage();
    await page.goto(`${product.appUrl}/login`);
    for (const target of [
      bar(page).getByRole('link'),
      accept(page),
      page.getByRole('link', { name: 'Login with CRM' }),
    ]) {
      await page.keyboard.press('Tab');
      await expectFocus(target);
    }
  });

  it('is not requested on legal pages or the offline page', async () => {
    const page = await newPage();
    for (const path of ['/terms', '/privacy', '/cookie-policy', '/offline']) {
      await page.goto(`${product.appUrl}${path}`);
      expect(await bar(page).count(), path).toBe(0);
    }
  });
});

describe('install prompt', () => {
  /** Simulates a browser that can install the page. */
  const offer = (page: Page) =>
    page.evaluate(() => {
      const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
        prompt: () => {
          document.title = 'prompted';
        },
      });
      dispatchEvent(event);
      return event.defaultPrevented;
    });

  it('appears after consent once the browser offers it, and closes when Install is pressed', async () => {
    const page = await newPage();
    for (const path of ['/', '/login']) {
      await page.goto(`${product.appUrl}${path}`);
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      expect(await install(page).count()).toBe(0);
      expect(await offer(page)).toBe(true);
      expect(await install(page).count()).toBe(0);
      await accept(page).click();
      await install(page).getByText('Install Tillway on this device?').waitFor();
      await install(page).getByRole('button', { name: 'Install', exact: true }).click();
      expect([await install(page).count(), await page.title()]).toEqual([0, 'prompted']);
      await offer(page);
      await install(page).getByText('Install Tillway').click();
      await install(page).getByRole('button', { name: 'Not now' }).click();
      expect(await install(page).count()).toBe(0);
    }
  });

  it('has a manifest whose icons exist', async () => {
    const manifest = (await (await fetch(`${product.appUrl}/manifest.webmanifest`)).json()) as {
      start_url: string;
      icons: { src: string }[];
    };
    expect(manifest.start_url).toBe('/');
    for (const { src } of manifest.icons) expect((await fetch(`${product.appUrl}${src}`)).status, src).toBe(200);
  });
});
