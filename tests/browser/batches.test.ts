import { readFile } from 'node:fs/promises';
import type { Locator, Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { until, useProduct } from '#tests/support/product/product';
import { counterTerminal, onlineTerminal } from '#tests/support/wire';
import { phone, useMerchant, VIEWS } from './merchant.ts';
import { openBatch } from './terminals.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
const online = onlineTerminal();
const desk = counterTerminal();
const REFUSED = /Failed to load resource|^Failed to /;

/** Pays a new invoice through its pay link. The invoice number is unique. */
async function paidInvoice(amount = '184.00') {
  const link = await product.makeLink({ amount });
  const response = await product.pay(link.payId, await product.form());
  expect(response.status).toBe(200);
  return link;
}

const sectionOf = (page: Page, name = online.name) => page.getByRole('region', { name, exact: true });
const rowOf = (page: Page, number: string) => page.getByRole('row').filter({ hasText: number });
const expectNoSidewaysScroll = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);

describe('the batches dashboard', () => {
  it.each(VIEWS)('lists batches by device with all gateway details (%s)', async (name, options) => {
    const page = await merchantPage(options);
    await openBatch(page, product, desk.name);
    await page.goto(product.appUrl);
    await page.getByRole('heading', { name: 'Batches Dashboard', level: 2 }).waitFor();
    const section = sectionOf(page, desk.name);
    const card = section.getByRole('listitem').filter({ hasText: 'Settled' }).first();
    await card.waitFor();
    const text = (await card.innerText()).replace(/\s+/g, ' ');
    for (const part of [
      /Batch \d+/,
      /\$[\d,]+\.\d\d Net amount/,
      /Sales \d+ \$[\d,]+\.\d\d/,
      /Refunds \d+ minus −\$[\d,]+\.\d\d/,
    ])
      expect(text).toMatch(part);
    for (const part of ['Opened', 'Settled', 'Confirmation code CONF', desk.name, desk.terminalId])
      expect(text).toContain(part);
    expect(await section.getByRole('listitem').filter({ hasText: 'Open' }).first().innerText()).not.toContain(
      'Confirmation',
    );
    await page.waitForLoadState('networkidle');
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await picture(page, `batches-${name.replace(' ', '-')}`);
  });

  it.each([1280, 1400, 1920])(
    'stacks the batches at a width of %s px, at first four, with the open batch largest',
    async (width) => {
      const page = await merchantPage({ viewport: { width, height: 900 } });
      await page.route(`**/api/terminals/${desk.terminalId}/batches`, async (route) => {
        const response = await route.fetch();
        const { batch } = (await response.json()) as { batch: { id: string }[] };
        const batches = Array.from({ length: 11 }, (_, at) => ({
          ...batch.at(-1),
          id: String(7000 + at),
          status: at === 0 ? 'OPEN' : 'CLOSED',
        }));
        await route.fulfill({ response, json: { batch: batches } });
      });
      await page.goto(product.appUrl);
      const cards = sectionOf(page, desk.name)
        .getByRole('list', { name: /^Batches of/ })
        .locator('> li');
      await sectionOf(page, desk.name).getByRole('button', { name: 'Show all 11 batches' }).waitFor();
      const boxes = await cards.evaluateAll((all) =>
        all.map((card) => card.getBoundingClientRect().toJSON() as DOMRect),
      );
      expect(boxes).toHaveLength(4);
      for (const [at, { left, height }] of boxes.slice(1).entries()) {
        expect(left).toBe(boxes[0]?.left);
        expect(height).toBeLessThan(0.7 * (boxes[0]?.height ?? 0));
        expect(boxes[at + 1]?.top).toBe(boxes[at]?.bottom);
      }
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    },
  );

  it('shows the open and the latest settled batch on a phone, and earlier batches after one tap', async () => {
    const page = await merchantPage(phone);
    await page.route(`**/api/terminals/${desk.terminalId}/batches`, async (route) => {
      const response = await route.fetch();
      const { batch } = (await response.json()) as { batch: { id: string; status: string }[] };
      const batchOf = (status: string, at: number) => ({ ...batch.at(-1), id: String(7000 - at), status });
      const batches = Array.from({ length: 11 }, (_, at) => batchOf(at === 0 ? 'OPEN' : 'CLOSED', at));
      await route.fulfill({ response, json: { batch: batches } });
    });
    await page.goto(product.appUrl);
    const section = sectionOf(page, desk.name);
    const batchNames = () => section.getByRole('heading', { name: /^Batch / }).allInnerTexts();
    await section.getByText('Earlier batches').waitFor();
    expect(await batchNames()).toEqual(['Batch 7000', 'Batch 6999']);
    await expectAccessible(page);
    await section.getByText('Earlier batches').tap();
    await section.getByRole('heading', { name: 'Batch 6998' }).waitFor();
    expect(await batchNames()).toHaveLength(6);
    await section.getByRole('button', { name: 'Show all 9 batches' }).tap();
    await section.getByRole('heading', { name: 'Batch 6990' }).waitFor();
    await expectNoSidewaysScroll(page);
  });

  it.each(VIEWS)('shows sortable transactions, selectable by batch (%s)', async (name, options) => {
    const page = await merchantPage(options);
    await page.goto(product.appUrl);
    await sectionOf(page, desk.name).getByRole('link', { name: 'More Details' }).click();
    await page.getByRole('heading', { name: `Transactions of ${desk.name}` }).waitFor();
    const picker = page.getByRole('combobox', { name: 'Batch' });
    await picker.waitFor();
    const labels = await picker.getByRole('option').allInnerTexts();
    expect(labels[0]).toMatch(/^\d+, opened \w{3} \d+, \d{4}/);
    await picker.selectOption({ index: 1 });
    await page.getByText('CONF').first().waitFor();
    await page.getByRole('row').nth(2).waitFor();
    expect(new URL(page.url()).searchParams.get('batch')).toBe(labels[1]?.split(',')[0]);
    if (!name.includes('phone')) {
      const heads = await page.getByRole('columnheader').allInnerTexts();
      expect(heads).toEqual(['ID', 'Amount', 'Type', 'Result', 'Card', 'Name', 'Date', 'Payment']);
      await page.getByRole('button', { name: 'Amount' }).click();
      const amounts = await page.locator('tbody td.at-amount').allInnerTexts();
      const cents = amounts.map((amount) => Number(amount.replace(/minus|[^\d.−]/g, '').replace('−', '-')));
      expect(cents).toEqual([...cents].sort((a, b) => b - a));
    }
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await picture(page, `transactions-${name.replace(' ', '-')}`);
  });

  it('closes a batch after confirmation, reloads the list, and exports it with the confirmation code', async () => {
    const { number } = await paidInvoice('71.10');
    const page = await merchantPage();
    await page.goto(product.appUrl);
    const section = sectionOf(page);
    const open = section.getByRole('listitem').filter({ hasText: 'Open' }).first();
    const batchId = /Batch (\d+)/.exec(await open.innerText())?.[1] ?? '';
    await section.getByRole('button', { name: 'Close Batch' }).click();
    const dialog = page.getByRole('dialog', { name: `Close batch ${batchId} on ${online.name}?` });
    expect(await dialog.innerText()).toMatch(/\d+ sales?, \d+ refunds?, net \$[\d,]+\.\d\d/);
    await picture(page, 'close-batch');
    const closings: Request[] = [];
    const reads: Request[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/batches/close?')) closings.push(request);
      if (/\/api\/terminals$/.test(request.url())) reads.push(request);
    });
    await dialog.getByRole('button', { name: 'Close Batch' }).click();
    await page.getByText(`Batch ${batchId} is closed. Confirmation CONF`).waitFor();
    await expect.poll(() => reads.length).toBe(1);
    await section
      .getByRole('listitem')
      .filter({ hasText: `Batch ${batchId}` })
      .getByText('Confirmation code')
      .waitFor();
    // The provider needs two seconds to show the batch as closed. The times come from the browser, because events
    // reach the test late; a request has its times once it is answered.
    await Promise.all([closings[0]?.response(), reads[0]?.response()]);
    const [closing, read] = [closings[0]?.timing(), reads[0]?.timing()];
    if (!closing || !read) throw new Error('the batch was not closed and read again');
    expect(closing.responseStart).toBeGreaterThan(0);
    expect(read.startTime - closing.startTime - closing.responseStart).toBeGreaterThanOrEqual(1950);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    expect(download.suggestedFilename()).toBe(`batch-${batchId}.csv`);
    expect(csv.split('\r\n').find((line) => line.includes(number))).toMatch(
      new RegExp(`^"${batchId}","CONF[^"]+","[^"]+","\\d+","71.10","SALE","APPROVED"`),
    );
    await expectAccessible(page);
    await picture(page, 'batch-closed');
  });
});

