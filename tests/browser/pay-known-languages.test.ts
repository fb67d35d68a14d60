import { describe, expect, it } from 'vitest';
import { fill, wordsIn } from '#shared/words/bilingual';
import { billWords } from '#shared/words/bill-and-receipt-words';
import { languages } from '#shared/words/language';
import { outcomeWords } from '#shared/words/outcome-words';
import { formWords } from '#shared/words/pay-words';
import { useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { CARDS, expectFocus, REFUSED } from './payer.ts';
import { expectInOrder, expectWhole, openIn, tabAndType, tabTo, treeOf } from './payer-reading.ts';

const product = useProduct();
const newPage = useBrowser();

const HOME = { address: '418 Maple Street', city: 'Indianapolis', state: 'IN', zip: '46204' };
const knownLink = (fields: object = {}) => {
  const email = `${crypto.randomUUID().slice(0, 8)}@payer.example`;
  return product.makeLink({ contact: { firstname: 'Ivy', lastname: 'Whitfield', email, ...HOME }, ...fields });
};
const timeout = 120_000;

describe.each(languages)('a known payer (%s)', { timeout }, (language) => {
  const formTexts = wordsIn(formWords, language);
  const outcomeTexts = wordsIn(outcomeWords, language);
  const signLabel = fill(wordsIn(billWords, language).tick, { name: 'Ivy Whitfield' });
  const [payBefore = ''] = formWords.pay[language].split('{');
  const card = { title: formTexts.cardDetails };

  it('reads the form in payment order with no text cut, and pays by keyboard alone', async () => {
    const { address, number } = await knownLink();
    const page = await openIn(newPage, address, language);
    expectInOrder(await treeOf(page), [
      `heading "${formTexts.amountDue}`,
      `heading "${formTexts.cardDetails}"`,
      'iframe',
      formTexts.payAs,
      `button "${formTexts.change}"`,
      `checkbox "${formTexts.isCardAddress}"`,
      `checkbox "${signLabel}"`,
      `button "${payBefore}$`,
    ]);
    await expectWhole(page);
    const frame = page.frameLocator(`iframe[title="${card.title}"]`);
    await tabAndType(page, frame.getByLabel('Card number'), CARDS.approves);
    await tabAndType(page, frame.getByLabel('Expiration'), '1249');
    await tabAndType(page, frame.getByLabel('Security code'), '999');
    await tabTo(page, page.getByLabel(formTexts.isCardAddress));
    await page.keyboard.press('Space');
    await tabTo(page, page.getByLabel(signLabel));
    await page.keyboard.press('Space');
    await tabTo(page, page.locator('button[type=submit]'));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: outcomeTexts.success }).waitFor();
    expect(await product.charges(number)).toHaveLength(1);
  });

  it('sees a decline in one box with no text cut, and continues with its button', async () => {
    const { address } = await knownLink();
    const page = await openIn(newPage, address, language, REFUSED);
    const frame = page.frameLocator(`iframe[title="${card.title}"]`);
    await frame.getByLabel('Card number').fill(CARDS.declines);
    await frame.getByLabel('Expiration').fill('1249');
    await frame.getByLabel('Security code').fill('999');
    await page.getByLabel(formTexts.isCardAddress).check();
    await page.getByLabel(signLabel).check();
    await page.locator('button[type=submit]').click();
    const box = page.getByRole('alert').filter({ hasText: outcomeTexts.failed });
    await box.waitFor();
    for (const text of [outcomeTexts.error, outcomeTexts.notCharged, outcomeTexts.tryOther, outcomeTexts.support])
      expect(await box.innerText()).toContain(text);
    if (language === 'es') expect(await box.innerText()).not.toMatch(/declined|charged|another card/i);
    await page.getByText(formTexts.otherAddress).waitFor();
    await box.getByText(outcomeTexts.support).click();
    await expectWhole(page);
    await box.getByRole('button', { name: outcomeTexts.okay, exact: true }).click();
    await box.waitFor({ state: 'detached' });
    await expectFocus(page.locator('iframe'));
  });

  it.each([
    ['Ivy', 'Whitfield', '1152.55'],
    ['Alexandra', 'Fernández', '9425.75'],
  ])('sees Pay on the first screen of a phone: %s %s, %s', async (firstname, lastname, amount) => {
    const email = `${crypto.randomUUID().slice(0, 8)}@payer.example`;
    const { address } = await knownLink({ contact: { firstname, lastname, email, ...HOME }, amount });
    const page = await openIn(newPage, address, language);
    const box = await page.locator('button[type=submit]').boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
    await expectWhole(page);
  });
});
