import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { type Language, languages, locales } from '#shared/words/language';
import { withStyle } from '#tests/support/browser/beyond-axe';
import { PHONE, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { SECRET_HEADER, SETTINGS_HEADER } from '#tests/support/product/remote-database';
import { sql } from '../whole/books.ts';
import { outOfSight, wrongInAnySize } from './every-size.ts';
import { openInvoice } from './in-parts.ts';
import { useMerchant } from './merchant.ts';
import { CARDS, PAYER, payerPage, REFUSED } from './payer.ts';
import { notSpanish } from './spanish-only.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
afterEach(product.clearFaults);

const PAY_CALL = '**/api/invoices/takePaymentSDK/*';
const SALE = '/rest/v2/mobile/transactions/sale';
const DOUBLE = ':root { font-size: 200% !important }';
// Each state is measured in five sizes.
const timeout = 240_000;

const ITEMS = [
  { name: 'Adult cleaning', price: '1120.50', quantity: '1' },
  { name: 'Composite filling, two surfaces', price: '254.00', quantity: '2' },
];
const BILL = { amount: '1628.50', line_items: ITEMS };
const HOME = { address: '418 Maple Street', city: 'Indianapolis', state: 'IN', zip: '46204' };
const known = () => ({
  firstname: 'Ivy',
  lastname: 'Whitfield',
  email: `${crypto.randomUUID().slice(0, 8)}@payer.example`,
  ...HOME,
});

/** Looks at the states of one page, and expects nothing wrong in any of them. */
function watch(page: Page, language: Language) {
  const found: string[] = [];
  return {
    /** `name`: of the state, under which its findings are told. */
    look: async (name: string) => {
      const wrong = await wrongInAnySize(page);
      if (language === 'es') wrong.push(...(await notSpanish(page)));
      found.push(...wrong.map((one) => `${name}: ${one}`));
    },
    note: (name: string, wrong: string[]) => found.push(...wrong.map((one) => `${name}: ${one}`)),
    expectNothing: () => expect(found, found.join('\n')).toEqual([]),
  };
}

const payer = (language: Language, more: Parameters<typeof newPage>[0] = {}) =>
  payerPage(newPage, { locale: locales[language], viewport: PHONE, expected: REFUSED, ...more });

/** By ids, since the labels are in the page's language; those in the provider's frame are not. */
const frame = (page: Page) => page.frameLocator('#payment-form iframe');
const submit = (page: Page) => page.locator('button[type=submit]');
const banner = (page: Page) => page.locator('.pay-form > .banner');

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await submit(page).waitFor();
  await frame(page).getByLabel('Card number').waitFor();
}

async function fillCard(page: Page, card: string): Promise<void> {
  await frame(page).getByLabel('Card number').fill(card);
  await frame(page).getByLabel('Expiration').fill('1249');
  await frame(page).getByLabel('Security code').fill('999');
}

async function fillDetails(page: Page): Promise<void> {
  for (const [at, value] of Object.values(PAYER).entries()) {
    const name = ['firstName', 'lastName', 'address', 'city', 'state', 'zip'][at];
    await page.locator(`#pay-${name}`).fill(value);
  }
}

