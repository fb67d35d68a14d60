import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fill, wordsIn } from '#shared/words/bilingual';
import { billWords } from '#shared/words/bill-and-receipt-words';
import { languages } from '#shared/words/language';
import { formWords, partWords } from '#shared/words/pay-words';
import { useProduct } from '#tests/support/product/product';
import { PHONE, useBrowser } from '../support/browser/browser.ts';
import { openInvoice } from './in-parts.ts';
import { useMerchant } from './merchant.ts';
import {
  CARDS,
  cardFrame,
  draw,
  expectGood,
  expectText,
  fillCard,
  fillDetails,
  openForm,
  payButton,
  payerPage,
  successHeading,
} from './payer.ts';
import { expectInOrder, expectWhole, openIn, tabAndType, tabTo, treeOf } from './payer-reading.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const choice = (page: Page, name: RegExp) => page.getByRole('radio', { name });

async function payNow(page: Page, button = payButton(page)): Promise<void> {
  await fillDetails(page);
  await fillCard(page);
  await draw(page);
  await button.click();
}

// These tests open many pages, which takes long on a busy machine.
const timeout = 240_000;

/** Expects the box to fit the card form, which is lower without the tabs for card and bank. */
async function expectSnugCard(page: Page): Promise<void> {
  const [plate, card] = await Promise.all(
    ['.card-plate', '.card-plate iframe'].map((part) => page.locator(part).evaluate((element) => element.clientHeight)),
  );
  expect((plate ?? 0) - (card ?? 0)).toBeLessThanOrEqual(16);
}

