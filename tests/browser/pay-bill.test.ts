import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { DESKTOP, PHONE, useBrowser } from '../support/browser/browser.ts';
import { expectGood, expectText, fillCard, fillDetails, openForm, payButton, payerPage, succeeded } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();

const ITEMS = [
  { name: 'Porcelain crown, upper left', price: '1080.00', quantity: '1' },
  { name: 'Core build-up', price: '246.25', quantity: '1' },
  { name: 'Bitewing X-rays, four films', price: '74.50', quantity: '1' },
  { name: 'Local anaesthetic', price: '82.15', quantity: '3' },
];
const bill = () => product.makeLink({ amount: '1647.20', line_items: ITEMS });
const part = (page: Page) => page.locator('.bill-lines');
const item = (page: Page) => page.getByText('Porcelain crown, upper left');

const LANGUAGES = [
  { locale: 'en-US', head: 'What is on this bill 4 items' },
  { locale: 'es-US', head: 'Qué incluye esta factura 4 conceptos' },
];
/** The last width that folds, and the first that does not. */
const BELOW = { width: 767, height: 900 };
const FROM = { width: 768, height: 900 };

describe('bill details', () => {
  it.each(LANGUAGES)('are one folded line on a phone and open by a press or a key, in $locale', async (of) => {
    const { address } = await bill();
    const page = await payerPage(newPage, { locale: of.locale, viewport: PHONE });
    await page.goto(address);
    const head = part(page).locator('summary');
    await expectText(head, of.head);
    expect(await item(page).isVisible()).toBe(false);
    expect((await head.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await head.click();
    await item(page).waitFor();
    await expectText(part(page).locator('li').last(), 'Local anaesthetic x 3 $246.45');
    await expectText(part(page).locator('.bill-total'), 'Total $1,647.20');
    await expectGood(page, `pay-bill-${of.locale}`);
    await head.focus();
    await page.keyboard.press('Enter');
    await item(page).waitFor({ state: 'hidden' });
  });

  it.each(LANGUAGES)('are open from 768 px and folded below, in $locale', async (of) => {
    const { address } = await bill();
    for (const [viewport, isOpen] of [
      [BELOW, false],
      [FROM, true],
      [DESKTOP, true],
    ] as const) {
      const page = await payerPage(newPage, { locale: of.locale, viewport });
      await page.goto(address);
      await expectText(part(page).locator('summary'), of.head);
      await expect.poll(() => item(page).isVisible(), { message: `${viewport.width} px` }).toBe(isOpen);
    }
  });

  it.each(LANGUAGES)('are shown without JavaScript, open where there is room, in $locale', async (of) => {
    const { address } = await bill();
    for (const [viewport, isOpen] of [
      [PHONE, false],
      [DESKTOP, true],
    ] as const) {
      const page = await payerPage(newPage, { locale: of.locale, viewport, javaScriptEnabled: false });
      await page.goto(address);
      await expectText(part(page).locator('summary'), of.head);
      expect(await item(page).isVisible(), `${viewport.width} px`).toBe(isOpen);
    }
  });

  it('appear on the receipt as they were paid', async () => {
    const { address } = await bill();
    const page = await payerPage(newPage, { viewport: PHONE });
    await openForm(page, address);
    await fillDetails(page);
    await fillCard(page);
    await page.getByLabel('I am Marta Núñez and sign this payment').check();
    await payButton(page).click();
    await succeeded(page).waitFor();
    await page.getByRole('link', { name: 'View receipt' }).click();
    const bought = page.locator('[data-row=lines]');
    await expectText(
      bought,
      'What was bought Porcelain crown, upper left $1,080.00 Core build-up $246.25 Bitewing X-rays, four films $74.50 Local anaesthetic x 3 $246.45 Total $1,647.20',
    );
    const spanish = await payerPage(newPage, { locale: 'es-US', viewport: PHONE });
    // The address may name the language in which it was paid.
    await spanish.goto(page.url().split('?')[0] ?? '');
    await expectText(spanish.locator('[data-row=lines] h2'), 'Conceptos de la factura');
  });
});
