import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { checkDoubleText, findCutText } from '#tests/support/browser/beyond-axe';
import { useProduct } from '#tests/support/product/product';
import { PHONE, useBrowser } from '../support/browser/browser.ts';
import { sql } from '../whole/expect-money.ts';
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
  fillCard,
  openForm,
  PAYER,
  payButton,
  payerPage,
  REFUSED,
  rowsOf,
  successHeading,
} from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
afterEach(product.clearFaults);

const HOME = { address: '418 Maple Street', city: 'Indianapolis', state: 'IN', zip: '46204' };
/** A pay link whose customer has an address in the CRM. */
const knownLink = (changes: Partial<typeof HOME> = {}) => {
  const email = `${crypto.randomUUID().slice(0, 8)}@payer.example`;
  return product.makeLink({ contact: { firstname: 'Ivy', lastname: 'Whitfield', email, ...HOME, ...changes } });
};
const addressBox = (page: Page) => page.getByLabel('This is my card’s billing address');
const signBox = (page: Page, name = 'Ivy Whitfield') => page.getByLabel(`I am ${name} and sign this payment`);
const change = (page: Page) => page.getByRole('button', { name: 'Change' });
const bodyOf = async (page: Page) => (await page.waitForRequest('**/takePaymentSDK/*')).postDataJSON();

/** The number of inputs that a payer has to press or fill in. */
const inputsOf = (page: Page) =>
  page
    .locator('form')
    .evaluate(
      (form) =>
        [...form.querySelectorAll<HTMLInputElement>('input')].filter(
          (input) =>
            input.checkVisibility({ visibilityProperty: true }) &&
            !input.value.replace(/^on$/, '') &&
            input.id !== 'pay-address2',
        ).length,
    );

/** Pays with a declined card and the address on file; expects the address fields to open, empty, with the reason. */
async function payWithDecline(page: Page, address: string): Promise<void> {
  await openForm(page, address);
  await fillCard(page, CARDS.declines);
  await addressBox(page).check();
  await signBox(page).check();
  await payButton(page).click();
  await expectText(banner(page), DECLINED);
  await page.getByText('Your bank may know you by another address.').waitFor();
  for (const label of ['Address', 'City', 'State', 'Zip']) {
    const field = page.getByLabel(label, { exact: true });
    expect([await field.isVisible(), await field.inputValue()], label).toEqual([true, '']);
  }
}

