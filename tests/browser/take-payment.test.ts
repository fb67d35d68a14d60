import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TerminalsReply } from '#shared/contracts/payments/terminals';
import { useBrowser } from '#tests/support/browser/browser';
import { until, useProduct } from '#tests/support/product/product';
import { logIn, useMerchant } from './merchant.ts';
import { expectFocus, expectGood, expectText, REFUSED } from './payer.ts';
import {
  BACK,
  choose,
  clearDevices,
  counterInvoice,
  customerBox,
  device,
  FRONT,
  idOf,
  invoiceSelect,
  PAID,
  payIdOf,
  proceed,
  sell,
  showDesk,
  startInOtherSession,
  touch,
  WAITING,
  waitForSaleText,
} from './terminals.ts';

const MAY_STILL_CHARGE = 'The card reader may still charge. Do not start it again.';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
/** Devices wait and each state is checked, so these tests take longer than others. */
const timeout = 240_000;

beforeEach(() => product.set({ auto_tap: false, terminal_timeout_ms: 120_000 }));
afterEach(() => clearDevices(product));

describe('a sale at the counter', { timeout }, () => {
  it('starts in the order device, customer, invoice, waits, and is approved when the card is tapped', async () => {
    const page = await merchantPage();
    await page.goto(`${product.appUrl}/`);
    const invoice = await counterInvoice(page, product);
    await page.getByRole('banner').getByRole('link', { name: 'Take Payment' }).click();
    await device(page).getByRole('option', { name: FRONT }).waitFor({ state: 'attached' });
    expect(await device(page).getByRole('option').allInnerTexts()).toEqual(['Choose a card reader', FRONT, BACK]);
    const enabledStates = async () =>
      Promise.all([customerBox, invoiceSelect, proceed].map((control) => control(page).isEnabled()));
    expect(await enabledStates()).toEqual([false, false, false]);
    await page.getByText('Choose a card reader first.').waitFor();
    await device(page).selectOption({ label: FRONT });
    await expect.poll(enabledStates).toEqual([true, false, false]);

    await customerBox(page).fill(invoice.customer);
    await page.getByText('1 customer.').waitFor();
    await customerBox(page).press('ArrowDown');
    await customerBox(page).press('Enter');
    await expect.poll(enabledStates).toEqual([true, true, false]);
    const options = invoiceSelect(page).getByRole('option');
    await expect
      .poll(() => options.allInnerTexts())
      .toEqual(['Choose an invoice', `${invoice.number} – $184.00, due Dec 24, 2099`]);
    await invoiceSelect(page).selectOption(invoice.invoiceId);
    await expect.poll(enabledStates).toEqual([true, true, true]);

    await proceed(page).press('Enter');
    await waitForSaleText(page, WAITING);
    await expectFocus(page.getByRole('heading', { name: WAITING }));
    await expectText(page.locator('.counter-amount'), '$184.00');
    await expectText(page.locator('.counter-head p').first(), `${FRONT} ${invoice.number}, ${invoice.customer}`);
    await expectText(page.getByRole('timer'), /^[12]:[0-5][0-9] left$/);
    await expectText(page.locator('.line [aria-current=step]'), /^Waiting for card until /);
    await expectGood(page, 'take-waiting');
    await touch(product, 'tap');
    await waitForSaleText(page, PAID);
    await page.getByText(`Visa 1111. Your receipt is on its way to ${invoice.email}.`).waitFor();
    await expectGood(page, 'take-approved');
    const receipt = page.getByRole('link', { name: 'View receipt' });
    expect(await receipt.getAttribute('href')).toMatch(/^\/receipt\//);
    expect(await product.charges(invoice.number)).toMatchObject([{ result: 'APPROVED', amount: '184.00' }]);
    await until(
      () => product.mailTo(invoice.email),
      (mails) => mails.length === 1,
    );
    await page.getByRole('button', { name: 'Take another payment' }).click();
    // The device is kept, and the customer is empty.
    await expect.poll(enabledStates).toEqual([true, false, false]);
    expect(await device(page).inputValue()).toBe(idOf(FRONT));
  });

  it('reappears after a reload, in a second tab and after a logout, and blocks the pay link with a message', async () => {
    const page = await newPage();
    await logIn(page, product.appUrl, product.account);
    await showDesk(page, product);
    const invoice = await counterInvoice(page, product);
    await sell(page, invoice);
    await page.reload();
    await waitForSaleText(page, WAITING);
    const secondTab = await page.context().newPage();
    await showDesk(secondTab, product);
    await waitForSaleText(secondTab, WAITING);
    await secondTab.close();

    const payId = await payIdOf(page, product, invoice.invoiceId);
    const refusal = await product.pay(payId, await product.form());
    expect([refusal.status, ((await refusal.json()) as { error: { message: string } }).error.message]).toEqual([
      409,
      'This invoice is being paid at the desk. You have not been charged.',
    ]);

    // The terminal screen polls, so after the session ends it would navigate to the login by itself.
    await page.goto(`${product.appUrl}/terms`);
    await page.goto(`${product.appUrl}/logout`);
    await logIn(page, product.appUrl, product.account);
    await showDesk(page, product);
    await waitForSaleText(page, WAITING);
    await touch(product, 'tap');
    await waitForSaleText(page, PAID);
    expect(await product.charges(invoice.number)).toHaveLength(1);
  });

  it('shows and explains a decline or cancellation, and can be retried', async () => {
    const page = await merchantPage();
    await showDesk(page, product);
    await sell(page, await counterInvoice(page, product), BACK);
    await touch(product, 'decline', BACK);
    await waitForSaleText(page, 'Declined. Not charged');
    await expectText(page.locator('.line li').last(), /^Declined/);
    await page.getByRole('button', { name: `Try again on ${BACK}` }).click();
    await waitForSaleText(page, WAITING);
    await touch(product, 'cancel', BACK);
    await waitForSaleText(page, 'Cancelled. Nothing was charged.');
    await expectGood(page, 'take-cancelled');
    await page.getByRole('button', { name: `Try again on ${BACK}` }).click();
    await waitForSaleText(page, WAITING);
    await touch(product, 'tap', BACK);
    await waitForSaleText(page, PAID);
  });

  it('ends with the card reader’s own message when no card is presented', async () => {
    await product.set({ terminal_timeout_ms: 4_000 });
    const page = await merchantPage();
    await showDesk(page, product);
    // The timeout may pass before the test sees the waiting state, so it does not use sell().
    await choose(page, await counterInvoice(page, product));
    await proceed(page).click();
    await waitForSaleText(page, 'No card by ');
    await expectGood(page, 'take-timed-out');
  });

  it('is not shown as failed when its answer is lost, and is queried until the outcome is known', async () => {
    const page = await merchantPage();
    await showDesk(page, product);
    const invoice = await counterInvoice(page, product);
    await sell(page, invoice);
    await touch(product, 'cut');
    await waitForSaleText(page, 'Not known yet');
    await page.getByText('Please do not pay again. We are asking Clearent, and this page shows the answer.').waitFor();
    expect(await page.getByRole('button', { name: /Try again|QR code/ }).count()).toBe(0);
    await expectGood(page, 'take-unknown');
    await touch(product, 'tap');
    await waitForSaleText(page, PAID);
    expect(await product.charges(invoice.number)).toHaveLength(1);
  });

  it('shows its amount and warns against a second start while offline, and is resolved on reconnecting', async () => {
    const page = await merchantPage({ expected: REFUSED });
    await showDesk(page, product);
    const invoice = await counterInvoice(page, product);
    await sell(page, invoice);
    await page.context().setOffline(true);
    await page.getByRole('alert').filter({ hasText: MAY_STILL_CHARGE }).waitFor();
    await expectText(page.locator('.counter-amount'), '$184.00');
    await expectGood(page, 'take-line-lost');
    await touch(product, 'tap');
    await page.context().setOffline(false);
    await waitForSaleText(page, PAID);
    expect(await page.getByText(MAY_STILL_CHARGE).count()).toBe(0);
    expect(await product.charges(invoice.number)).toHaveLength(1);
  });

  it('is not offered again when its start gets no answer, even after a reload, and is found later', async () => {
    const page = await merchantPage({ expected: REFUSED });
    await showDesk(page, product);
    const invoice = await counterInvoice(page, product);
    await choose(page, invoice);
    // The request arrives, but every response is lost.
    await page.route('**/api/terminals/*/sales', async (route) => {
      await fetch(route.request().url(), {
        method: 'POST',
        headers: await route.request().allHeaders(),
        body: route.request().postData(),
      });
      await route.abort('connectionreset');
    });
    await page.route('**/api/sales/**', (route) => route.abort('connectionreset'));
    await page.route('**/api/counter-terminals', (route) => route.abort('connectionreset'));
    await proceed(page).click();
    for (const step of ['pressed', 'reloaded']) {
      await page.getByRole('alert').filter({ hasText: MAY_STILL_CHARGE }).waitFor();
      await expectText(page.getByRole('heading', { level: 2 }), `$184.00 on ${FRONT}`);
      await page.getByText(`${invoice.number}, ${invoice.customer}`).waitFor();
      expect(await proceed(page).count(), step).toBe(0);
      if (step === 'pressed') await expectGood(page, 'take-start-lost');
      if (step === 'pressed') await page.reload();
    }
    await page.unroute('**/api/sales/**');
    await waitForSaleText(page, WAITING);
    await touch(product, 'tap');
    await waitForSaleText(page, PAID);
    expect(await product.charges(invoice.number)).toHaveLength(1);
  });

  it('is reported as not started only once that is certain', async () => {
    const page = await merchantPage({ expected: REFUSED });
    await showDesk(page, product);
    const invoice = await counterInvoice(page, product);
    await choose(page, invoice);
    await page.route('**/api/terminals/*/sales', (route) => route.abort('connectionreset'));
    await proceed(page).click();
    await page.getByRole('alert').filter({ hasText: MAY_STILL_CHARGE }).waitFor();
    await page.getByText('This screen shows the outcome as soon as we are connected.', { exact: true }).waitFor();
    expect(await page.getByText('The sale was not started.').count()).toBe(0);
    await page.evaluate((key) => {
      const press = JSON.parse(sessionStorage.getItem(key) ?? '{}');
      sessionStorage.setItem(key, JSON.stringify({ ...press, at: press.at - 61_000 }));
    }, 'lost_press');
    await page.reload();
    await page.getByText('The sale was not started.').waitFor();
    await expectGood(page, 'take-never-started');
    await page.getByRole('button', { name: 'Take a payment' }).click();
    await proceed(page).waitFor();
    expect(await product.charges(invoice.number)).toEqual([]);
  });

  it('reports an offline device and charges nothing', async () => {
    const page = await merchantPage();
    await showDesk(page, product);
    const invoice = await counterInvoice(page, product);
    await touch(product, 'offline');
    await choose(page, invoice);
    await proceed(page).click();
    await waitForSaleText(page, `${FRONT} is offline. Not charged`);
    await page.getByText('Check its power and network, then try again.').waitFor();
    await expectGood(page, 'take-offline');
  });
});

describe('full-window sale screen', { timeout }, () => {
  it('closes by its button or Escape while the sale goes on, and shows how long the terminal waits', async () => {
    const page = await merchantPage();
    await showDesk(page, product);
    const invoice = await counterInvoice(page, product);
    await sell(page, invoice);
    await page
      .getByText(/^To stop, press cancel on Front desk 1\. It keeps waiting until \d+:\d\d.[AP]M, even if you leave/)
      .waitFor();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await expectFocus(page.getByRole('heading', { name: 'Take Payment' }));
    await device(page).selectOption({ label: FRONT });
    await page.locator('.take-busy', { hasText: /has been busy since .* It waits until \d+:\d\d.[AP]M\./ }).waitFor();
    await page.getByRole('button', { name: 'Show' }).click();
    await waitForSaleText(page, WAITING);
    await page.keyboard.press('Escape');
    await proceed(page).waitFor();
    await touch(product, 'tap');
    await until(
      () => product.charges(invoice.number),
      ([charge]) => charge?.result === 'APPROVED',
    );
  });

  it('leaves a bar on every screen until the reader is free, and shifts no layout', async () => {
    const page = await merchantPage();
    await showDesk(page, product);
    const invoice = await counterInvoice(page, product);
    await sell(page, invoice);
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    const bar = page.locator('.standing-bar');
    const waitingText = new RegExp(`${FRONT} is waiting for a card: ${invoice.number}, \\$184\\.00`);
    await expectText(bar, waitingText);
    await page.getByRole('link', { name: 'Customers', exact: true }).click();
    await page.getByRole('heading', { name: 'Customers' }).waitFor();
    await expectText(bar, waitingText);
    const heading = page.getByRole('heading', { level: 1 });
    const headingTop = () => heading.evaluate((element) => element.getBoundingClientRect().top);
    const before = await headingTop();
    await page.reload();
    await expectText(bar, waitingText);
    await expectGood(page, 'take-left-behind');
    await bar.getByRole('link', { name: 'Show this payment' }).click();
    await waitForSaleText(page, WAITING);
    await page.goBack();
    await expectText(bar, waitingText);
    await touch(product, 'cancel');
    await bar.waitFor({ state: 'detached' });
    expect(await headingTop()).toBe(before);
  });

  it.each([
    { online_off: 'paused' },
    { online_off: 'catching-up' },
    { online_off: 'closing', closes_on: '2026-12-30' },
  ] as const)('shows on a phone why pay links are off, within the space for the bar: $online_off', async (block) => {
    const page = await merchantPage();
    await page.route('**/api/counter-terminals', (route) =>
      route.fulfill({ json: { desks: [], ...block } satisfies TerminalsReply }),
    );
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${product.appUrl}/customers`);
      await page.locator('.standing-bar > p').waitFor();
      const [bar, room] = await page.evaluate(() => [
        document.querySelector('.standing-bar')?.getBoundingClientRect().height,
        Number.parseFloat(getComputedStyle(document.querySelector('.app-main') as Element).paddingTop),
      ]);
      expect(bar, `${width} px`).toBeLessThanOrEqual(room as number);
    }
  });

  it('resets to an empty form 20 seconds after a paid sale, but not while hovered or focused', async () => {
    const page = await merchantPage();
    await page.clock.install();
    await showDesk(page, product);
    await sell(page, await counterInvoice(page, product));
    await touch(product, 'tap');
    await waitForSaleText(page, PAID);
    const anotherButton = page.getByRole('button', { name: 'Take another payment' });
    await anotherButton.hover();
    // From here on, only the test advances the clock.
    await page.clock.pauseAt(Date.now() + 120_000);
    await page.mouse.move(5, 5);
    await anotherButton.focus();
    await page.clock.fastForward(21_000);
    await waitForSaleText(page, PAID);
    await anotherButton.blur();
    await page.clock.fastForward(19_000);
    await waitForSaleText(page, PAID);
    await page.clock.fastForward(2_000);
    await page.clock.resume();
    await expect.poll(() => customerBox(page).inputValue()).toBe('');
    await expectFocus(page.getByRole('heading', { name: 'Take Payment' }));
  });

  it('fits the largest amount on one line, and announces only one minute and ten seconds left', async () => {
    const page = await merchantPage({ viewport: { width: 390, height: 844 } });
    const now = Date.parse('2026-11-24T14:00:00Z');
    await page.clock.install({ time: now });
    const sale = {
      id: 's1',
      terminal_id: idOf(FRONT),
      terminal_name: FRONT,
      invoice_id: '1',
      invoice_number: 'INV-1',
      customer: 'Marta Long',
      amount: '9999999.99',
      currency: 'USD',
      state: 'waiting',
      started_by: 'a@b.example',
      is_own: true,
      started_at: new Date(now).toISOString(),
      ends_by: new Date(now + 300_000).toISOString(),
      ended_at: null,
      asked_at: null,
      message: '',
      last_heard: null,
      transaction: null,
      receipt_url: null,
      receipt_to: '',
      provider: 'Clearent',
    };
    await page.route('**/api/sales/s1', (route) => route.fulfill({ json: { sale } }));
    await page.goto(`${product.appUrl}/payments?sale=s1`);
    await waitForSaleText(page, WAITING);
    // From here on, only the test advances the clock.
    await page.clock.pauseAt(now + 60_000);
    const amount = page.locator('.counter-amount');
    expect(await amount.innerText()).toBe('$9,999,999.99');
    for (const width of [390, 320, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const widths = await amount.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return [range.getBoundingClientRect().width, element.clientWidth, range.getClientRects().length];
      });
      expect([(widths[0] ?? 0) <= (widths[1] ?? 0), widths[2]], `at ${width}: ${widths}`).toEqual([true, 1]);
    }
    const announcement = page.locator('.counter [role=status].sr-only');
    const expectAfter = async (ms: number, words: string) => {
      await page.clock.runFor(ms);
      await expect.poll(() => announcement.textContent()).toBe(words);
    };
    await expectAfter(140_000, '');
    await expectAfter(40_000, '1 minute left');
    await expectAfter(45_000, '1 minute left');
    await expectAfter(6_000, '10 seconds left');
  });
});

describe('when the card reader cannot take the payment', { timeout }, () => {
  it('a busy reader shows its user, time and invoice, and the customer can pay by phone', async () => {
    const page = await merchantPage();
    await showDesk(page, product);
    const [otherInvoice, invoice] = [await counterInvoice(page, product), await counterInvoice(page, product)];
    await choose(page, invoice);
    expect(await startInOtherSession(page, product, otherInvoice.invoiceId)).toBe(202);
    const busyText = new RegExp(
      `${FRONT} has been busy since \\d+:\\d\\d.[AP]M: .+@.+, ${otherInvoice.number}, \\$184\\.00\\.`,
    );
    await page.locator('.take-busy', { hasText: busyText }).waitFor();
    await page.getByText(`${FRONT} may still take a card for ${otherInvoice.number}.`).waitFor();
    expect(await proceed(page).isDisabled()).toBe(true);

    await page.getByRole('button', { name: 'Show the payment link as QR code' }).click();
    const code = page.getByRole('img', { name: 'Payment link for $184.00' });
    await code.waitFor();
    await expectGood(page, 'take-qr');
    const address = await page.locator('.qr-url').innerText();
    const payment = await product.pay(address.split('/').at(-1) ?? '', await product.form());
    expect(payment.status).toBe(200);
    await page.getByText('Paid by link: $184.00').waitFor();
    await expectGood(page, 'take-qr-paid');
    await touch(product, 'cancel');
  });

  it('a reader that became busy after the screen loaded refuses the sale', async () => {
    const page = await merchantPage({ expected: REFUSED });
    await page.route('**/api/counter-terminals', async (route) => {
      const answer = await route.fetch();
      const { desks } = (await answer.json()) as TerminalsReply;
      await route.fulfill({ json: { desks: desks.map((desk) => ({ ...desk, sale: null, is_busy: false })) } });
    });
    await showDesk(page, product);
    const [otherInvoice, invoice] = [await counterInvoice(page, product), await counterInvoice(page, product)];
    await choose(page, invoice);
    expect(await startInOtherSession(page, product, otherInvoice.invoiceId)).toBe(202);
    await proceed(page).click();
    await page.getByRole('alert').filter({ hasText: 'The card reader is busy. Nothing was started.' }).waitFor();
    await touch(product, 'cancel');
  });

  it('the screen of a failed sale shows paid without a reload when the payer pays by QR code', async () => {
    const page = await merchantPage();
    await showDesk(page, product);
    const invoice = await counterInvoice(page, product);
    await sell(page, invoice);
    await touch(product, 'decline');
    await page.getByRole('button', { name: 'Show the payment link as QR code' }).click();
    const address = await page.locator('.qr-url').innerText();
    expect((await product.pay(address.split('/').at(-1) ?? '', await product.form())).status).toBe(200);
    await page.getByText('Paid by link: $184.00').waitFor();
    expect(await page.getByRole('button', { name: /Try again/ }).count()).toBe(0);
    await expectGood(page, 'take-failed-then-paid');
    expect((await product.charges(invoice.number)).filter(({ result }) => result === 'APPROVED')).toHaveLength(1);
  });
});
