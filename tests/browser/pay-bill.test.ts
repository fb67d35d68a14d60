import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { DESKTOP, PHONE, useBrowser } from '../support/browser/browser.ts';
import {
  expectGood,
  expectText,
  fillCard,
  fillDetails,
  openForm,
  payButton,
  payerPage,
  successHeading,
} from './payer.ts';

const product = useProduct();
const newPage = useBrowser();

const ITEMS = [
  { name: 'Porcelain crown, upper left', price: '1080.00', quantity: '1' },
  { name: 'Core build-up', price: '246.25', quantity: '1' },
  { name: 'Bitewing X-rays, four films', price: '74.50', quantity: '1' },
  { name: 'Local anaesthetic', price: '82.15', quantity: '3' },
];
const makeBill = () => product.makeLink({ amount: '1647.20', line_items: ITEMS });
const details = (page: Page) => page.locator('.bill-lines');
const item = (page: Page) => page.getByText('Porcelain crown, upper left');

const LANGUAGES = [
  { locale: 'en-US', summary: 'What is on this bill 4 items' },
  { locale: 'es-US', summary: 'Qué incluye esta factura 4 conceptos' },
];
/** The last width at which the details are folded, and the first at which they are open. */
const LAST_FOLDED = { width: 767, height: 900 };
const FIRST_OPEN = { width: 768, height: 900 };

describe('bill details', () => {
  it.each(LANGUAGES)('the items fold to one line on a phone and open by tap or key, in $locale', async (language) => {
    const { address } = await makeBill();
    const page = await payerPage(newPage, { locale: language.locale, viewport: PHONE });
    await page.goto(address);
    const summary = details(page).locator('summary');
    await expectText(summary, language.summary);
    expect(await item(page).isVisible()).toBe(false);
    expect((await summary.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await summary.click();
    await item(page).waitFor();
    await expectText(details(page).locator('li').last(), 'Local anaesthetic x 3 $246.45');
    await expectText(details(page).locator('.bill-total'), 'Total $1,647.20');
    await expectGood(page, `pay-bill-${language.locale}`);
    await summary.focus();
    await page.keyboard.press('Enter');
    await item(page).waitFor({ state: 'hidden' });
  });

  it.each(LANGUAGES)('the items are open from 768 px and folded below, in $locale', async (language) => {
    const { address } = await makeBill();
    for (const [viewport, isOpen] of [
      [LAST_FOLDED, false],
      [FIRST_OPEN, true],
      [DESKTOP, true],
    ] as const) {
      const page = await payerPage(newPage, { locale: language.locale, viewport });
      await page.goto(address);
      await expectText(details(page).locator('summary'), language.summary);
      await expect.poll(() => item(page).isVisible(), { message: `${viewport.width} px` }).toBe(isOpen);
    }
  });

  it.each(LANGUAGES)('the items need no JavaScript, and are folded on a phone only, in $locale', async (language) => {
    const { address } = await makeBill();
    for (const [viewport, isOpen] of [
      [PHONE, false],
      [DESKTOP, true],
    ] as const) {
      const page = await payerPage(newPage, { locale: language.locale, viewport, javaScriptEnabled: false });
      await page.goto(address);
      await expectText(details(page).locator('summary'), language.summary);
      expect(await item(page).isVisible(), `${viewport.width} px`).toBe(isOpen);
    }
  });

  it('the receipt shows the items as they were paid', async () => {
    const { address } = await makeBill();
    const page = await payerPage(newPage, { viewport: PHONE });
    await openForm(page, address);
    await fillDetails(page);
    await fillCard(page);
    await page.getByLabel('I am Marta Núñez and sign this payment').check();
    await payButton(page).click();
    await successHeading(page).waitFor();
    await page.getByRole('link', { name: 'View receipt' }).click();
    const receiptLines = page.locator('[data-row=lines]');
    await expectText(
      receiptLines,
      'Items Porcelain crown, upper left $1,080.00 Core build-up $246.25 Bitewing X-rays, four films $74.50 Local anaesthetic x 3 $246.45 Total $1,647.20',
    );
    const spanish = await payerPage(newPage, { locale: 'es-US', viewport: PHONE });
    // Without the query, which may name the language of the payment.
    await spanish.goto(page.url().split('?')[0] ?? '');
    await expectText(spanish.locator('[data-row=lines] h2'), 'Conceptos de la factura');
  });
});
