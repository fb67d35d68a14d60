import { describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { useBrowser } from '../support/browser/browser.ts';
import { expectGood, fillForm, openForm, payButton, payerPage, payWith, REFUSED, rowsOf, succeeded } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();

describe('pay form in two tabs', () => {
  it('charges once when both tabs pay at the same time, and shows the true result in both', async () => {
    const { address, number } = await product.makeLink();
    const one = await payerPage(newPage, { expected: REFUSED });
    const two = await one.context().newPage();
    for (const tab of [one, two]) {
      await openForm(tab, address);
      await fillForm(tab);
    }
    // Long enough for the second press to meet a payment under way.
    await product.fault('/rest/v2/mobile/transactions/sale', 'delay', { ms: 1500 });
    await Promise.all([one, two].map((tab) => payButton(tab).click()));
    const truth = /^(Payment Successful!|Paid)$/;
    await Promise.all([one, two].map((tab) => tab.getByRole('heading', { name: truth }).waitFor()));
    expect((await product.charges(number)).map(({ result }) => result)).toEqual(['APPROVED']);
    for (const tab of [one, two]) expect(await payButton(tab).count()).toBe(0);
    // The tab that paid has the receipt: the other may be somebody else's, with the same link.
    const receipts = [one, two].map((tab) => tab.getByRole('link', { name: 'View receipt' }));
    await expect.poll(async () => (await Promise.all(receipts.map((link) => link.count()))).sort()).toEqual([0, 1]);
  });

  it('shows a later tab that the invoice is already paid, and charges nothing', async () => {
    const { address, number } = await product.makeLink();
    const one = await payerPage(newPage, { expected: REFUSED });
    const two = await one.context().newPage();
    await openForm(two, address);
    await fillForm(two);
    await payWith(one, address);
    await succeeded(one).waitFor();
    await payButton(two).click();
    await two.getByText('This invoice is already paid. You have not been charged again.').waitFor();
    expect(await succeeded(two).count()).toBe(0);
    expect(await rowsOf(two.locator('.outcome'))).toEqual({
      Amount: '$184.00',
      Date: expect.stringMatching(/^\w{3} \d{1,2}, \d{4}$/),
    });
    await expectGood(two, 'pay-already-paid');
    expect(await product.charges(number)).toHaveLength(1);
  });
});
