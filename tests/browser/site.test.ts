import { describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { useBrowser } from '../support/browser/browser.ts';
import { scriptsOf, whichHead } from '../support/browser/which-head.ts';
import { expectGood, payerPage, payWith, successHeading } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();

const STATIC = ['/', '/terms', '/privacy', '/cookie-policy'];
const NOT_FOUND = /status of 404/;

describe('a visitor to the public site', () => {
  it('finds the offer, its claims and a way to start on the homepage', async () => {
    const page = await newPage();
    await page.goto(product.appUrl);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(
      'Secure Payment Solutions for Modern Business',
    );
    const text = await page.locator('main').innerText();
    for (const claim of ['99.9% uptime', '24/7 support', '10k+ merchants', 'PCI DSS', 'ISO 27001', 'GDPR'])
      expect(text).toContain(claim);
    for (const name of ['Secure Payments', 'Instant Processing', 'Analytics']) {
      expect(await page.getByRole('heading', { name, exact: true }).count(), name).toBe(1);
    }
    expect(await page.getByRole('link', { name: 'Get Started' }).first().getAttribute('href')).toBe('/login');
    expect(await page.getByRole('link', { name: 'Schedule Demo' }).first().getAttribute('href')).toBe('/demo');
    expect(await page.getByRole('link', { name: 'Create Account' }).first().getAttribute('href')).toBe('/login');
    const foot = page.getByRole('contentinfo');
    expect(await foot.innerText()).toContain('(317) 555-0142');
    for (const [name, href] of [
      ['Terms of Service', '/terms'],
      ['Privacy Policy', '/privacy'],
      ['Cookie Policy', '/cookie-policy'],
    ] as const) {
      expect(await foot.getByRole('link', { name }).getAttribute('href')).toBe(href);
    }
    await expectGood(page, 'home');
  });

  const facts: [string, string, RegExp[]][] = [
    [
      '/terms',
      'Terms of Service',
      [/December 8, 2024/, /refund is not given for services provided/i, /laws of the State of Indiana/],
    ],
    ['/privacy', 'Privacy Policy', [/December 8, 2024/, /PCI compliance/, /CCPA opt-out/, /right to deletion/i]],
    ['/cookie-policy', 'Cookie Policy', [/December 8, 2024/, /only the cookies and browser storage that are needed/]],
  ];
  for (const [path, title, patterns] of facts) {
    it(`finds the required facts in the ${title}`, async () => {
      const page = await newPage();
      await page.goto(`${product.appUrl}${path}`);
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
      const text = await page.locator('main').innerText();
      for (const fact of patterns) expect(text).toMatch(fact);
      await expectGood(page, title.toLowerCase().replaceAll(' ', '-'));
    });
  }

  it('reads the whole cookie policy in one sentence', async () => {
    const page = await newPage();
    await page.goto(`${product.appUrl}/cookie-policy`);
    const sentences = await page.locator('main p:visible').filter({ hasText: 'cookies' }).allInnerTexts();
    expect(sentences).toHaveLength(1);
    expect(sentences[0]?.match(/\./g)).toHaveLength(1);
  });

  it('gets a 404 page with a link to the homepage for an unknown path', async () => {
    const page = await newPage({ expected: NOT_FOUND });
    const response = await page.goto(`${product.appUrl}/no/such/page`);
    expect(response?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Page not found', exact: true }).waitFor();
    await expectGood(page, 'not-found');
    await page.getByRole('main').getByRole('link', { name: 'Go to the homepage' }).click();
    await page.waitForURL(`${product.appUrl}/`);
  });

  it('reaches the skip link to the content with the first Tab', async () => {
    const page = await newPage();
    await page.goto(product.appUrl);
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
    expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toMatch(/#main$/);
  });

  it('gets a 404 page for an unknown receipt', async () => {
    const page = await newPage({ expected: NOT_FOUND });
    const response = await page.goto(`${product.appUrl}/receipt/${'A'.repeat(27)}`);
    expect(response?.status()).toBe(404);
    await page.getByRole('heading', { name: 'No invoice found' }).waitFor();
  });
});

describe('the receipt', () => {
  it('can be copied as text', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage);
    await payWith(page, address);
    await successHeading(page).waitFor();
    await page.getByRole('link', { name: 'View receipt' }).click();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.appUrl });
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    const clipboardText = await page.evaluate(() => navigator.clipboard.readText());
    const { origin, pathname } = new URL(page.url());
    const parts = [number, '$184.00 USD', 'Approved', `${origin}${pathname}`];
    for (const part of parts) expect(clipboardText).toContain(part);
  });
});

describe('a static page', () => {
  it('sends the security headers, requests no other site, and runs one small script unless it is the homepage', async () => {
    for (const path of [...STATIC, '/no/such/page']) {
      const page = await newPage({ expected: NOT_FOUND });
      const origins = new Set<string>();
      page.on('request', (request) => origins.add(new URL(request.url()).origin));
      const response = await page.goto(`${product.appUrl}${path}`, { waitUntil: 'networkidle' });
      if (path !== '/') expect(await scriptsOf(page), path).toEqual([whichHead]);
      expect([...origins], path).toEqual([product.appUrl]);
      expect(response?.headers(), path).toMatchObject({
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
      });
    }
  });

  it('shows its heading without JavaScript', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    for (const path of STATIC) {
      await page.goto(`${product.appUrl}${path}`);
      expect(await page.getByRole('heading', { level: 1 }).isVisible(), path).toBe(true);
    }
  });

  it('prints only its content, without header, footer and cookie bar', async () => {
    const page = await newPage({ theme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    for (const path of [...STATIC, '/blog', '/demo']) {
      await page.goto(`${product.appUrl}${path}`);
      expect(await page.getByRole('heading', { level: 1 }).isVisible(), path).toBe(true);
      for (const part of ['banner', 'contentinfo'] as const)
        expect(await page.getByRole(part).isVisible(), `${part} of ${path}`).toBe(false);
      expect(await page.getByRole('region', { name: 'Cookies' }).isVisible(), path).toBe(false);
    }
  });

  it('follows the system theme', async () => {
    const page = await newPage({ theme: 'dark' });
    for (const path of STATIC) {
      await page.goto(`${product.appUrl}${path}`);
      const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      await page.emulateMedia({ colorScheme: 'dark' });
      const dark = await background();
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await background(), path).not.toBe(dark);
    }
  });
});
