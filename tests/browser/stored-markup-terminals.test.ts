import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReconciliationView } from '#shared/contracts/payments/reconciliation';
import { useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { phone, useMerchant } from './merchant.ts';
import {
  BACK,
  clearDevices,
  counterInvoice,
  customerBox,
  device,
  idOf,
  invoiceSelect,
  PAID,
  proceed,
  touch,
  WAITING,
  waitForSaleText,
} from './terminals.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const IMG = '<img src=x onerror="canary=1">';
/** Reverses the text direction, so an amount after it would read backwards. */
const TURN = '\u202e';
const LONG = 'W'.repeat(300);

beforeEach(() => product.set({ auto_tap: false, terminal_timeout_ms: 120_000 }));
afterEach(() => clearDevices(product));

/** Opens a page on a phone without the content policy, which could hide a flaw. */
const openPhone = () => merchantPage({ ...phone, bypassCSP: true });

/** Expects the markup to show as text that runs nothing, loads nothing and keeps the layout. */
async function expectHarmless(page: Page, where: string): Promise<void> {
  await page.getByText(IMG).first().waitFor({ state: 'attached' });
  const harm = await page.evaluate(() => ({
    ran: Reflect.get(window, 'canary') !== undefined,
    images: document.querySelectorAll('img[src="x"], [onerror]').length,
    tooWide: [document.documentElement, ...document.querySelectorAll('dialog[open], [role=dialog]')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName }) => tagName),
  }));
  expect(harm, where).toEqual({ ran: false, images: 0, tooWide: [] });
}

describe('markup in names, numbers, reasons and notes', () => {
  it('is shown as text from the sale at the counter to its batch', { timeout: 120_000 }, async () => {
    const page = await openPhone();
    await page.goto(`${product.appUrl}/payments`);
    const number = `${IMG}${TURN}${crypto.randomUUID().slice(0, 8)}`;
    const shownNumber = number.replace(TURN, '');
    const invoice = await counterInvoice(page, product, {
      number,
      contact: { firstname: `${IMG}${TURN}${LONG}` },
      company: { name: `${IMG}${TURN}${LONG}` },
    });
    const lastName = invoice.customer.split(' ').at(-1) ?? '';
    await device(page).selectOption({ label: BACK });
    await customerBox(page).fill(lastName);
    const option = page.getByRole('option', { name: lastName });
    await option.waitFor();
    await expectHarmless(page, 'the choice of a customer');
    await option.click();
    await invoiceSelect(page).selectOption(invoice.invoiceId);
    expect(await invoiceSelect(page).locator('option:checked').innerText()).toContain(`${shownNumber} – $184.00, due`);
    await proceed(page).click();
    await waitForSaleText(page, WAITING);
    await expectHarmless(page, 'the sale');
    await touch(product, 'tap', BACK);
    await waitForSaleText(page, PAID);

    await page.goto(`${product.appUrl}/transactions?terminal=${idOf(BACK)}`);
    const row = page.getByRole('row').filter({ hasText: shownNumber });
    await row.getByRole('button', { name: 'Void' }).waitFor();
    await expectHarmless(page, 'transactions');
    await row.getByRole('button', { name: 'Void' }).click();
    const dialog = page.getByRole('dialog', { name: `Void the payment of ${shownNumber}?` });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill(`${IMG}${'W'.repeat(150)}`);
    await expectHarmless(page, 'the void');
    await dialog.getByRole('button', { name: 'Void $184.00' }).click();
    await page.getByText('Voided $184.00.').waitFor();
    await expectHarmless(page, 'the voided payment');
    expect(await page.locator('main').innerText()).not.toContain(TURN);
  });

  it('is shown as text on batches, in the dialog that closes a batch, and among payments to check', async () => {
    const page = await openPhone();
    const name = `${IMG}${LONG}`;
    const batch = {
      id: '4471',
      status: 'OPEN',
      terminal_name: name,
      'terminal-id': '1',
      settled: null,
      'date-opened': '2026-11-21T09:00:00.000Z',
      'sales-count': '1',
      'sales-total': '184.00',
      'refund-count': '0',
      'refund-total': '0.00',
      'net-amount': '184.00',
      'confirmation-code': name,
    };
    const serve = (path: RegExp, json: unknown) => page.route(path, (route) => route.fulfill({ json }));
    await serve(/\/api\/terminals$/, [{ terminal_id: '1', terminal_name: name }]);
    await serve(/\/1\/batches$/, { batch: [batch] });
    await serve(/\/1\/closing$/, {
      batch,
      unknown: [{ invoice_number: name, amount: '184.00', since: '2026-11-21T10:42:00.000Z' }],
      duplicates: [
        {
          amount: '71.10',
          'card-type': name,
          card: name,
          created: ['2026-11-21T10:02:00.000Z', '2026-11-21T10:06:00.000Z'],
        },
      ],
    });
    await page.goto(product.appUrl);
    await page.getByText('Batch 4471').waitFor();
    await expectHarmless(page, 'batches');
    await page.getByRole('button', { name: 'Close Batch' }).click();
    await page.getByRole('dialog').getByText('not confirmed yet').waitFor();
    await expectHarmless(page, 'the close of a batch');

    const note = `${IMG}${TURN}${LONG}`;
    const payment = {
      invoice_id: '1',
      invoice_number: name,
      customer: name,
      amount: '71.10',
      since: '2026-03-01T15:00:00.000Z',
    };
    const view: ReconciliationView = {
      checked_at: null,
      failing_since: null,
      to_check: { count: 1, amount: '1.00' },
      unknown: [],
      look_alikes: [],
      differences: [
        {
          id: name,
          verdict: 'only-gateway',
          type: name,
          at: null,
          amount: '50.00',
          ours: null,
          card: name,
          payer: name,
          customer: '',
          invoice: { id: '1', number: name },
        },
      ],
      undecided: [{ ...payment, payment_id: 'p1', held_for: 'unknown' }],
      frozen_parts: [],
      undecided_reversals: [
        {
          ...payment,
          reversal_id: 'r1',
          kind: 'refund',
          paid: '184.00',
          given_back: '0.00',
          reason: note,
          by: name,
          why: name,
        },
      ],
      resolved: [
        {
          id: 'd1',
          about: 'refund',
          invoice_number: name,
          amount: '20.00',
          verdict: 'happened',
          note,
          by: name,
          at: '2026-02-28T14:00:00.000Z',
        },
      ],
    };
    await serve(/\/api\/matching$/, view);
    await page.goto(`${product.appUrl}/checks`);
    await page.getByRole('button', { name: /^It did not happen/ }).click();
    await page.getByRole('dialog').getByLabel('Note').fill(note);
    await expectHarmless(page, 'payments to check');
  });

  it('is shown as text on the charts', async () => {
    const page = await openPhone();
    const quoted = JSON.stringify(IMG);
    const names = /"(terminal-name|name|first-name|last-name|payer|card-type)":"[^"]*"/g;
    await page.route(/\/api\/analytics/, async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      const comma = text.includes('"paymentMethods":{}') ? '' : ',';
      const body = text
        .replace(names, (_all, field: string) => `"${field}":${quoted}`)
        .replace('"paymentMethods":{', `"paymentMethods":{${quoted}:3${comma}`);
      await route.fulfill({ response, body });
    });
    await page.goto(`${product.appUrl}/analytics`);
    await expectHarmless(page, 'charts');
    // Lets all calls finish before the page closes.
    await page.waitForLoadState('networkidle');
  });
});
