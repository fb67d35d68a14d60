import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectAccessible, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { booked } from '../whole/books.ts';
import { logIn } from './merchant.ts';
import {
  BACK,
  clearDevices,
  closeLeftOver,
  counterInvoice,
  idOf,
  PAID,
  says,
  sell,
  touch,
  WAITING,
} from './terminals.ts';

const product = useProduct();
const newPage = useBrowser();

beforeEach(() => product.set({ auto_tap: false, terminal_timeout_ms: 120_000 }));
afterEach(() => clearDevices(product));

/** Other tests check the states of a sale in both themes. */
const SALE = ['light'] as const;

/** Checks the current screen for accessibility, in dark and light. */
async function look(page: Page, themes: readonly ('light' | 'dark')[] = ['dark', 'light']): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
}

const next = (page: Page) => page.getByRole('button', { name: 'Take another payment' }).click();
const device = (page: Page) => page.getByRole('region', { name: BACK, exact: true });
const rowOf = (page: Page, number: string) => page.getByRole('row').filter({ hasText: number });

it('a day at the counter, from the first sale to the closed batch, leaves ledger and gateway equal to the cent', {
  timeout: 240_000,
}, async () => {
  const page = await newPage();
  await logIn(page, product.appUrl, product.account);
  await page.getByRole('button', { name: 'Accept' }).click();
  await closeLeftOver(page, product, BACK);
  const [kept, voided, left, lost] = await Promise.all(
    ['184.00', '33.30', '120.00', '71.10'].map((amount) => counterInvoice(page, product, { amount })),
  );
  if (!kept || !voided || !left || !lost) throw new Error('an invoice is missing');

  await page.getByRole('banner').getByRole('link', { name: 'Take Payment' }).click();
  await sell(page, kept, BACK);
  await look(page, SALE);
  await touch(product, 'tap', BACK);
  await says(page, PAID);
  await look(page, SALE);
  await next(page);

  await sell(page, voided, BACK);
  await touch(product, 'decline', BACK);
  await says(page, 'Declined. Not charged');
  await look(page, SALE);
  await page.getByRole('button', { name: `Try again on ${BACK}` }).click();
  await says(page, WAITING);
  await touch(product, 'tap', BACK);
  await says(page, PAID);
  await next(page);

  await sell(page, left, BACK);
  await touch(product, 'cancel', BACK);
  await says(page, 'Cancelled. Nothing was charged.');
  await look(page, SALE);
  await next(page);

  // The connection ends while the customer still looks for the card, so only the gateway knows the outcome.
  const soldFrom = Date.now();
  await sell(page, lost, BACK);
  await touch(product, 'cut', BACK);
  await says(page, 'Not known yet');
  await look(page, SALE);
  await touch(product, 'tap', BACK);
  await says(page, PAID);
  const [charge, ...more] = await product.charges(lost.number);
  expect(more).toEqual([]);
  expect((await booked(product, lost)).attempts).toMatchObject([{ id: charge?.order_id, state: 'approved' }]);
  const requests = await product.sandbox<{ method: string; path: string }[]>(`requests?since=${soldFrom}`);
  const wire = requests.map(({ method, path }) => `${method} ${path}`);
  // The sale that was cut, and no other. It may reach the gateway after the screen says that it waits.
  expect(wire.filter((line) => line === 'POST /rest/v2/terminal/transactions/sale')).toHaveLength(1);
  expect(wire).toContain('GET /rest/v2/transactions');

  await page.goto(product.appUrl);
  await device(page).getByRole('link', { name: 'More Details' }).click();
  await rowOf(page, voided.number).getByRole('button', { name: 'Void' }).click();
  const asked = page.getByRole('dialog', { name: `Void the payment of ${voided.number}?` });
  await asked.getByRole('textbox', { name: 'Reason' }).fill('Appointment cancelled');
  await look(page);
  await asked.getByRole('button', { name: 'Void $33.30' }).click();
  await page.getByText('Voided $33.30.').waitFor();
  await rowOf(page, voided.number).getByText('This payment was voided.').waitFor();
  await look(page);

  await page.getByRole('link', { name: 'Batches Dashboard' }).first().click();
  await device(page).getByRole('button', { name: 'Close Batch' }).click();
  const closing = page.getByRole('dialog', { name: new RegExp(`^Close batch \\d+ on ${BACK}\\?$`) });
  const batchId = /\d+/.exec(await closing.getByRole('heading').innerText())?.[0] ?? '';
  expect(await closing.innerText()).toContain('2 sales, 0 refunds, net $255.10.');
  await look(page);
  await closing.getByRole('button', { name: 'Close Batch' }).click();
  const notice = page.getByText(`Batch ${batchId} is closed. Confirmation CONF`);
  await notice.waitFor();
  const code = /CONF\w+/.exec(await notice.innerText())?.[0] ?? '';
  await look(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Export CSV of batch ${batchId}` }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n').slice(1, -1);
  expect(lines.every((line) => line.startsWith(`"${batchId}","${code}",`))).toBe(true);
  const lineOf = (number: string, type: string) =>
    lines.filter((line) => line.includes(`,"${number}",`) && line.includes(`"${type}"`));
  expect(lineOf(kept.number, 'SALE')[0]).toContain('"184.00","SALE","APPROVED"');
  expect(lineOf(lost.number, 'SALE')[0]).toContain('"71.10","SALE","APPROVED"');
  expect(lineOf(voided.number, 'SALE (voided)')).toHaveLength(1);

  await page.goto(`${product.appUrl}/transactions?terminal=${idOf(BACK)}&batch=${batchId}`);
  const match = page.getByRole('region', { name: 'Checked against our books' });
  await match.getByText('Net').waitFor();
  expect(await match.getByText('Agrees').count()).toBe(3);
  await look(page);

  await rowOf(page, kept.number).getByRole('button', { name: 'Refund' }).click();
  const giving = page.getByRole('dialog', { name: `Refund ${kept.number}?` });
  await giving.getByRole('textbox', { name: 'Amount' }).fill('50.00');
  await giving.getByRole('textbox', { name: 'Reason' }).fill('Billed twice');
  await look(page);
  await giving.getByRole('button', { name: 'Refund $50.00' }).click();
  await page.getByText('Refunded $50.00.').waitFor();
  await look(page);

  const cents = async (of: typeof kept) => {
    const charges = (await product.charges(of.number)).filter(({ result }) => result === 'APPROVED');
    const atGateway = charges.reduce(
      (sum, { type, amount }) => sum + Math.round(Number(amount) * 100) * (type === 'SALE' ? 1 : -1),
      0,
    );
    const { ledger } = await booked(product, of);
    return [ledger.reduce((sum, { amount_cents }) => sum + amount_cents, 0), atGateway];
  };
  expect(await Promise.all([kept, voided, left, lost].map(cents))).toEqual([
    [13_400, 13_400],
    [0, 0],
    [0, 0],
    [7_110, 7_110],
  ]);
});
