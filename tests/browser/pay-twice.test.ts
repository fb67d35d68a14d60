import { describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { useBrowser } from '../support/browser/browser.ts';
import {
  expectGood,
  fillForm,
  openForm,
  payButton,
  payerPage,
  payWith,
  REFUSED,
  rowsOf,
  successHeading,
} from './payer.ts';

const product = useProduct();
const newPage = useBrowser();

describe('pay form in two tabs', () => {
  it('charges once when both tabs pay at the same time, and shows the true result in both', async () => {
    const { address, number } = await product.makeLink();
    const firstTab = await payerPage(newPage, { expected: REFUSED });
    const secondTab = await firstTab.context().newPage();
    for (const tab of [firstTab, secondTab]) {
      await openForm(tab, address);
      await fillForm(tab);
    }
    // Long enough that the second click comes while the first payment is under way.
    await product.fault('/rest/v2/mobile/transactions/sale', 'delay', { ms: 1500 });
    await Promise.all([firstTab, secondTab].map((tab) => payButton(tab).click()));
    const truth = /^(Payment Successful!|Paid)$/;
    await Promise.all([firstTab, secondTab].map((tab) => tab.getByRole('heading', { name: truth }).waitFor()));
    expect((await product.charges(number)).map(({ result }) => result)).toEqual(['APPROVED']);
    for (const tab of [firstTab, secondTab]) expect(await payButton(tab).count()).toBe(0);
    // Only the tab that paid links the receipt, because another person may have opened the other one.
    const receipts = [firstTab, secondTab].map((tab) => tab.getByRole('link', { name: 'View receipt' }));
    await expect.poll(async () => (await Promise.all(receipts.map((link) => link.count()))).sort()).toEqual([0, 1]);
  });

  it('shows a later tab that the invoice is already paid, and charges nothing', async () => {
    const { address, number } = await product.makeLink();
    const firstTab = await payerPage(newPage, { expected: REFUSED });
    const secondTab = await firstTab.context().newPage();
    await openForm(secondTab, address);
    await fillForm(secondTab);
    await payWith(firstTab, address);
    await successHeading(firstTab).waitFor();
    await payButton(secondTab).click();
    await secondTab.getByText('This invoice is already paid. You have not been charged again.').waitFor();
    expect(await successHeading(secondTab).count()).toBe(0);
    expect(await rowsOf(secondTab.locator('.outcome'))).toEqual({
      Amount: '$184.00',
      Date: expect.stringMatching(/^\w{3} \d{1,2}, \d{4}$/),
    });
    await expectGood(secondTab, 'pay-already-paid');
    expect(await product.charges(number)).toHaveLength(1);
  });
});
