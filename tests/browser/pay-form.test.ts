import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { useBrowser } from '../support/browser/browser.ts';
import {
  banner,
  CARDS,
  cardFrame,
  cardNumber,
  DECLINED,
  draw,
  expectFocus,
  expectGood,
  expectText,
  fillBank,
  fillCard,
  fillDetails,
  fillForm,
  heading,
  openForm,
  PAYER,
  payButton,
  payerPage,
  payWith,
  REFUSED,
  rowsOf,
  successHeading,
} from './payer.ts';

const product = useProduct();
const newPage = useBrowser();

const PAY_CALL = '**/api/invoices/takePaymentSDK/*';

/** Counts the page's requests to the pay call. */
function countPosts(page: Page): () => number {
  let posts = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/takePaymentSDK/')) posts += 1;
  });
  return () => posts;
}

describe('pay form', () => {
  it('shows the card fields only once they accept input', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage);
    const gate = Promise.withResolvers<void>();
    await page.route('**/js-sdk/frame.js', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto(address, { waitUntil: 'domcontentloaded' });
    await cardNumber(page).waitFor({ state: 'attached' });
    expect(await cardNumber(page).isVisible()).toBe(false);
    gate.resolve();
    await cardNumber(page).waitFor();
    await fillForm(page);
    await payButton(page).click();
    await successHeading(page).waitFor();
    expect(await product.charges(number)).toHaveLength(1);
  });

  it('lists missing fields in one banner that takes the focus and links to each field', async () => {
    const { address, number } = await product.makeLink({ contact: null });
    const page = await payerPage(newPage);
    const posts = countPosts(page);
    await openForm(page, address);
    await payButton(page).click();

    const sentence = 'Please fill in all required fields: First Name, Last Name, Address, City, State, Zip, Signature';
    await expectText(banner(page), sentence);
    await expectFocus(banner(page));
    await expectGood(page, 'pay-missing');
    expect(await page.getByLabel('Zip').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Address2 (optional)').getAttribute('aria-invalid')).toBeNull();
    await page.getByText('Enter your zip').waitFor();

    await banner(page).getByRole('link', { name: 'Zip' }).click();
    await expectFocus(page.getByLabel('Zip'));
    await page.keyboard.type('46204');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.getByText('Enter your zip').count()).toBe(0);
    await banner(page).getByRole('link', { name: 'Signature' }).click();
    await expectFocus(page.getByRole('group', { name: 'Signature' }));

    await fillDetails(page);
    await page.getByLabel('City').fill('   ');
    await draw(page);
    await payButton(page).click();
    await expectText(banner(page), 'Please fill in all required fields: City');
    await page.getByRole('button', { name: 'Close message' }).click();
    await expect.poll(() => banner(page).count()).toBe(0);
    expect(posts()).toBe(0);
    expect(await product.charges(number)).toEqual([]);
  });

  it("shows the errors of the card frame after 'Validation error: ' and sends nothing", async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage);
    const posts = countPosts(page);
    await openForm(page, address);
    await fillDetails(page);
    await draw(page);
    await payButton(page).click();
    const emptyCard = 'Validation error: Enter the card number, Enter the expiration date, Enter the security code';
    await expectText(banner(page), new RegExp(`^${emptyCard} You have not been charged\\.`));
    await expectFocus(banner(page));

    await fillCard(page, '4111111111111112');
    await payButton(page).click();
    await expectText(banner(page), /^Validation error: Card number is not valid You have not been charged\./);
    await page.getByRole('button', { name: 'Go to card details' }).click();
    await expectFocus(page.locator('iframe'));
    expect(posts()).toBe(0);

    await cardNumber(page).fill(CARDS.approves);
    await payButton(page).click();
    await successHeading(page).waitFor();
    expect(posts()).toBe(1);
  });

  it('is locked and shows that it is sending, and sends once however often Pay is pressed', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage);
    const posts = countPosts(page);
    await page.clock.install();
    const gate = Promise.withResolvers<void>();
    await page.route(PAY_CALL, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await openForm(page, address);
    await fillForm(page);
    const before = await payButton(page).boundingBox();
    await payButton(page).dblclick();

    const busy = page.getByRole('button', { name: 'Processing...' });
    await busy.waitFor();
    expect(await busy.getAttribute('aria-disabled')).toBe('true');
    expect((await busy.boundingBox())?.width).toBe(before?.width);
    await expectText(page.locator('.pay-submit').getByRole('status'), 'Processing...');
    for (const label of Object.keys(PAYER)) {
      expect(await page.getByLabel(label, { exact: true }).getAttribute('readonly'), label).not.toBeNull();
    }
    expect(await page.getByRole('button', { name: 'Clear Signature' }).isDisabled()).toBe(true);
    // The button is disabled for assistive technology but still clickable.
    await busy.click({ force: true });
    await page.getByLabel('City').press('Enter');
    await expectGood(page, 'pay-processing');

    const dialogOpening = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const question = await dialogOpening;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();

    await page.clock.fastForward(8_000);
    await page.getByText('Still working. Keep this page open.').waitFor();
    gate.resolve();
    await successHeading(page).waitFor();
    expect(posts()).toBe(1);
    expect(await product.charges(number)).toHaveLength(1);
  });

  it('keeps fields and signature after a decline, and accepts another card on the same page', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await payWith(page, address, CARDS.declines);

    await expectText(banner(page), DECLINED);
    await expectFocus(banner(page));
    const details = banner(page).locator('details');
    expect(await details.locator('dl').isVisible()).toBe(false);
    await details.locator('summary').click();
    expect(await rowsOf(details)).toEqual({ 'Error Message': 'Card declined', 'Result Code': '073' });
    expect(await page.locator('.banner').count()).toBe(1);
    for (const [label, value] of Object.entries(PAYER)) {
      expect(await page.getByLabel(label, { exact: true }).inputValue(), label).toBe(value);
    }
    await page.getByAltText('Your signature').waitFor();
    expect(await cardNumber(page).inputValue()).toBe('');
    await expectGood(page, 'pay-declined');

    await page.getByRole('button', { name: 'Okay' }).click();
    await expect.poll(() => banner(page).count()).toBe(0);
    await expectFocus(page.locator('iframe'));

    await fillCard(page);
    await payButton(page).click();
    await successHeading(page).waitFor();
    expect((await product.charges(number)).map(({ result }) => result)).toEqual(['DECLINED', 'APPROVED']);
  });

  it('closes the decline box by its cross or Okay, and focuses the card again', async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await payWith(page, address, CARDS.declines);
    await heading(page, 'Payment Failed!').waitFor();
    await page.getByRole('button', { name: 'Close message' }).click();
    await expect.poll(() => banner(page).count()).toBe(0);
    await expectFocus(page.locator('iframe'));
  });

  it('charges nothing when the amount has changed since the form was opened, and the new amount after a reload', async () => {
    const { address, invoiceId, number } = await product.makeLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await openForm(page, address);
    await fillForm(page);
    await product.sandbox(
      `hubs/${product.account.hubId}/invoices/${invoiceId}`,
      { properties: { hs_balance_due: '190.50', hs_amount_billed: '190.50' } },
      'PATCH',
    );
    await payButton(page).click();
    await expectText(
      banner(page),
      /^The amount due has changed\. Please reload the page\. You have not been charged\./,
    );
    expect(await product.charges(number)).toEqual([]);

    await banner(page).getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole('button', { name: 'Pay $190.50' }).waitFor();
    await cardNumber(page).waitFor();
    await fillForm(page);
    await payButton(page).click();
    await successHeading(page).waitFor();
    expect((await product.charges(number)).map(({ amount }) => amount)).toEqual(['190.50']);
  });

  it("shows 'Payment submitted' after a bank payment and never that it succeeded", async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage);
    await openForm(page, address);
    await fillDetails(page);
    await fillBank(page);
    await heading(page, 'Payment details').waitFor();
    const promise = 'Your payment details go straight to Clearent. Maple Street Dental never sees them.';
    await page.getByText(promise).waitFor();
    await page.getByText('Your bank takes 3 to 5 days').waitFor();
    expect(await page.locator('.pay-form').innerText()).not.toMatch(/\bcards?\b|Visa|MM \/ YY/i);
    await draw(page);
    const payRequest = page.waitForRequest('**/api/invoices/takePaymentSDK/*');
    await payButton(page).click();
    expect((await payRequest).postDataJSON()).toMatchObject({ paymentDetails: { 'account-type': 'Checking' } });
    await heading(page, 'Payment submitted').waitFor();
    await expectFocus(heading(page, 'Payment submitted'));
    await page.getByText('Your bank takes 3 to 5 days; we email the receipt when it has arrived.').waitFor();
    expect(await page.getByText('Payment Successful!').count()).toBe(0);

    await page.getByRole('link', { name: 'View receipt' }).click();
    const receipt = page.getByRole('article', { name: 'Receipt' });
    await receipt.waitFor();
    expect(await receipt.innerText()).toMatch(/Amount\s+\$184\.00 USD\s+Payment submitted/);
    expect(await rowsOf(receipt)).toMatchObject({
      Method: 'Bank account',
      'Bank account': expect.stringMatching(/•••• 6789$/),
      'Billed to and submitted by': `${PAYER['First Name']} ${PAYER['Last Name']}`,
    });
    expect(await receipt.innerText()).not.toMatch(/^(Card|Result)$|paid by|approved/im);
    await page.goto(address);
    await heading(page, 'Payment submitted').waitFor();
    expect(await payButton(page).count()).toBe(0);
    await expectGood(page, 'state-submitted');
  });
});