describe('a known payer', () => {
  it.each([
    ['en', 320],
    ['es', 320],
    ['en', 390],
    ['es', 390],
  ])('sees no text cut for a four-digit amount at twice the text size, in %s at %i px', async (language, width) => {
    const email = `${crypto.randomUUID().slice(0, 8)}@payer.example`;
    const contact = { firstname: 'Ivy', lastname: 'Whitfield', email, ...HOME };
    const { address } = await product.makeLink({ contact, amount: '1152.55' });
    const page = await payerPage(newPage, { viewport: { width, height: 844 } });
    await page.goto(`${address}?lang=${language}`);
    await page.locator('button[type=submit]').waitFor();
    await page.locator('main iframe').waitFor();
    expect(await findCutText(page)).toEqual([]);
    expect(await checkDoubleText(page)).toEqual([]);
  });

  it('pays with five inputs and the address on file, which the page never contains', async () => {
    const { address, number, invoiceId } = await knownLink();
    const page = await payerPage(newPage, { viewport: PHONE });
    await openForm(page, address);
    await expectText(page.locator('.pay-as p').first(), 'You pay as Ivy Whitfield');
    await page.getByText('Billing address: the one Maple Street Dental has on file').waitFor();
    expect([await addressBox(page).isChecked(), await signBox(page).isChecked()]).toEqual([false, false]);
    // The page draws its own boxes, because an empty native box looks disabled in the dark theme.
    for (const box of [addressBox(page), signBox(page)])
      expect(await box.evaluate((element) => getComputedStyle(element).appearance)).toBe('none');
    expect(await page.content()).not.toMatch(/418 Maple|46204/);
    const bottom = await payButton(page).boundingBox();
    expect((bottom?.y ?? 0) + (bottom?.height ?? 0)).toBeLessThanOrEqual(PHONE.height);
    const inFrame = await cardFrame(page).locator('#panel-card input').count();
    expect((await inputsOf(page)) + inFrame).toBe(5);
    await expectGood(page, 'pay-known');

    await fillCard(page);
    await addressBox(page).check();
    await signBox(page).check();
    const payRequest = bodyOf(page);
    await payButton(page).click();
    const body = await payRequest;
    expect(body).toMatchObject({
      firstName: 'Ivy',
      lastName: 'Whitfield',
      addressOnFile: true,
      signing: { kind: 'ticked', words: 'I am Ivy Whitfield and sign this payment' },
    });
    for (const field of ['address', 'address2', 'city', 'state', 'zip']) expect(body).not.toHaveProperty(field);
    await successHeading(page).waitFor();
    expect(await product.charges(number)).toHaveLength(1);
    const find = 'SELECT payer_address, signed_by, signed_words FROM payment_attempts WHERE invoice_id = ?';
    expect(await sql(product, find, invoiceId)).toEqual([
      { payer_address: HOME.address, signed_by: 'ticked', signed_words: 'I am Ivy Whitfield and sign this payment' },
    ]);
    await page.getByRole('link', { name: 'View receipt' }).click();
    await page.getByRole('article', { name: 'Receipt' }).waitFor();
    expect(await page.content()).not.toMatch(/418 Maple|46204/);
  });

  it('must tick signature and address separately; without them Pay lists both and sends nothing', async () => {
    const { address, number } = await knownLink();
    const page = await payerPage(newPage);
    await openForm(page, address);
    await fillCard(page);
    await payButton(page).click();
    await expectText(banner(page), 'Please fill in all required fields: Billing address, Signature');
    await banner(page).getByRole('link', { name: 'Billing address' }).click();
    await expectFocus(addressBox(page));
    await page.keyboard.press('Space');
    await payButton(page).click();
    await expectText(banner(page), 'Please fill in all required fields: Signature');
    expect(await product.charges(number)).toEqual([]);
  });

  it('pays as someone else with Change, and has to sign the changed name', async () => {
    const { address, number } = await knownLink();
    const page = await payerPage(newPage);
    await openForm(page, address);
    await signBox(page).check();
    await change(page).click();
    await expectFocus(page.getByLabel('First Name'));
    expect(await page.getByLabel('Last Name').inputValue()).toBe('Whitfield');
    expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe('');
    await page.getByLabel('First Name').fill('Daniel');
    // The changed name is not signed yet.
    expect(await signBox(page, 'Daniel Whitfield').isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Use the address on file' }).click();
    await expectFocus(addressBox(page));
    await change(page).click();
    for (const label of ['Address', 'City', 'State', 'Zip'] as const) {
      await page.getByLabel(label, { exact: true }).fill(PAYER[label]);
    }
    await signBox(page, 'Daniel Whitfield').check();
    await fillCard(page);
    const payRequest = bodyOf(page);
    await payButton(page).click();
    expect(await payRequest).toMatchObject({ firstName: 'Daniel', address: PAYER.Address });
    await successHeading(page).waitFor();
    expect(await product.charges(number)).toHaveLength(1);
    await page.getByRole('link', { name: 'View receipt' }).click();
    const receipt = page.getByRole('article', { name: 'Receipt' });
    await receipt.waitFor();
    expect(await rowsOf(receipt)).toMatchObject({ 'Billed to': 'Ivy Whitfield', 'Paid by': 'Daniel Whitfield' });
  });

  it('sees the address fields open and empty after a decline, with the reason, and pays with another address', async () => {
    const { address } = await knownLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await payWithDecline(page, address);
    expect(await page.getByLabel('First Name').inputValue()).toBe('Ivy');
    expect(await page.content()).not.toMatch(/418 Maple|46204/);
    await expectGood(page, 'pay-known-declined');
    await page.getByRole('button', { name: 'Okay' }).click();
    await expectFocus(page.locator('iframe'));
    for (const label of ['Address', 'City', 'State', 'Zip'] as const) {
      await page.getByLabel(label, { exact: true }).fill(PAYER[label]);
    }
    await fillCard(page);
    await payButton(page).click();
    await successHeading(page).waitFor();
  });

  it('can pay by the address on file again after a decline, without closing the message first', async () => {
    const { address, number } = await knownLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await payWithDecline(page, address);
    await page.getByRole('button', { name: 'Use the address on file' }).click();
    await addressBox(page).check();
    await fillCard(page);
    const payRequest = bodyOf(page);
    await payButton(page).click();
    expect(await payRequest).toMatchObject({ addressOnFile: true });
    await successHeading(page).waitFor();
    expect((await product.charges(number)).filter(({ result }) => result === 'APPROVED')).toHaveLength(1);
  });

  it('sees the address fields open and empty also when the decline comes during confirmation', async () => {
    const { address } = await knownLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await product.fault('/rest/v2/mobile/transactions/sale', '500-after');
    await payWithDecline(page, address);
  });

  it('is asked for the address when the one on file is no longer complete', async () => {
    const { address, invoiceId, number } = await knownLink({ zip: '' });
    await sql(product, 'UPDATE invoices SET contact_masked_address = ? WHERE invoice_id = ?', '4••', invoiceId);
    // With line items, the page would read the address again.
    await sql(product, 'UPDATE accounts SET shows_lines = ?', 0);
    onTestFinished(async () => void (await sql(product, 'UPDATE accounts SET shows_lines = ?', 1)));
    const page = await payerPage(newPage, { expected: REFUSED });
    await openForm(page, address);
    await fillCard(page);
    await addressBox(page).check();
    await signBox(page).check();
    await payButton(page).click();
    await expectText(banner(page), /^Please fill in all required fields: Zip/);
    await page.getByText('The address on file is not complete.').waitFor();
    expect(await page.getByLabel('Zip').isVisible()).toBe(true);
    expect(await product.charges(number)).toEqual([]);
  });
});

describe('an unknown payer', () => {
  it('has at most eleven inputs', async () => {
    const { address } = await product.makeLink({ contact: null });
    const page = await payerPage(newPage);
    await openForm(page, address);
    const inFrame = await cardFrame(page).locator('#panel-card input').count();
    // Plus one for the stroke on the signature pad.
    expect((await inputsOf(page)) + inFrame + 1).toBeLessThanOrEqual(11);
    await cardNumber(page).waitFor();
    expect(await page.getByLabel('State').getAttribute('list')).toBe('pay-states');
    expect(await page.locator('#pay-states option').count()).toBe(51);
  });

  it('pays with fields that browser autofill filled in at once', async () => {
    const { address, number, invoiceId } = await product.makeLink({ contact: null });
    const page = await payerPage(newPage);
    await openForm(page, address);
    const filled = {
      'given-name': 'Marta',
      'family-name': 'Núñez',
      'address-line1': '4 Elm St',
      'address-line2': 'Suite 2',
      'address-level2': 'Indianapolis',
      'address-level1': 'IN',
      'postal-code': '46204',
    };
    // Like browser autofill: bypasses the page's setters to fill all marked fields at once, then dispatches the events.
    const missedFields = await page.evaluate((values) => {
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
      const missed = [];
      for (const [mark, value] of Object.entries(values)) {
        const field = document.querySelector<HTMLInputElement>(`form [autocomplete~="${mark}"]`);
        if (!field?.checkVisibility()) missed.push(mark);
        else set?.call(field, value);
      }
      for (const field of document.querySelectorAll('form [autocomplete]'))
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
      return missed;
    }, filled);
    expect(missedFields).toEqual([]);
    await fillCard(page);
    await draw(page);
    const payRequest = bodyOf(page);
    await payButton(page).click();
    expect(await payRequest).toMatchObject({
      firstName: 'Marta',
      lastName: 'Núñez',
      address: '4 Elm St',
      address2: 'Suite 2',
      city: 'Indianapolis',
      state: 'IN',
      zip: '46204',
    });
    await successHeading(page).waitFor();
    expect(await product.charges(number)).toHaveLength(1);
    const find = 'SELECT payer_address2 FROM payment_attempts WHERE invoice_id = ?';
    expect(await sql(product, find, invoiceId)).toEqual([{ payer_address2: 'Suite 2' }]);
  });
});