describe('an invoice paid in installments', () => {
  it('can be paid by a deposit, a chosen amount and the rest after staff allow it', {
    timeout,
  }, async () => {
    const { address, invoiceId, number } = await product.makeLink();
    const staff = await merchantPage();
    await openInvoice(staff, product.appUrl, invoiceId);

    const page = await payerPage(newPage, { viewport: PHONE });
    await openForm(page, address);
    await choice(page, /^The full amount \$184\.00$/).waitFor();
    // The heaviest weight of these pages' font.
    const bold = page.locator('.pay-part b').first();
    expect(await bold.evaluate((element) => getComputedStyle(element).fontWeight)).toBe('600');
    await expectText(payButton(page), 'Pay $184.00');
    expect(await cardFrame(page).getByRole('tab', { name: 'Bank account' }).count()).toBe(0);
    await expectSnugCard(page);
    await choice(page, /^Another amount$/).check();
    await page.getByLabel('Another amount', { exact: true }).last().fill('19.99');
    await page.getByText('At least $20.00 now.').waitFor();
    // Without a valid amount, the button names none, and the missing amount is reported in any case.
    const payWithoutAmount = page.getByRole('button', { name: 'Pay', exact: true });
    await payWithoutAmount.click();
    await page.getByText('Please fill in all required fields:').waitFor();
    await page.getByText('Enter $20.00 to $164.00.').waitFor();
    await expectGood(page, 'pay-part');
    await page.getByLabel('Another amount', { exact: true }).last().fill('20');
    await page.getByText(/^At least \$20\.00 now\. \$164\.00 will be left, due \w+ \d+, \d{4}\.$/).waitFor();
    await page.getByLabel('Another amount', { exact: true }).last().fill('19.99');
    await payNow(page, payWithoutAmount);
    await page.getByText('Enter $20.00 to $164.00.').waitFor();
    await choice(page, /^Deposit \$46\.00$/).check();
    await expectText(payButton(page), 'Pay $46.00');
    await payButton(page).click();
    await successHeading(page).waitFor();
    await page.getByText('$138.00 is left of $184.00.').waitFor();
    expect(await page.getByText('Paid', { exact: true }).count()).toBe(0);
    await page.getByRole('link', { name: 'View receipt' }).click();
    await page.getByText(/^You paid \$46\.00 of \$184\.00\. \$138\.00 is left, due \w+ \d+, \d{4}\.$/).waitFor();
    await expectGood(page, 'receipt-part');

    await staff.reload();
    await staff.getByText('Partly paid').first().waitFor();
    await openForm(page, address);
    await page.getByText(/^\$46\.00 of \$184\.00 is paid, \$46\.00 on \w+ \d+, \d{4}\.$/).waitFor();
    await choice(page, /^The rest \$138\.00$/).waitFor();
    await choice(page, /^Another amount$/).check();
    await page.getByLabel('Another amount', { exact: true }).last().fill('118');
    await payNow(page);
    await successHeading(page).waitFor();
    // The last part offers no choice.
    await openForm(page, address);
    await expectText(payButton(page), 'Pay $20.00');
    expect(await page.getByRole('radio').count()).toBe(0);
    await expectSnugCard(page);
    await payNow(page);
    await successHeading(page).waitFor();
    expect((await product.charges(number)).map(({ amount }) => amount).sort()).toEqual(['118.00', '20.00', '46.00']);
    await page.goto(address);
    await page.getByText('This invoice is already paid.').waitFor();
  });

  it.each(languages)(
    'is read in order, cuts no text and is paid by keyboard alone (%s)',
    { timeout },
    async (language) => {
      const [partTexts, formTexts] = [wordsIn(partWords, language), wordsIn(formWords, language)];
      const email = `${crypto.randomUUID().slice(0, 8)}@payer.example`;
      const contact = {
        firstname: 'Ivy',
        lastname: 'Whitfield',
        email,
        address: '418 Maple Street',
        city: 'Indianapolis',
      };
      const { address, invoiceId, number } = await product.makeLink({
        contact: { ...contact, state: 'IN', zip: '46204' },
      });
      await openInvoice(await merchantPage(), product.appUrl, invoiceId);
      const page = await openIn(newPage, address, language);
      await page.getByText(partTexts.howMuch).waitFor();
      expectInOrder(await treeOf(page), [
        `heading "${formTexts.amountDue}`,
        `heading "${partTexts.howMuch}"`,
        `radio "${partTexts.full} $184.00"`,
        `radio "${partTexts.deposit} $46.00"`,
        `radio "${partTexts.other}"`,
        `heading "${formTexts.cardDetails}"`,
        'iframe',
        `checkbox "${formTexts.isCardAddress}"`,
      ]);
      await tabTo(page, page.getByRole('radio').first());
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await tabAndType(page, page.locator('input[name=part]'), '50');
      await expectWhole(page);
      await expectGood(page, `pay-part-${language}`);
      const frame = page.frameLocator(`iframe[title="${formTexts.cardDetails}"]`);
      await tabAndType(page, frame.getByLabel('Card number'), CARDS.approves);
      await tabAndType(page, frame.getByLabel('Expiration'), '1249');
      await tabAndType(page, frame.getByLabel('Security code'), '999');
      await tabTo(page, page.getByLabel(formTexts.isCardAddress));
      await page.keyboard.press('Space');
      await tabTo(page, page.getByLabel(fill(wordsIn(billWords, language).tick, { name: 'Ivy Whitfield' })));
      await page.keyboard.press('Space');
      await tabTo(page, page.locator('button[type=submit]'));
      await page.keyboard.press('Enter');
      await page.getByText(fill(partTexts.stillLeft, { left: '$134.00', base: '$184.00' })).waitFor();
      await expectWhole(page);
      expect((await product.charges(number)).map(({ amount }) => amount)).toEqual(['50.00']);
    },
  );

  it('shows staff the setting for further invoices under Account', { timeout }, async () => {
    const { invoiceId } = await product.makeLink();
    const staff = await merchantPage();
    await openInvoice(staff, product.appUrl, invoiceId);
    await staff.goto(`${product.appUrl}/account/payments`);
    await staff.getByRole('button', { name: 'Stop allowing partial payments' }).waitFor();
    await expectGood(staff, 'account-parts');
  });
});
