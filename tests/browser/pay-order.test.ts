import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { PHONE, useBrowser, WITH_MOTION } from '../support/browser/browser.ts';
import { cardFrame, cardNumber, draw, fillDetails, openForm, payButton, payerPage } from './payer.ts';

const product = useProduct();
const newPage = useBrowser(WITH_MOTION);

const top = async (page: Page, text: string) => (await page.getByText(text).first().boundingBox())?.y ?? Number.NaN;
const plateHeight = async (page: Page) => (await page.locator('.card-plate').boundingBox())?.height ?? 0;

/** The sum of all layout shifts without recent input. */
const shiftOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };
        const sum = (entries: PerformanceEntryList) =>
          resolve((entries as Shift[]).reduce((total, shift) => total + (shift.hadRecentInput ? 0 : shift.value), 0));
        const observer = new PerformanceObserver((list) => sum(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        // Without any shift, the observer is never called.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => sum(observer.takeRecords()), 0)));
      }),
  );

describe('order of the pay page', () => {
  it('puts the bill first, then the card, who pays, the signature, Pay, the promise and the contact', async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage, { viewport: PHONE });
    await openForm(page, address);
    const order = [
      'Amount due',
      'billed to',
      'Card details',
      'First Name',
      'I am Marta Núñez and sign this payment',
      'Your card details go straight to Clearent. Maple Street Dental never sees them.',
      'Questions about this bill?',
    ];
    const tops = await Promise.all(order.map((text) => top(page, text)));
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    const pay = (await payButton(page).boundingBox())?.y ?? 0;
    expect([pay > (tops[4] ?? 0), pay < (tops[5] ?? 0)]).toEqual([true, true]);
    expect(await page.getByRole('list', { name: 'Accepted cards' }).innerText()).toBe(
      'Visa\nMastercard\nAmex\nDiscover',
    );
    await page.getByText('Expiration: month and year, as MM / YY on the card.').waitFor();
  });

  it('shows amount, business and the first card field on the first screen of a phone', async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage, { viewport: PHONE });
    await openForm(page, address);
    for (const part of [
      page.getByText('Maple Street Dental').first(),
      page.locator('.bill-amount'),
      cardNumber(page),
    ]) {
      const box = await part.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(PHONE.height);
    }
  });

  for (const size of [PHONE, { width: 768, height: 1024 }, { width: 1280, height: 900 }]) {
    it(`reserves the height of the card form at ${size.width}, and shifts nothing when it loads`, async () => {
      const { address } = await product.makeLink();
      const page = await payerPage(newPage, { viewport: size });
      await openForm(page, address);
      await expect.poll(() => plateHeight(page)).toBe(218);
      expect(await shiftOf(page)).toBeLessThanOrEqual(0.01);
      await fillDetails(page);
      await draw(page);
      await cardFrame(page).getByRole('tab', { name: 'Bank account' }).click();
      await payButton(page).click();
      // The errors of the form are below its fields, so the plate grows.
      await expect.poll(() => plateHeight(page)).toBeGreaterThan(218);
      const [plate, frame] = [
        await page.locator('.card-plate').boundingBox(),
        await page.locator('iframe').boundingBox(),
      ];
      expect(frame?.height).toBeLessThanOrEqual((plate?.height ?? 0) - 14);
    });
  }
});
