import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { type Language, languages, locales } from '#shared/words/language';
import { withStyle } from '#tests/support/browser/beyond-axe';
import { PHONE, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { SECRET_HEADER, SETTINGS_HEADER } from '#tests/support/product/remote-database';
import { sql } from '../whole/expect-money.ts';
import { findOutOfSight, findSizeFaults } from './every-size.ts';
import { openInvoice } from './in-parts.ts';
import { useMerchant } from './merchant.ts';
import { CARDS, PAYER, payerPage, REFUSED } from './payer.ts';
import { findNonSpanish } from './spanish-only.ts';

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
const knownContact = () => ({
  firstname: 'Ivy',
  lastname: 'Whitfield',
  email: `${crypto.randomUUID().slice(0, 8)}@payer.example`,
  ...HOME,
});

/** Collects the faults in the states of one page: cut or broken text and sideways scroll. */
function collectFindings(page: Page, language: Language) {
  const findings: string[] = [];
  return {
    /** Checks the current state in every size. `name` identifies the state in the findings. */
    check: async (name: string) => {
      const faults = await findSizeFaults(page);
      if (language === 'es') faults.push(...(await findNonSpanish(page)));
      findings.push(...faults.map((fault) => `${name}: ${fault}`));
    },
    note: (name: string, faults: string[]) => findings.push(...faults.map((fault) => `${name}: ${fault}`)),
    expectNoFindings: () => expect(findings, findings.join('\n')).toEqual([]),
  };
}

const payer = (language: Language, options: Parameters<typeof newPage>[0] = {}) =>
  payerPage(newPage, { locale: locales[language], viewport: PHONE, expected: REFUSED, ...options });

/** Found by id, because the labels depend on the language. The labels in the provider's frame do not. */
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

describe.each(languages)('payer pages in each size (%s)', (language) => {
  it('pages stay intact from an empty form through refusals to the receipt', { timeout }, async () => {
    const { address } = await product.makeLink({ ...BILL, contact: null, company: null });
    const page = await payer(language);
    const { check, note, expectNoFindings } = collectFindings(page, language);
    await open(page, address);
    await check('form');
    await submit(page).click();
    await banner(page).waitFor();
    await check('missing fields');

    await fillDetails(page);
    await page.locator('.signature .switch button').last().click();
    await page.locator('#pay-signature-name').fill('Marta Núñez');
    await submit(page).click();
    await banner(page).getByRole('button').first().waitFor();
    await check('card fields empty');

    await page.route(PAY_CALL, (route) =>
      route.fulfill({
        status: 409,
        json: { code: 409, status: 'fail', error: { code: 'amount-changed', message: 'The amount has changed.' } },
      }),
    );
    await fillCard(page, CARDS.declines);
    await submit(page).click();
    await banner(page).waitFor();
    await check('amount changed');
    await page.unroute(PAY_CALL);

    await withStyle(page, DOUBLE, async () => {
      await submit(page).click();
      await page.locator('.declined').waitFor();
      note('declined with text at 200 %', await findOutOfSight(page, '.declined h2'));
    });
    await page.locator('.declined summary').click();
    await check('declined');
    await page.locator('.declined .button').click();

    await withStyle(page, DOUBLE, async () => {
      await fillCard(page, CARDS.approves);
      await submit(page).click();
      await page.locator('#pay-done').waitFor();
      note('paid with text at 200 %', await findOutOfSight(page, '#pay-done'));
    });
    await check('paid');
    await page.locator('a[href*="/receipt/"]').click();
    await page.locator('#receipt').waitFor();
    await check('receipt');
    await page.goto(address);
    await page.locator('.notice').waitFor();
    await check('already paid');
    expectNoFindings();
  });

  it('pages stay intact for a known payer who pays by bank account, up to the receipt', { timeout }, async () => {
    const { address } = await product.makeLink({ ...BILL, contact: knownContact() });
    const page = await payer(language);
    const { check, expectNoFindings } = collectFindings(page, language);
    await open(page, address);
    await check('form of a known payer');
    await submit(page).click();
    await banner(page).waitFor();
    await check('ticks missing');

    await page.locator('#pay-onFile').check();
    await page.locator('#pay-signature-tick').check();
    await frame(page).getByRole('tab', { name: 'Bank account' }).click();
    await frame(page).getByLabel('Routing number').fill('021000021');
    await frame(page).getByLabel('Account number').fill('123456789');
    await frame(page).getByLabel('Account type').selectOption('Checking');
    await frame(page).getByLabel('Name on account').fill('Ivy Whitfield');
    await page.locator('#pay-onFile').check();
    await check('bank account');
    await submit(page).click();
    await page.locator('#pay-done').waitFor();
    await check('submitted');
    await page.locator('a[href*="/receipt/"]').click();
    await page.locator('#receipt').waitFor();
    await check('receipt of a submitted debit');
    await page.goto(address);
    await page.locator('.notice').waitFor();
    await check('already submitted');
    expectNoFindings();
  });

  it('pages stay intact while an outcome is unknown, and after nothing was charged', { timeout }, async () => {
    const { address, invoiceId } = await product.makeLink(BILL);
    const page = await payer(language);
    const { check, expectNoFindings } = collectFindings(page, language);
    await product.fault(SALE, 'drop-after');
    await product.fault('gateway', 'search-lag', { ms: 600_000 });
    await open(page, address);
    await fillDetails(page);
    await fillCard(page, CARDS.approves);
    await page.locator('#pay-signature-tick').check();
    await submit(page).click();
    await page.locator('#pay-confirming').waitFor();
    await check('confirming');
    await page.reload();
    await page.locator('.line li').first().waitFor();
    await check('opened while confirming');

    await sql(product, "UPDATE payment_attempts SET state = 'not_charged' WHERE invoice_id = ?", invoiceId);
    await page.reload();
    await page.locator('.banner-note').waitFor();
    await check('not charged');
    expectNoFindings();
  });

  it('pages stay intact for an invoice in installments with a wrong amount', { timeout }, async () => {
    const { address, invoiceId } = await product.makeLink(BILL);
    await openInvoice(await merchantPage(), product.appUrl, invoiceId);
    const page = await payer(language);
    const { check, expectNoFindings } = collectFindings(page, language);
    await open(page, address);
    await page.getByRole('radio').last().check();
    await page.locator('input[name=part][inputmode]').fill('1');
    await submit(page).click();
    await banner(page).waitFor();
    await check('installments');
    expectNoFindings();
  });

  it('pages stay intact without the provider’s script, with a wrong link and while paused', { timeout }, async () => {
    const { address } = await product.makeLink(BILL);
    const page = await payer(language);
    const { check, expectNoFindings } = collectFindings(page, language);
    await page.route('**/js-sdk/js/clearent-host.js', (route) => route.abort());
    await page.goto(address);
    await page.locator('.card-failed').waitFor();
    await check('no script of the provider');
    await page.goto(`${product.appUrl}/make/payment/nothing-of-ours`);
    await check('no such link');
    await page.setExtraHTTPHeaders({ [SECRET_HEADER]: product.secret, [SETTINGS_HEADER]: '{"PAY_PAGE":"paused"}' });
    await page.goto(address);
    await page.locator('.notice').waitFor();
    await check('paused');
    expectNoFindings();
  });

  it('pages stay intact in each state with one message', { timeout }, async () => {
    const shell = path.join(product.state, `site/client/make/payment/state-${language}.html`);
    const page = await payer(language);
    const { check, expectNoFindings } = collectFindings(page, language);
    // The built page has all messages, and the Worker keeps one of them.
    await page.route('**/all-states', (route) =>
      route.fulfill({ contentType: 'text/html', body: readFileSync(shell, 'utf8') }),
    );
    await page.goto(`${product.appUrl}/all-states`);
    expect(await page.locator('.notice').count()).toBeGreaterThan(15);
    await check('states');
    expectNoFindings();
  });
});

const PUBLIC = [
  ...['/', '/demo', '/proof', '/claims', '/blog', '/blog/why-patients-pay-late', '/pages/accessibility'],
  ...['/terms', '/privacy', '/cookie-policy', '/login', '/cms/login', '/register', '/nothing-here', '/offline'],
];

it('the public site stays intact in each size', { timeout }, async () => {
  const page = await newPage({ viewport: PHONE, expected: REFUSED });
  const { check, expectNoFindings } = collectFindings(page, 'en');
  for (const address of PUBLIC) {
    await page.goto(`${product.appUrl}${address}`);
    await page.locator('h1').first().waitFor();
    await check(address);
  }
  expectNoFindings();
});