describe('a keyboard-only payer', () => {
  it('pays and signs by typing, with the focus always visible', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage);
    await openForm(page, address);

    /** Presses Tab until the element with this name has the focus. Each stop must show its focus. */
    const tabTo = async (name: string) => {
      for (let steps = 0; steps < 25; steps++) {
        await page.keyboard.press('Tab');
        const stop = await focusOf(page);
        if (stop.tag !== 'IFRAME') expect(stop.isShown, `no focus ring on ${stop.name}`).toBe(true);
        if (stop.name === name) return;
      }
      throw new Error(`Tab never reached ${name}`);
    };
    await tabTo('Card number');
    await page.keyboard.type(CARDS.approves);
    await tabTo('Expiration');
    await page.keyboard.type('1249');
    await tabTo('Security code');
    await page.keyboard.type('999');
    for (const [label, value] of Object.entries(PAYER)) {
      await tabTo(label);
      // The name on file is already filled in, and Tab has selected it.
      await page.keyboard.type(value);
    }
    await tabTo('Sign another way');
    await page.keyboard.press('Enter');
    await tabTo('Type');
    await page.keyboard.press('Enter');
    await tabTo('Type your full name');
    await page.keyboard.type('Marta Núñez');
    await tabTo('Save Signature');
    await page.keyboard.press('Enter');
    await page.getByAltText('Your signature').waitFor();
    await expectFocus(page.getByRole('button', { name: 'Clear Signature' }));
    await tabTo('Pay $184.00');
    await page.keyboard.press('Enter');
    await successHeading(page).waitFor();
    await expectFocus(successHeading(page));
    await tabTo('View receipt');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'Receipt' }).waitFor();
    expect(await product.charges(number)).toHaveLength(1);
  });
});

type Stop = { tag: string; name: string; isShown: boolean };

/** Returns the focused element with its label or text, also inside the provider's frame. */
async function focusOf(page: Page): Promise<Stop> {
  const read = (): Stop => {
    const element = document.activeElement;
    if (!element) return { tag: '', name: '', isShown: false };
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.firstChild?.textContent : undefined;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return {
      tag: element.tagName,
      name: (label ?? element.textContent ?? '').trim(),
      isShown: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
    };
  };
  const stop = await page.evaluate(read);
  if (stop.tag !== 'IFRAME') return stop;
  return cardFrame(page).locator('body').evaluate(read);
}
