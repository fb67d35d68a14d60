import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type PageOptions, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { type Changes, servePreview } from '#tests/support/servers/preview-server';
import { useMerchant } from './merchant.ts';
import { expectGood, expectText, heading } from './payer.ts';

const product = useProduct();
const merchantPage = useMerchant(useBrowser(), product.appUrl);
const ID = '900';

/** A merchant on the preview of an invoice with these changes. */
async function open(changes: Changes = {}, options: PageOptions = {}) {
  const page = await merchantPage(options);
  const server = await servePreview(page, ID, changes);
  const show = () => page.goto(`${product.appUrl}/invoice/${ID}`);
  return { page, server, show };
}

const saveButton = (page: Page) => page.getByRole('button', { name: 'Save Invoice' });

const rowsOf = async (page: Page) => {
  const rows = await page.getByRole('table', { name: 'Line items' }).getByRole('row').all();
  return Promise.all(
    rows.map(async (row) => (await row.locator('th, td').allInnerTexts()).map((text) => text.trim()).join(' | ')),
  );
};

const gridOf = async (page: Page) => {
  const cells = await page.locator('.preview-grid > div').all();
  const pairs = cells.map(async (cell) => [await cell.locator('dt').innerText(), await cell.locator('dd').innerText()]);
  return Object.fromEntries(await Promise.all(pairs));
};

