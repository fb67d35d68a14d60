import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { useBrowser } from '../support/browser/browser.ts';
import { until } from '../support/product/product.ts';
import { sql } from '../whole/expect-money.ts';
import {
  banner,
  CARDS,
  cardNumber,
  confirmingHeading,
  DECLINED,
  expectFocus,
  expectGood,
  expectText,
  fillCard,
  fillForm,
  heading,
  openForm,
  PAYER,
  payButton,
  payerPage,
  payWith,
  REFUSED,
  successHeading,
} from './payer.ts';

const product = useProduct();
const newPage = useBrowser();

/** The call of the product's server that charges a card. */
const SALE = '/rest/v2/mobile/transactions/sale';
const PAY_CALL = '**/api/invoices/takePaymentSDK/*';
const STATUS_CALL = '**/api/invoices/*/payment*';
const UNEXPECTED = 'Unexpected response from payment system. Please try again.';

const NOT_CHARGED = /^Your attempt at \d{1,2}:\d\d\s[AP]M was not charged\. You can pay now\.$/;
const status = (page: Page) => page.locator('.banner-note');

const { fault, clearFaults } = product;
afterEach(clearFaults);

async function stateOf(invoiceId: string) {
  const find = 'SELECT state FROM payment_attempts WHERE invoice_id = ?';
  const [attempt] = await sql<{ state: string }>(product, find, invoiceId);
  return attempt?.state;
}

/** Makes the next status inquiry for this invoice due now. */
const makeCheckDue = (invoiceId: string) =>
  sql(product, 'UPDATE payment_attempts SET next_check_at = 0 WHERE invoice_id = ? AND next_check_at > 0', invoiceId);

const approvals = async (number: string) =>
  (await product.charges(number)).filter(({ result }) => result === 'APPROVED').length;

async function expectNotPayable(page: Page): Promise<void> {
  await page.getByText('Your payment is being confirmed. Please do not pay again.').waitFor();
  expect(await payButton(page).isVisible()).toBe(false);
  expect(await page.getByText(/Payment (Failed|Successful)!/).count()).toBe(0);
}

