import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { wordsIn } from '#shared/words/bilingual';
import { receiptPageWords, receiptWords } from '#shared/words/bill-and-receipt-words';
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
  page.locator('#receipt').evaluate((receipt, minimum) => {
    const texts = document.createTreeWalker(receipt, NodeFilter.SHOW_TEXT);
    const small: string[] = [];
    while (texts.nextNode()) {
      const { parentElement: parent, nodeValue } = texts.currentNode;
      if (!parent?.checkVisibility() || !nodeValue?.trim()) continue;
      const size = Number.parseFloat(getComputedStyle(parent).fontSize);
      if (size < minimum) small.push(`${parent.className} "${nodeValue.trim()}": ${size}`);
    }
    return small;
  }, LARGE_PRINT);

const open = (address: string, language: Language) => openIn(newPage, address, language);

describe.each(languages)('payer pages (%s)', (language) => {
  const formTexts = wordsIn(formWords, language);
  const fieldTexts = wordsIn(fieldWords, language);
  const padTexts = wordsIn(padWords, language);
  const outcomeTexts = wordsIn(outcomeWords, language);
  const receiptTexts = wordsIn(receiptPageWords, language);
  const amountLabel = receiptWords.youPaid[language];
  const [payBefore = ''] = formWords.pay[language].split('{');

  it('the reading order follows the payment steps', async () => {
    const { address } = await product.makeLink();
    const tree = await treeOf(await open(address, language));
    expectInOrder(tree, [
      `heading "${formTexts.amountDue}`,
      `heading "${formTexts.cardDetails}"`,
      'iframe',
      `heading "${formTexts.details}"`,
      ...[fieldTexts.firstName, fieldTexts.lastName, fieldTexts.address, fieldTexts.address2, fieldTexts.city].map(
        (name) => `textbox "${name}`,
      ),
      fieldTexts.state,
      `textbox "${fieldTexts.zip}"`,
      `"${padTexts.signature}"`,
      `button "${signWords.otherWay[language]}"`,
      `button "${payBefore}$`,
    ]);
    expect(tree).not.toMatch(/^- (?:textbox|combobox|checkbox|button)(?::|$)/m);
  });

  it('a payer pays by keyboard alone, with every field typed and no text cut from bill to receipt', async () => {
    const { address } = await product.makeLink();
    const page = await open(address, language);
    await expectWhole(page);
    const frame = page.frameLocator(`iframe[title="${wordsIn(formWords, language).cardDetails}"]`);
    await tabAndType(page, frame.getByLabel('Card number'), CARDS.approves);
    await tabAndType(page, frame.getByLabel('Expiration'), '1249');
    await tabAndType(page, frame.getByLabel('Security code'), '999');
    const fieldNamed = (name: string) => page.getByLabel(name, { exact: true });
    await tabAndType(page, fieldNamed(fieldTexts.firstName), 'Marta');
    await tabAndType(page, fieldNamed(fieldTexts.lastName), 'Núñez');
    await tabAndType(page, fieldNamed(fieldTexts.address), '4 Elm St');
    await tabAndType(page, fieldNamed(fieldTexts.city), 'Indianapolis');
    await tabAndType(page, fieldNamed(fieldTexts.state), 'IN');
    await tabAndType(page, fieldNamed(fieldTexts.zip), '46204');
    await tabTo(page, page.getByRole('button', { name: signWords.otherWay[language] }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: padTexts.type, exact: true }));
    await page.keyboard.press('Enter');
    await tabAndType(page, page.getByLabel(padTexts.fullName), NAME);
    await tabTo(page, page.locator('button[type=submit]'));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: outcomeTexts.success }).waitFor();
    await expectWhole(page);

    await tabTo(page, page.getByRole('link', { name: outcomeTexts.viewReceipt }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: receiptTexts.title, exact: true }).waitFor();
    expectInOrder(await treeOf(page), [
      `heading "${receiptTexts.title}"`,
      `button "${receiptTexts.print}"`,
      amountLabel,
      receiptTexts.invoice,
      receiptTexts.money,
      receiptTexts.method,
      receiptTexts.result,
      `img "${receiptTexts.signatureOfPayer}"`,
    ]);
    await expectWhole(page);

    await tabTo(page, page.getByRole('button', { name: receiptTexts.large }));
    await page.keyboard.press('Enter');
    // No expectWhole(): the text is already enlarged.
    await expectUncut(page);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize(PAPER);
    expect(await smallTexts(page)).toEqual([]);
  });
});