describe('the preview of an invoice', () => {
  it('shows who bills whom, each line as price times quantity, and the sum', async () => {
    const { page, show } = await open();
    await show();
    await saveButton(page).waitFor();
    expect(await heading(page, 'INV-1042').count()).toBe(1);
    expect(await page.title()).toContain('INV-1042');
    await expectText(
      page.locator('.preview-clinic'),
      /^Maple Street Dental 12 Maple Street .* 317-555-0100 Invoice INV-1042$/,
    );
    expect(await rowsOf(page)).toEqual([
      'Product | Amount | Quantity | Total',
      'Cleaning | $92.00 | 2 | $184.00',
      'Fluoride treatment | $36.50 | 1 | $36.50',
      'Total | $220.50',
    ]);
    expect(await gridOf(page)).toEqual({
      'Bill to': 'Marta Núñez',
      'Invoice number': 'INV-1042',
      'Invoice date': 'Mar 1, 2026',
      'Payment method': 'N/A',
      'Payment date': 'N/A',
      'Paid via': 'N/A',
      'Transaction id': 'N/A',
      'Receipt id': 'N/A',
      Address: '4 Elm St, Carmel, IN 46032',
    });
    await page.getByText('Thank you. Please call us').waitFor();
    expect(await page.getByText('do not add up').count()).toBe(0);
    await expectGood(page, 'preview');
  });

  it('says whose name, address and phone are missing, and N/A for the rest', async () => {
    const { page, show } = await open({
      properties: {
        ...{ clinic_name: '', clinic_address: '', clinic_phone: '', customer_name: '', customer_address: '' },
        ...{ hs_number: '', hs_invoice_date: null, hs_createdate: null, hs_due_date: null },
      },
      // The server adds up no line to nothing.
      ...{ lines: [], lines_match: false },
    });
    await show();
    await saveButton(page).waitFor();
    for (const label of ['Customer Name', 'Customer Address', 'Customer Phone']) {
      await page.getByText(label, { exact: true }).waitFor();
    }
    expect(new Set(Object.values(await gridOf(page)))).toEqual(new Set(['N/A']));
    expect((await rowsOf(page)).slice(1)).toEqual(['No line items in HubSpot', 'Total | $220.50']);
    expect(await page.getByText('do not add up').count()).toBe(0);
    await expectGood(page, 'preview-empty');
  });

  it('warns quietly where the lines do not add up, and shows both sums on paper too', async () => {
    const { page, show } = await open({
      lines_match: false,
      properties: { hs_number: 'INV-1042-a-number-that-somebody-has-made-far-too-long-for-any-line' },
      lines: [
        {
          name: 'A treatment whose name goes on for more than the fifty characters of a cell',
          amount: '9999999.99',
          quantity: '1',
        },
        { name: '', amount: null, quantity: null },
        { name: 'Third of a hundred', amount: '33.333333', quantity: '3' },
        { name: 'Discount', amount: '-0.10', quantity: '3' },
      ],
    });
    await show();
    await expectText(
      page.locator('.banner-warn'),
      'The lines do not add up to the billed amount. HubSpot billed $220.50, and that is what counts; the lines come to $10,000,099.69. The rest is a tax, fee or discount on the whole invoice, or a line to correct in HubSpot.',
    );
    expect((await rowsOf(page)).slice(2)).toEqual([
      'N/A | N/A | 1 | N/A',
      'Third of a hundred | $33.333333 | 3 | $100.00',
      'Discount | −$0.10 | 3 | −$0.30',
      'Total | $10,000,099.69',
      'Amount billed | $220.50',
    ]);
    await expectGood(page, 'preview-mismatch');
  });

  it('shows text from the CRM as text', async () => {
    const markup = '<img src=x onerror="document.title=1">';
    const { page, show } = await open({
      properties: { clinic_name: markup, customer_name: markup },
      lines: [{ name: markup, amount: '1.00', quantity: '1' }],
      footer_text: markup,
    });
    await show();
    await saveButton(page).waitFor();
    expect(await page.getByText(markup, { exact: true }).count()).toBe(4);
    expect(await page.locator('main img').count()).toBe(0);
  });

  it('says that it loads, why it could not, and tries again when asked to', async () => {
    const { page, server, show } = await open({}, { expected: /503/ });
    let release = () => {};
    server.hold = new Promise((resolve) => {
      release = resolve;
    });
    await show();
    await page.getByText('Loading invoice...').waitFor();
    await expectGood(page, 'preview-loading');
    server.refusal = {
      on: /^GET/,
      status: 503,
      code: 'crm-unavailable',
      message: 'The CRM is not answering. Please try again.',
    };
    server.hold = null;
    release();
    await page.getByText('The invoice could not be loaded.').waitFor();
    await page.getByText('The CRM is not answering. Please try again.').waitFor();
    await expectGood(page, 'preview-failed');
    server.refusal = null;
    await page.getByRole('button', { name: 'Retry' }).click();
    await saveButton(page).waitFor();
  });

  it("says 'No invoice data available.' where there is none", async () => {
    const { page, server, show } = await open({}, { expected: /404/ });
    server.invoice = null;
    await show();
    await page.getByText('No invoice data available.').waitFor();
    await expectGood(page, 'preview-missing');
    await page.getByRole('main').getByRole('link', { name: 'Go to the invoices' }).click();
    await page.waitForURL(`${product.appUrl}/invoices`);
  });

  it('shows the age of its data while the CRM does not answer', async () => {
    const { page, server, show } = await open();
    server.headers = { 'x-data-stale': 'true', 'x-data-as-of': '2026-03-04T15:42:00Z' };
    await show();
    await page.getByText('HubSpot is not answering.').waitFor();
    await page.getByText('No payment can be taken and no email sent until it answers: press Retry.').waitFor();
    await page.getByText('Showing data from Mar 4, 2026.').waitFor();
    await expectGood(page, 'preview-stale');
    server.headers = {};
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('HubSpot is not answering.').waitFor({ state: 'detached' });
  });

  it('says by which act the payer signed, and when', async () => {
    const words = 'I am Ivy Whitfield and sign this payment';
    const { page, show } = await open({ payer_signature: { kind: 'ticked', words, at: '2026-03-04T15:42:00Z' } });
    await show();
    const fold = page.locator('.preview-fold').filter({ hasText: 'Signature' });
    await fold.getByText(/^Signature by the payer, Mar 4/).click();
    await fold.getByText(/^The payer ticked “I am Ivy Whitfield and sign this payment”, .*Mar 4.*\.$/).waitFor();
  });

  it('prints one sheet, dark on white, with nothing on it to press', async () => {
    const { page, server, show } = await open({ signature_saved_at: '2026-03-04T15:42:00Z' }, { theme: 'dark' });
    server.signature =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==';
    await show();
    await page.getByAltText('Your signature').waitFor({ state: 'attached' });
    await page.emulateMedia({ media: 'print' });
    for (const role of ['button', 'link', 'navigation', 'contentinfo', 'status'] as const) {
      const shown = await page.getByRole(role).filter({ visible: true }).allInnerTexts();
      expect(
        shown.filter((text) => text.trim() !== ''),
        role,
      ).toEqual([]);
    }
    await expect.poll(() => page.getByAltText('Your signature').isVisible()).toBe(true);
    const colours = await page
      .locator('.preview-sheet')
      .evaluate((sheet) => [
        getComputedStyle(sheet).color,
        getComputedStyle(sheet).backgroundColor,
        getComputedStyle(document.documentElement).backgroundColor,
      ]);
    expect(colours).toEqual(['rgb(0, 0, 0)', 'rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)']);
    for (const format of ['A4', 'Letter']) {
      const pdf = (await page.pdf({ format })).toString('latin1');
      expect(pdf.match(/\/Type\s*\/Page\b/g), format).toHaveLength(1);
    }
  });

  it('returns by Cancel to the screen before, and to the invoices when it was opened by its address', async () => {
    const { page, show } = await open();
    await page.goto(`${product.appUrl}/userinfo`);
    await show();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(`${product.appUrl}/userinfo`);
    const other = await page.context().newPage();
    await servePreview(other, ID);
    await other.goto(`${product.appUrl}/invoice/${ID}`);
    await other.getByRole('button', { name: 'Cancel' }).click();
    await other.waitForURL(`${product.appUrl}/invoices`);
  });
});