describe('a payment with an unknown outcome', () => {
  for (const [kind, condition] of [
    ['drop-after', 'the gateway charges and the answer is lost'],
    ['500-after', 'the gateway charges and answers 500'],
  ] as const) {
    it(`is shown as being confirmed, then as successful without a reload when ${condition}`, async () => {
      const { address, number, email, invoiceId } = await product.makeLink();
      const page = await payerPage(newPage);
      await fault(SALE, kind);
      // Inquiries find nothing yet, so the page has to wait.
      await fault('gateway', 'search-lag', { ms: 600_000 });
      await payWith(page, address);
      await confirmingHeading(page).waitFor();
      await expectNotPayable(page);
      await expectFocus(confirmingHeading(page));
      if (kind === 'drop-after') await expectGood(page, 'pay-confirming');

      await clearFaults();
      await makeCheckDue(invoiceId);
      await successHeading(page).waitFor();
      await page.getByRole('link', { name: 'View receipt' }).waitFor();
      expect(await approvals(number)).toBe(1);
      await until(
        () => product.mailTo(email),
        (mails) => mails.length === 1,
      );
    });
  }

  it('returns to the form with the decline, without a reload, when the gateway declined', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage);
    await fault(SALE, '500-after');
    await payWith(page, address, CARDS.declines);
    await confirmingHeading(page).waitFor();
    await heading(page, 'Payment Failed!').waitFor();
    await expectText(banner(page), DECLINED);
    expect(await page.getByLabel('Zip').inputValue()).toBe(PAYER.Zip);
    await page.getByAltText('Your signature').waitFor();

    await fillCard(page);
    await payButton(page).click();
    await successHeading(page).waitFor();
    expect(await approvals(number)).toBe(1);
  });

  it('reopens the form without a reload, but only once it is certain that nothing was charged', async () => {
    const { address, number, invoiceId } = await product.makeLink();
    const page = await payerPage(newPage);
    await payWith(page, address, CARDS.breaks);
    await confirmingHeading(page).waitFor();
    await expectNotPayable(page);
    await page.getByText(/^Checking since \d{1,2}:\d\d\s[AP]M\. This can take about 15 minutes\.$/).waitFor();
    expect(await stateOf(invoiceId)).toBe('unknown');

    // The hold of the invoice is over, and two inquiries found nothing.
    await sql(
      product,
      'UPDATE payment_attempts SET hold_until = 1, empty_checks = 2, next_check_at = 0 WHERE invoice_id = ?',
      invoiceId,
    );
    await expectText(status(page), NOT_CHARGED);
    await expectFocus(status(page));
    await expectGood(page, 'pay-not-charged');
    expect(await stateOf(invoiceId)).toBe('not_charged');
    expect(await page.getByLabel('Zip').inputValue()).toBe(PAYER.Zip);

    // A payer who closed the page and returns can also pay.
    const laterPage = await page.context().newPage();
    await laterPage.goto(address);
    await expectText(status(laterPage), NOT_CHARGED);
    expect(await laterPage.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    await laterPage.close();

    await cardNumber(page).waitFor();
    await fillCard(page);
    await payButton(page).click();
    await successHeading(page).waitFor();
    expect(await approvals(number)).toBe(1);
  });

  it('is still shown after a reload, and the result then appears without another reload', async () => {
    const { address, number, invoiceId } = await product.makeLink();
    const page = await payerPage(newPage);
    await fault(SALE, 'drop-after');
    await fault('gateway', 'search-lag', { ms: 600_000 });
    await payWith(page, address);
    await confirmingHeading(page).waitFor();

    await page.reload();
    await confirmingHeading(page).waitFor();
    await expectNotPayable(page);
    await page
      .getByRole('list', { name: 'Payment' })
      .getByText(/\d{1,2}:\d\d/)
      .waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
    await expectGood(page, 'pay-pending-reloaded');

    await clearFaults();
    await makeCheckDue(invoiceId);
    await successHeading(page).waitFor();
    expect(await approvals(number)).toBe(1);
  });

  it('is not charged again from a second tab opened earlier', async () => {
    const { address, number, invoiceId } = await product.makeLink();
    const firstTab = await payerPage(newPage, { expected: REFUSED });
    const secondTab = await firstTab.context().newPage();
    await openForm(secondTab, address);
    await fillForm(secondTab);
    await fault(SALE, 'drop-after');
    await fault('gateway', 'search-lag', { ms: 600_000 });
    await payWith(firstTab, address);
    await confirmingHeading(firstTab).waitFor();

    await payButton(secondTab).click();
    await confirmingHeading(secondTab).waitFor();
    await clearFaults();
    await makeCheckDue(invoiceId);
    await Promise.all([firstTab, secondTab].map((tab) => successHeading(tab).waitFor()));
    expect(await product.charges(number)).toHaveLength(1);
  });

  it('is shown as being confirmed when the connection breaks, and then with its true result', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await openForm(page, address);
    await fillForm(page);
    // The request arrives and charges; its answer and the first status calls are lost.
    await page.route(PAY_CALL, async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.route(STATUS_CALL, (route) => route.abort('internetdisconnected'));
    await payButton(page).click();
    await confirmingHeading(page).waitFor();
    await page.getByText('There is no connection right now.').waitFor();
    await expectNotPayable(page);
    await expectGood(page, 'pay-offline');

    await page.unroute(STATUS_CALL);
    await successHeading(page).waitFor();
    expect(await product.charges(number)).toHaveLength(1);
  });

  it('keeps the form closed while the payment may be under way, even if the server does not know it yet', async () => {
    const { address, payId, number } = await product.makeLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await openForm(page, address);
    await fillForm(page);
    let lateBody = '';
    await page.route(PAY_CALL, async (route) => {
      lateBody = route.request().postData() ?? '';
      await route.abort('connectionreset');
    });
    const expectNoPayment = async () => {
      const answer = await page.waitForResponse(STATUS_CALL);
      expect(await answer.json()).toEqual({ state: 'none' });
    };
    const firstCheck = expectNoPayment();
    await payButton(page).click();
    await confirmingHeading(page).waitFor();
    await firstCheck;
    await expectNoPayment();
    await expectNotPayable(page);

    // The request was slow and arrives now.
    expect((await product.pay(payId, lateBody)).status).toBe(200);
    await successHeading(page).waitFor();
    expect(await product.charges(number)).toHaveLength(1);
  });
});

describe('an unexpected answer to the pay call', () => {
  it('keeps the form closed until the invoice state was read, then asks to try again', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await openForm(page, address);
    await fillForm(page);
    await page.route(PAY_CALL, (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<html><h1>502 Bad Gateway</h1></html>' }),
    );
    const statusRequested = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    await page.route(STATUS_CALL, async (route) => {
      statusRequested.resolve();
      await gate.promise;
      await route.continue();
    });
    await payButton(page).click();
    await statusRequested.promise;
    expect(await page.getByRole('button', { name: 'Processing...' }).isVisible()).toBe(true);
    expect(await banner(page).count()).toBe(0);
    gate.resolve();
    await expectText(banner(page), UNEXPECTED);
    await expectFocus(banner(page));
    expect(await product.charges(number)).toEqual([]);

    await page.unroute(PAY_CALL);
    await payButton(page).click();
    await successHeading(page).waitFor();
    expect(await product.charges(number)).toHaveLength(1);
  });

  it('is not shown as a failure when the payment succeeded', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await openForm(page, address);
    await fillForm(page);
    await page.route(PAY_CALL, async (route) => {
      await route.fetch();
      await route.fulfill({ status: 200, contentType: 'text/html', body: '<html>Welcome to the hotel network</html>' });
    });
    await payButton(page).click();
    await successHeading(page).waitFor();
    expect(await page.getByText(UNEXPECTED).count()).toBe(0);
    expect(await product.charges(number)).toHaveLength(1);
  });

  it("shows 'Failed to process payment on server.' for a server error without a message", async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await openForm(page, address);
    await fillForm(page);
    await page.route(PAY_CALL, (route) => route.fulfill({ status: 500, json: {} }));
    await payButton(page).click();
    await expectText(banner(page), 'Failed to process payment on server.');
  });
});
