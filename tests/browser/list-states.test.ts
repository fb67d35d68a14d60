import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { serveCustomers, serveInvoices } from './list-server.ts';
import { useMerchant, VIEWS } from './merchant.ts';
import { owedOf } from './open-invoices-server.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const REFUSED = /Failed to load resource|net::ERR_FAILED/;
const open = (page: Page, path: string) => page.goto(product.appUrl + path);
const firstRow = (page: Page) => page.locator('tbody tr:not(.row-skeleton) .at-title').first();

/** A promise with a function that resolves it. */
function gate() {
  let open: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { closed, open };
}

/** The positions of the list's parts: frame, heads or cards, pager. */
const edges = (page: Page) =>
  page
    .locator('.table, .table thead th, .table tbody tr, .pager')
    .evaluateAll((parts) =>
      parts
        .map((part) => part.getBoundingClientRect())
        .map(({ left, top, right, bottom }) => [left, top, right, bottom].map(Math.round)),
    );

describe('a list of invoices', () => {
  it.each(VIEWS)('says that it is loading and keeps every edge when the rows come (%s)', async (name, options) => {
    const page = await merchantPage(options);
    const server = await serveInvoices(page, 137);
    const { closed, open: answer } = gate();
    server.hold = closed;
    // No text on the second page needs a second line.
    await open(page, '/invoices?page=2');
    await page.getByText('Loading invoices...').waitFor();
    await page.locator('.at-title .skeleton').first().waitFor();
    await expectAccessible(page);
    await picture(page, `invoices-loading-${name.replace(' ', '-')}`);
    const before = await edges(page);
    answer();
    await firstRow(page).waitFor();
    expect(await edges(page)).toEqual(before);
  });

  it('keeps its rows while the next ones load', async () => {
    const page = await merchantPage();
    const server = await serveInvoices(page, 137);
    await open(page, '/invoices');
    await firstRow(page).waitFor();
    const { closed, open: answer } = gate();
    server.hold = closed;
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.locator('.table-refreshing').waitFor();
    expect(await firstRow(page).innerText()).toBe('INV-1042');
    expect(await page.locator('.table-scroller').getAttribute('aria-busy')).toBe('true');
    answer();
    await page.getByText('11-20 of 137').waitFor();
    expect(await firstRow(page).innerText()).toBe('INV-1032');
  });

  it('shows the answer to the newest request, in any order of answers', async () => {
    const page = await merchantPage({ expected: /ERR_ABORTED/ });
    const server = await serveInvoices(page, 137);
    await open(page, '/invoices');
    await firstRow(page).waitFor();
    const { closed, open: answer } = gate();
    server.hold = closed;
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => server.calls.length).toBe(2);
    server.hold = null;
    await page.getByRole('button', { name: 'Last page' }).click();
    await page.getByText('131-137 of 137').waitFor();
    answer();
    await page.waitForLoadState('networkidle');
    expect(await page.getByText('131-137 of 137').count()).toBe(1);
  });

  it.each(VIEWS)('of a clinic without invoices says so (%s)', async (_name, options) => {
    const page = await merchantPage(options);
    await serveInvoices(page, 0);
    await open(page, '/invoices');
    await page.getByText('No invoices available.', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  it.each(VIEWS)(
    'that cannot be reached keeps its rows, says so, and comes back by Retry (%s)',
    async (name, options) => {
      const page = await merchantPage({ ...options, expected: REFUSED });
      const server = await serveInvoices(page, 137);
      await open(page, '/invoices');
      await firstRow(page).waitFor();
      server.state = 'unreachable';
      await page.getByRole('button', { name: 'Next page' }).click();
      const alert = page.getByRole('alert');
      await alert.getByText(/^Invoices could not be loaded\. Last try \d+:\d\d/).waitFor();
      expect(await firstRow(page).innerText()).toContain('INV-1042');
      await expectAccessible(page);
      await picture(page, `invoices-failed-${name.replace(' ', '-')}`);
      server.state = 'answers';
      await alert.getByRole('button', { name: 'Retry' }).click();
      await page.getByText('11-20 of 137').waitFor();
      await alert.waitFor({ state: 'detached' });
    },
  );

  it.each(VIEWS)('of old data says since when, and that HubSpot is not answering (%s)', async (name, options) => {
    const page = await merchantPage({ ...options, timezoneId: 'America/Indiana/Indianapolis' });
    const server = await serveInvoices(page, 137);
    server.state = 'stale';
    await open(page, '/invoices');
    await page.getByText('HubSpot is not answering. Showing data from Mar 4, 2026, 5:41').waitFor();
    await firstRow(page).waitFor();
    await expectAccessible(page);
    await picture(page, `invoices-stale-${name.replace(' ', '-')}`);
  });

  it('that is still syncing shows its progress, and can be used meanwhile', async () => {
    const page = await merchantPage();
    const server = await serveInvoices(page, 137);
    server.state = 'copying';
    await open(page, '/invoices');
    const said = (count: string) => `Copying invoices from your CRM: ${count} of 100,000. You can already work.`;
    await page.getByText(said('12,400')).waitFor();
    await expectAccessible(page);
    await page.getByRole('columnheader', { name: 'Invoice Number' }).getByRole('button').click();
    await page.waitForURL(/sort=hs_number/);
    server.copied = 99_000;
    await page.getByText(said('99,000')).waitFor();
    server.state = 'answers';
    await page.getByText('You can already work.').waitFor({ state: 'detached' });
    const asked = server.calls.length;
    await page.waitForLoadState('networkidle');
    expect(server.calls.length).toBe(asked);
  });

  it('is emptied when the server cannot answer, and Customers shows the error', async () => {
    const page = await merchantPage({ expected: REFUSED });
    const invoices = await serveInvoices(page, 137);
    const customers = await serveCustomers(page, 44);
    await open(page, '/invoices');
    await firstRow(page).waitFor();
    invoices.state = 'refuses';
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('The CRM does not answer. Please try again.').waitFor();
    expect(await firstRow(page).count()).toBe(0);
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('heading', { name: 'Customers' }).waitFor();
    const alert = page.getByRole('alert');
    await alert.getByText('The CRM does not answer. Please try again.').waitFor();
    await page.getByRole('button', { name: 'Refresh Access Token' }).waitFor();
    await page.getByRole('button', { name: 'Logout' }).waitFor();
    await expectAccessible(page);
    expect(customers.calls).toEqual([]);
    await alert.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('1-10 of 44').waitFor();
  });

  it('of a session that has ended leads to the login after one renewal', async () => {
    const page = await merchantPage({ expected: REFUSED });
    const server = await serveInvoices(page, 137);
    await open(page, '/invoices');
    await firstRow(page).waitFor();
    const renewals: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/refresh-access-token')) renewals.push(request.url());
    });
    // Stub the logout so that the other tests keep their session.
    await page.route('**/logout', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Logged out</h1>' }));
    server.state = 'signed-out';
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('heading', { name: 'Logged out' }).waitFor();
    expect(renewals).toHaveLength(1);
  });
});

describe('a list of customers', () => {
  it.each(VIEWS)(
    'has name, email, phone and company, sorted and searched like invoices (%s)',
    async (name, options) => {
      const page = await merchantPage(options);
      const server = await serveCustomers(page, 44);
      const counts = { ...owedOf([]), customers: { all: 44, owes: 29, overdue: 0 } };
      await page.route('**/api/owed', (route) => route.fulfill({ json: counts }));
      const { closed, open: answer } = gate();
      server.hold = closed;
      await open(page, '/customers');
      await page.getByText('Loading...', { exact: true }).waitFor();
      server.hold = null;
      answer();
      await page.getByText('Ada Okafor 1', { exact: true }).waitFor();
      await page.getByText('(317) 555-1001').waitFor();
      await expectAccessible(page);
      await picture(page, `customers-${name.replace(' ', '-')}`);
      if (name.includes('desktop')) {
        for (const head of ['Name', 'Email', 'Phone', 'Company']) {
          await page.getByRole('columnheader', { name: head }).getByRole('button').click();
          await expect.poll(() => server.calls.at(-1)?.searchParams.get('sort')).toMatch(new RegExp(head, 'i'));
        }
      }
      await page.getByRole('searchbox').fill('brandt 13');
      await page.getByText('1-1 of 1').waitFor();
    },
  );

  it('that the server cannot answer shows the error and the way out', async () => {
    const page = await merchantPage({ expected: REFUSED });
    const server = await serveCustomers(page, 44);
    server.state = 'refuses';
    await open(page, '/customers');
    const alert = page.getByRole('alert');
    await alert.getByText('The CRM does not answer. Please try again.').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    server.state = 'answers';
    await page.getByRole('button', { name: 'Refresh Access Token' }).click();
    await page.getByText('Ada Okafor 1', { exact: true }).waitFor();
  });
});

describe('the code of a screen', () => {
  it('that cannot be loaded is reported as an error, and Retry loads it', async () => {
    const page = await merchantPage({ expected: REFUSED });
    await serveInvoices(page, 137);
    await page.route('**/InvoiceList.*.js', (route) => route.abort());
    await open(page, '/invoices');
    await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor();
    await page.getByText('This screen could not be loaded.').waitFor();
    await expectAccessible(page);
    await page.unroute('**/InvoiceList.*.js');
    await page.getByRole('button', { name: 'Retry' }).click();
    await firstRow(page).waitFor();
  });
});
