import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectAccessible, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { readBookings } from '../whole/expect-money.ts';
import { logIn } from './merchant.ts';
import {
  BACK,
  clearDevices,
  closeOpenBatch,
  counterInvoice,
  idOf,
  PAID,
  sell,
  touch,
  WAITING,
  waitForSaleText,
} from './terminals.ts';

const product = useProduct();
const newPage = useBrowser();

beforeEach(() => product.set({ auto_tap: false, terminal_timeout_ms: 120_000 }));
afterEach(() => clearDevices(product));

/** Other tests check the states of a sale in both themes. */
const SALE = ['light'] as const;

/** Checks the current screen for accessibility, in dark and light. */
async function checkScreen(page: Page, themes: readonly ('light' | 'dark')[] = ['dark', 'light']): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
}

const takeAnother = (page: Page) => page.getByRole('button', { name: 'Take another payment' }).click();
const device = (page: Page) => page.getByRole('region', { name: BACK, exact: true });
const rowOf = (page: Page, number: string) => page.getByRole('row').filter({ hasText: number });

it('a day at the counter, from the first sale to the closed batch, leaves ledger and gateway equal to the cent', {
  timeout: 240_000,
}, async () => {
  const page = await newPage();
  await logIn(page, product.appUrl, product.account);
  await page.getByRole('button', { name: 'Accept' }).click();
  await closeOpenBatch(page, product, BACK);
  const [paidInvoice, voidedInvoice, cancelledInvoice, cutInvoice] = await Promise.all(
    ['184.00', '33.30', '120.00', '71.10'].map((amount) => counterInvoice(page, product, { amount })),
  );
  if (!paidInvoice || !voidedInvoice || !cancelledInvoice || !cutInvoice) throw new Error('an invoice is missing');

  await page.getByRole('banner').getByRole('link', { name: 'Take Payment' }).click();
  await sell(page, paidInvoice, BACK);
  await checkScreen(page, SALE);
  await touch(product, 'tap', BACK);
  await waitForSaleText(page, PAID);
  await checkScreen(page, SALE);
  await takeAnother(page);

  await sell(page, voidedInvoice, BACK);
  await touch(product, 'decline', BACK);
  await waitForSaleText(page, 'Declined. Not charged');
  await checkScreen(page, SALE);
  await page.getByRole('button', { name: `Try again on ${BACK}` }).click();
  await waitForSaleText(page, WAITING);
  await touch(product, 'tap', BACK);
  await waitForSaleText(page, PAID);
  await takeAnother(page);

  await sell(page, cancelledInvoice, BACK);
  await touch(product, 'cancel', BACK);
  await waitForSaleText(page, 'Cancelled. Nothing was charged.');
  await checkScreen(page, SALE);
  await takeAnother(page);

  // The connection breaks before the card is tapped, so only the gateway knows the outcome.
  const soldFrom = Date.now();
  await sell(page, cutInvoice, BACK);
  await touch(product, 'cut', BACK);
  await waitForSaleText(page, 'Not known yet');
  await checkScreen(page, SALE);
  await touch(product, 'tap', BACK);
  await waitForSaleText(page, PAID);
  const [charge, ...otherCharges] = await product.charges(cutInvoice.number);
  expect(otherCharges).toEqual([]);
  expect((await readBookings(product, cutInvoice)).attempts).toMatchObject([
    { id: charge?.order_id, state: 'approved' },
  ]);
  const requests = await product.sandbox<{ method: string; path: string }[]>(`requests?since=${soldFrom}`);
  const wire = requests.map(({ method, path }) => `${method} ${path}`);
  // Only the interrupted sale, which may reach the gateway after the screen shows that it waits.
  expect(wire.filter((line) => line === 'POST /rest/v2/terminal/transactions/sale')).toHaveLength(1);
  expect(wire).toContain('GET /rest/v2/transactions');

  await page.goto(product.appUrl);
  await device(page).getByRole('link', { name: 'More Details' }).click();
  await rowOf(page, voidedInvoice.number).getByRole('button', { name: 'Void' }).click();
  const voidDialog = page.getByRole('dialog', { name: `Void the payment of ${voidedInvoice.number}?` });
  await voidDialog.getByRole('textbox', { name: 'Reason' }).fill('Appointment cancelled');
  await checkScreen(page);
  await voidDialog.getByRole('button', { name: 'Void $33.30' }).click();
  await page.getByText('Voided $33.30.').waitFor();
  await rowOf(page, voidedInvoice.number).getByText('This payment was voided.').waitFor();
  await checkScreen(page);

  await page.getByRole('link', { name: 'Batches Dashboard' }).first().click();
  await device(page).getByRole('button', { name: 'Close Batch' }).click();
  const closeDialog = page.getByRole('dialog', { name: new RegExp(`^Close batch \\d+ on ${BACK}\\?$`) });
  const batchId = /\d+/.exec(await closeDialog.getByRole('heading').innerText())?.[0] ?? '';
  expect(await closeDialog.innerText()).toContain('2 sales, 0 refunds, net $255.10.');
  await checkScreen(page);
  await closeDialog.getByRole('button', { name: 'Close Batch' }).click();
  const notice = page.getByText(`Batch ${batchId} is closed. Confirmation CONF`);
  await notice.waitFor();
  const code = /CONF\w+/.exec(await notice.innerText())?.[0] ?? '';
  await checkScreen(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Export CSV of batch ${batchId}` }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n').slice(1, -1);
  expect(lines.every((line) => line.startsWith(`"${batchId}","${code}",`))).toBe(true);
  const lineOf = (number: string, type: string) =>
    lines.filter((line) => line.includes(`,"${number}",`) && line.includes(`"${type}"`));
  expect(lineOf(paidInvoice.number, 'SALE')[0]).toContain('"184.00","SALE","APPROVED"');
  expect(lineOf(cutInvoice.number, 'SALE')[0]).toContain('"71.10","SALE","APPROVED"');
  expect(lineOf(voidedInvoice.number, 'SALE (voided)')).toHaveLength(1);

  await page.goto(`${product.appUrl}/transactions?terminal=${idOf(BACK)}&batch=${batchId}`);
  const match = page.getByRole('region', { name: 'Checked against our books' });
  await match.getByText('Net').waitFor();
  expect(await match.getByText('Agrees').count()).toBe(3);
  await checkScreen(page);

  await rowOf(page, paidInvoice.number).getByRole('button', { name: 'Refund' }).click();
  const refundDialog = page.getByRole('dialog', { name: `Refund ${paidInvoice.number}?` });
  await refundDialog.getByRole('textbox', { name: 'Amount' }).fill('50.00');
  await refundDialog.getByRole('textbox', { name: 'Reason' }).fill('Billed twice');
  await checkScreen(page);
  await refundDialog.getByRole('button', { name: 'Refund $50.00' }).click();
  await page.getByText('Refunded $50.00.').waitFor();
  await checkScreen(page);

  const cents = async (invoice: typeof paidInvoice) => {
    const charges = (await product.charges(invoice.number)).filter(({ result }) => result === 'APPROVED');
    const atGateway = charges.reduce(
      (sum, { type, amount }) => sum + Math.round(Number(amount) * 100) * (type === 'SALE' ? 1 : -1),
      0,
    );
    const { ledger } = await readBookings(product, invoice);
    return [ledger.reduce((sum, { amount_cents }) => sum + amount_cents, 0), atGateway];
  };
  expect(await Promise.all([paidInvoice, voidedInvoice, cancelledInvoice, cutInvoice].map(cents))).toEqual([
    [13_400, 13_400],
    [0, 0],
    [0, 0],
    [7_110, 7_110],
  ]);
});
