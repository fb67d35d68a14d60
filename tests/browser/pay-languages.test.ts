import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { receiptPageWords, receiptWords } from '#shared/words/bill-and-receipt-words';
import { wordsIn } from '#shared/words/both';
import { type Language, languages } from '#shared/words/language';
import { outcomeWords } from '#shared/words/outcome-words';
import { fieldWords, formWords } from '#shared/words/pay-words';
import { padWords, signWords } from '#shared/words/sign-words';
import { useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { CARDS } from './payer.ts';
import { expectInOrder, expectUncut, expectWhole, openIn, PAPER, tabAndType, tabTo, treeOf } from './payer-reading.ts';

const product = useProduct();
const newPage = useBrowser();

const NAME = 'Marta Núñez';

/** The minimum for large print: 16 points, in pixels, less a rounding tolerance. */
const LARGE_PRINT = (16 * 96) / 72 - 0.1;

/** The receipt's texts below that minimum, each with its size in pixels. */
const smallTexts = (page: Page): Promise<string[]> =>
  page.locator('#receipt').evaluate((receipt, least) => {
    const texts = document.createTreeWalker(receipt, NodeFilter.SHOW_TEXT);
    const small: string[] = [];
    while (texts.nextNode()) {
      const { parentElement: parent, nodeValue } = texts.currentNode;
      if (!parent?.checkVisibility() || !nodeValue?.trim()) continue;
      const size = Number.parseFloat(getComputedStyle(parent).fontSize);
      if (size < least) small.push(`${parent.className} "${nodeValue.trim()}": ${size}`);
    }
    return small;
  }, LARGE_PRINT);

const open = (address: string, language: Language) => openIn(newPage, address, language);

describe.each(languages)('payer pages (%s)', (language) => {
  const form = wordsIn(formWords, language);
  const field = wordsIn(fieldWords, language);
  const pad = wordsIn(padWords, language);
  const outcome = wordsIn(outcomeWords, language);
  const receipt = wordsIn(receiptPageWords, language);
  const amountLabel = receiptWords.youPaid[language];
  const [payBefore = ''] = formWords.pay[language].split('{');

  it('have a reading order that follows the payment steps', async () => {
    const { address } = await product.makeLink();
    const tree = await treeOf(await open(address, language));
    expectInOrder(tree, [
      `heading "${form.amountDue}`,
      `heading "${form.cardDetails}"`,
      'iframe',
      `heading "${form.details}"`,
      ...[field.firstName, field.lastName, field.address, field.address2, field.city].map((name) => `textbox "${name}`),
      field.state,
      `textbox "${field.zip}"`,
      `"${pad.signature}"`,
      `button "${signWords.others[language]}"`,
      `button "${payBefore}$`,
    ]);
    expect(tree).not.toMatch(/^- (?:textbox|combobox|checkbox|button)(?::|$)/m);
  });

  it('are paid by keyboard alone, with every field typed and no text cut from bill to receipt', async () => {
    const { address } = await product.makeLink();
    const page = await open(address, language);
    await expectWhole(page);
    const frame = page.frameLocator(`iframe[title="${wordsIn(formWords, language).cardDetails}"]`);
    await tabAndType(page, frame.getByLabel('Card number'), CARDS.approves);
    await tabAndType(page, frame.getByLabel('Expiration'), '1249');
    await tabAndType(page, frame.getByLabel('Security code'), '999');
    const labelled = (name: string) => page.getByLabel(name, { exact: true });
    await tabAndType(page, labelled(field.firstName), 'Marta');
    await tabAndType(page, labelled(field.lastName), 'Núñez');
    await tabAndType(page, labelled(field.address), '4 Elm St');
    await tabAndType(page, labelled(field.city), 'Indianapolis');
    await tabAndType(page, labelled(field.state), 'IN');
    await tabAndType(page, labelled(field.zip), '46204');
    await tabTo(page, page.getByRole('button', { name: signWords.others[language] }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: pad.type, exact: true }));
    await page.keyboard.press('Enter');
    await tabAndType(page, page.getByLabel(pad.fullName), NAME);
    await tabTo(page, page.locator('button[type=submit]'));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: outcome.success }).waitFor();
    await expectWhole(page);

    await tabTo(page, page.getByRole('link', { name: outcome.viewReceipt }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: receipt.title, exact: true }).waitFor();
    expectInOrder(await treeOf(page), [
      `heading "${receipt.title}"`,
      `button "${receipt.print}"`,
      amountLabel,
      receipt.invoice,
      receipt.money,
      receipt.method,
      receipt.result,
      `img "${receipt.signatureOfPayer}"`,
    ]);
    await expectWhole(page);

    await tabTo(page, page.getByRole('button', { name: receipt.large }));
    await page.keyboard.press('Enter');
    // No expectWhole(): the text is already enlarged.
    await expectUncut(page);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize(PAPER);
    expect(await smallTexts(page)).toEqual([]);
  });
});
