import { rmSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { launchBrowser } from '#tests/support/browser/chromium';
import { describe } from '#tests/support/complete-only';
import { type RunningProduct, startProduct } from '#tests/support/product/product-process';

/**
 * `npm run dev`, started once; it renders every page on request. Runs only in the complete run: the dev server
 * compiles each page and screen again, and none of that is deployed.
 */
let product: RunningProduct;
let browser: Awaited<ReturnType<typeof launchBrowser>>;
/** The full output of the start. */
let startOutput = '';
/** Console errors of the page under test. */
const errors: string[] = [];
let page: Page;

beforeAll(async () => {
  product = await startProduct({
    args: ['--dev'],
    env: { NODE_ENV: 'development' },
    onOutput: (text) => {
      startOutput += text;
    },
  });
  browser = await launchBrowser();
  page = await (await browser.newContext({ locale: 'en-US', serviceWorkers: 'block' })).newPage();
  // Vite compiles a module when a page first asks for it, so each test's own limit is the only one.
  page.setDefaultTimeout(0);
  page.on('pageerror', (error) => errors.push(String(error)));
  // Refused requests are checked by their status instead.
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource')) errors.push(line.text());
  });
}, 300_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Opens an address of the product, expects its first heading and no error on the page. */
async function open(path: string, heading: string | RegExp, status = 200): Promise<void> {
  errors.length = 0;
  const answer = await page.goto(`${product.appUrl}${path}`);
  expect(answer?.status(), path).toBe(status);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  expect(errors, path).toEqual([]);
}

describe('the dev server', () => {
  it.each<[path: string, heading: string | RegExp, status?: number]>([
    ['/', /./],
    ['/terms', 'Terms of Service'],
    ['/privacy', 'Privacy Policy'],
    ['/cookie-policy', 'Cookie Policy'],
    ['/demo', /./],
    ['/blog', /./],
    ['/blog/closing-the-day', /./],
    ['/blog/payment-plans', 'Post not found', 404],
    ['/blog/page/9', 'Post not found', 404],
    ['/pages/security', /./],
    ['/pages/nothing', 'Page not found', 404],
    ['/nowhere', 'Page not found', 404],
    ['/register', /./],
    ['/login', /./],
    ['/make/payment/nothing', /./, 404],
    ['/receipt/nothing', /./, 404],
    ['/cms/login', /./],
    ['/dev/parts', 'Parts of the screens'],
  ])(
    'serves %s to a visitor without console errors',
    async (path, heading, status) => open(path, heading, status),
    90_000,
  );

  it('shows a payer the payment form with the card provider’s fields', async () => {
    errors.length = 0;
    expect((await page.goto(product.payLinks[0] ?? ''))?.status()).toBe(200);
    await page.getByRole('button', { name: /^Pay \$/ }).waitFor();
    await page.frameLocator('iframe[title="Card details"]').getByLabel('Card number').waitFor();
    expect(errors).toEqual([]);
  }, 90_000);

  it('lets a merchant log in and opens every screen', async () => {
    await page.goto(`${product.appUrl}/login`);
    await page.getByRole('link', { name: 'Login with CRM' }).click();
    await page.getByRole('radio', { name: hubs[0].name }).check();
    await page.getByRole('button', { name: 'Grant access' }).click();
    await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor();
    for (const [path, heading] of [
      ['/invoices', 'Invoices'],
      ['/customers', 'Customers'],
      ['/userinfo', /./],
      ['/checks', /./],
      ['/analytics', /./],
      ['/openInvoices', /./],
      ['/payments', /./],
      ['/', 'Dashboard'],
    ] as const)
      await open(path, heading);
  }, 240_000);

  it('lets content staff log in and reach the dashboard', async () => {
    const [, email = '', password = ''] = /^login (\S+) (\S+)$/m.exec(product.output) ?? [];
    await open('/cms/login', /./);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    expect(errors).toEqual([]);
  }, 120_000);

  it('reports an error in a source file with file and line, on the page and in the terminal', async () => {
    const name = `broken-${process.pid}`;
    const file = `site/pages/${name}.astro`;
    onTestFinished(() => rmSync(file, { force: true }));
    writeFileSync(file, '---\nconst broken = = 1;\n---\n<h1>Never</h1>\n');
    const place = `${file}:2:`;
    const fetchPage = async () => (await fetch(`${product.appUrl}/${name}`)).text();
    await expect.poll(fetchPage, { timeout: 60_000, interval: 500 }).toContain(place);
    await expect.poll(() => startOutput).toContain(place);
  }, 90_000);
});