describe.each(languages)('payer pages in each size (%s): nothing cut, sideways or broken', (language) => {
  it('from an empty form over refusals to the receipt', { timeout }, async () => {
    const { address } = await product.makeLink({ ...BILL, contact: null, company: null });
    const page = await payer(language);
    const { look, note, expectNothing } = watch(page, language);
    await open(page, address);
    await look('form');
    await submit(page).click();
    await banner(page).waitFor();
    await look('missing fields');

    await fillDetails(page);
    await page.locator('.signature .switch button').last().click();
    await page.locator('#pay-signature-name').fill('Marta Núñez');
    await submit(page).click();
    await banner(page).getByRole('button').first().waitFor();
    await look('card fields empty');

    await page.route(PAY_CALL, (route) =>
      route.fulfill({
        status: 409,
        json: { code: 409, status: 'fail', error: { code: 'amount-changed', message: 'The amount has changed.' } },
      }),
    );
    await fillCard(page, CARDS.declines);
    await submit(page).click();
    await banner(page).waitFor();
    await look('amount changed');
    await page.unroute(PAY_CALL);

    await withStyle(page, DOUBLE, async () => {
      await submit(page).click();
      await page.locator('.declined').waitFor();
      note('declined with text at 200 %', await outOfSight(page, '.declined h2'));
    });
    await page.locator('.declined summary').click();
    await look('declined');
    await page.locator('.declined .button').click();

    await withStyle(page, DOUBLE, async () => {
      await fillCard(page, CARDS.approves);
      await submit(page).click();
      await page.locator('#pay-done').waitFor();
      note('paid with text at 200 %', await outOfSight(page, '#pay-done'));
    });
    await look('paid');
    await page.locator('a[href*="/receipt/"]').click();
    await page.locator('#receipt').waitFor();
    await look('receipt');
    await page.goto(address);
    await page.locator('.notice').waitFor();
    await look('already paid');
    expectNothing();
  });

  it('with a name and address on file, by bank account, to the receipt of a submitted debit', { timeout }, async () => {
    const { address } = await product.makeLink({ ...BILL, contact: known() });
    const page = await payer(language);
    const { look, expectNothing } = watch(page, language);
    await open(page, address);
    await look('form of a known payer');
    await submit(page).click();
    await banner(page).waitFor();
    await look('ticks missing');

    await page.locator('#pay-onFile').check();
    await page.locator('#pay-signature-tick').check();
    await frame(page).getByRole('tab', { name: 'Bank account' }).click();
    await frame(page).getByLabel('Routing number').fill('021000021');
    await frame(page).getByLabel('Account number').fill('123456789');
    await frame(page).getByLabel('Account type').selectOption('Checking');
    await frame(page).getByLabel('Name on account').fill('Ivy Whitfield');
    await page.locator('#pay-onFile').check();
    await look('bank account');
    await submit(page).click();
    await page.locator('#pay-done').waitFor();
    await look('submitted');
    await page.locator('a[href*="/receipt/"]').click();
    await page.locator('#receipt').waitFor();
    await look('receipt of a submitted debit');
    await page.goto(address);
    await page.locator('.notice').waitFor();
    await look('already submitted');
    expectNothing();
  });

  it('while an outcome is unknown, and with the notice that nothing was charged', { timeout }, async () => {
    const { address, invoiceId } = await product.makeLink(BILL);
    const page = await payer(language);
    const { look, expectNothing } = watch(page, language);
    await product.fault(SALE, 'drop-after');
    await product.fault('gateway', 'search-lag', { ms: 600_000 });
    await open(page, address);
    await fillDetails(page);
    await fillCard(page, CARDS.approves);
    await page.locator('#pay-signature-tick').check();
    await submit(page).click();
    await page.locator('#pay-confirming').waitFor();
    await look('confirming');
    await page.reload();
    await page.locator('.line li').first().waitFor();
    await look('opened while confirming');

    await sql(product, "UPDATE payment_attempts SET state = 'not_charged' WHERE invoice_id = ?", invoiceId);
    await page.reload();
    await page.locator('.banner-note').waitFor();
    await look('not charged');
    expectNothing();
  });

  it('for an invoice in installments, with a wrong amount', { timeout }, async () => {
    const { address, invoiceId } = await product.makeLink(BILL);
    await openInvoice(await merchantPage(), product.appUrl, invoiceId);
    const page = await payer(language);
    const { look, expectNothing } = watch(page, language);
    await open(page, address);
    await page.getByRole('radio').last().check();
    await page.locator('input[name=part][inputmode]').fill('1');
    await submit(page).click();
    await banner(page).waitFor();
    await look('installments');
    expectNothing();
  });

  it('without the provider’s script, with a link of nobody and while paused', { timeout }, async () => {
    const { address } = await product.makeLink(BILL);
    const page = await payer(language);
    const { look, expectNothing } = watch(page, language);
    await page.route('**/js-sdk/js/clearent-host.js', (route) => route.abort());
    await page.goto(address);
    await page.locator('.card-failed').waitFor();
    await look('no script of the provider');
    await page.goto(`${product.appUrl}/make/payment/nothing-of-ours`);
    await look('no such link');
    await page.setExtraHTTPHeaders({ [SECRET_HEADER]: product.secret, [SETTINGS_HEADER]: '{"PAY_PAGE":"paused"}' });
    await page.goto(address);
    await page.locator('.notice').waitFor();
    await look('paused');
    expectNothing();
  });

  it('in each state that has one message', { timeout }, async () => {
    const shell = path.join(product.state, `site/client/make/payment/state-${language}.html`);
    const page = await payer(language);
    const { look, expectNothing } = watch(page, language);
    // The built page has all of them, of which the Worker leaves one.
    await page.route('**/all-states', (route) =>
      route.fulfill({ contentType: 'text/html', body: readFileSync(shell, 'utf8') }),
    );
    await page.goto(`${product.appUrl}/all-states`);
    expect(await page.locator('.notice').count()).toBeGreaterThan(15);
    await look('states');
    expectNothing();
  });
});

const PUBLIC = [
  ...['/', '/demo', '/proof', '/claims', '/blog', '/blog/why-patients-pay-late', '/pages/accessibility'],
  ...['/terms', '/privacy', '/cookie-policy', '/login', '/cms/login', '/register', '/nothing-here', '/offline'],
];

it('the public site in each size: nothing cut, sideways or broken', { timeout }, async () => {
  const page = await newPage({ viewport: PHONE, expected: REFUSED });
  const { look, expectNothing } = watch(page, 'en');
  for (const address of PUBLIC) {
    await page.goto(`${product.appUrl}${address}`);
    await page.locator('h1').first().waitFor();
    await look(address);
  }
  expectNothing();
});