describe('a reversal', () => {
  it('voids the payment while the batch is open, and closes the link until the invoice is reopened', async () => {
    const { number, invoiceId, address, email, payId } = await paidInvoice();
    const page = await merchantPage({ expected: REFUSED });
    await page.goto(`${product.appUrl}/transactions?terminal=${online.terminalId}`);
    const row = rowOf(page, number);
    await row.getByRole('button', { name: 'Void' }).waitFor();
    expect(await row.getByRole('button', { name: 'Refund' }).count()).toBe(0);
    await row.getByRole('button', { name: 'Void' }).click();
    const dialog = page.getByRole('dialog', { name: `Void the payment of ${number}?` });
    await dialog.getByRole('button', { name: 'Void $184.00' }).click();
    await dialog.getByText('Please give a reason.').waitFor();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Appointment cancelled');
    await picture(page, 'void-dialog');
    await dialog.getByRole('button', { name: 'Void $184.00' }).click();
    await page.getByText('Voided $184.00.').waitFor();
    await row.getByText('This payment was voided.').waitFor();
    expect((await product.charges(number)).map(({ type }) => type)).toEqual(['SALE', 'VOID']);
    await until(
      () => product.mailTo(email),
      (mails) => mails.some(({ text }) => text.includes('Voided')),
    );

    const payer = await newPage();
    await payer.goto(address);
    await payer.getByRole('heading', { name: 'Your payment of this invoice was voided.' }).waitFor();
    await picture(payer, 'pay-voided');
    expect((await product.pay(payId, await product.form())).status).toBe(409);

    await page.goto(`${product.appUrl}/invoice/${invoiceId}`);
    await page.getByText('Voided', { exact: true }).first().waitFor();
    await expectAccessible(page);
    await picture(page, 'preview-voided');
    await page.getByRole('button', { name: 'Collect again' }).click();
    await page.getByText(`${number} can be paid again.`).waitFor();
    expect((await product.pay(payId, await product.form())).status).toBe(200);
  });

  it('refunds part of a payment from the invoice once the batch is closed', async () => {
    const { number, invoiceId, address } = await paidInvoice();
    const page = await merchantPage({ expected: REFUSED, ...phone });
    await page.goto(product.appUrl);
    await sectionOf(page).getByRole('button', { name: 'Close Batch' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close Batch' }).click();
    await page.getByText(/is closed. Confirmation/).waitFor();

    await page.goto(`${product.appUrl}/invoice/${invoiceId}`);
    await page.getByRole('button', { name: 'Void or refund' }).click();
    const dialog = page.getByRole('dialog', { name: `Refund ${number}?` });
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('184.01');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Billed twice');
    await dialog.getByRole('button', { name: 'Refund' }).click();
    await dialog.getByText('Up to $184.00 is left of this payment.').waitFor();
    await expectAccessible(page);
    await picture(page, 'refund-dialog-phone');
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('71.10');
    // The gateway refunds but its answer is lost, so the product inquires instead of repeating the refund.
    await product.fault('/rest/v2/transactions', 'drop-after');
    await dialog.getByRole('button', { name: 'Refund $71.10' }).click();
    await page.getByText('Refunded $71.10.').waitFor();
    expect((await product.charges(number)).map(({ type, amount }) => [type, amount])).toEqual([
      ['SALE', '184.00'],
      ['REFUND', '71.10'],
    ]);
    await page.getByRole('button', { name: 'Void or refund' }).click();
    await page.getByRole('dialog').getByText('$112.90 is left of this payment.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    const receipt = await page.getByRole('link', { name: 'View receipt' }).getAttribute('href');
    const payer = await newPage();
    await payer.goto(receipt ?? '');
    await payer.getByText('Partly refunded').waitFor();
    await payer.goto(address);
    await payer.getByText('This invoice is already paid.').waitFor();
  });

  it('shows a refund on the invoice after two clicks and in its batch after three', async () => {
    const { number, invoiceId } = await paidInvoice();
    const page = await merchantPage();
    await page.goto(product.appUrl);
    await sectionOf(page).getByRole('button', { name: 'Close Batch' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close Batch' }).click();
    await page.getByText(/is closed. Confirmation/).waitFor();
    await page.goto(`${product.appUrl}/invoice/${invoiceId}`);

    let presses = 0;
    const press = async (target: Locator) => {
      presses++;
      await target.click();
    };
    await press(page.getByRole('button', { name: 'Void or refund' }));
    const dialog = page.getByRole('dialog', { name: `Refund ${number}?` });
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('71.10');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Billed twice');
    await press(dialog.getByRole('button', { name: 'Refund $71.10' }));
    await page.getByText('Refunded $71.10.').waitFor();
    await page.getByRole('list', { name: 'Life of this invoice' }).getByText('Partly refunded').waitFor();
    expect(presses).toBe(2);
    // The refund is not in the later batch of the same terminal.
    const colleague = await merchantPage();
    await colleague.goto(product.appUrl);
    await sectionOf(colleague).getByRole('button', { name: 'Close Batch' }).click();
    await colleague.getByRole('dialog').getByRole('button', { name: 'Close Batch' }).click();
    await colleague.getByText(/is closed. Confirmation/).waitFor();
    await paidInvoice();
    await press(page.getByRole('link', { name: 'The batch of the refund' }));
    await rowOf(page, number).filter({ hasText: 'REFUND' }).getByText('71.10').waitFor();
    expect(presses).toBe(3);
  });
});
