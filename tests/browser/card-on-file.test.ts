import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { languages } from '#shared/words/language';
import { keepCardConsent, keepCardOffer, removeCardWords } from '#shared/words/stored-card-words';
import { useProduct } from '#tests/support/product/product';
import { PHONE, useBrowser } from '../support/browser/browser.ts';
import { until } from '../support/product/product.ts';
import { sql } from '../whole/expect-money.ts';
import {
  banner,
  CARDS,
  cardFrame,
  DECLINED,
  expectGood,
  expectText,
  fillBank,
  fillCard,
  fillForm,
  openForm,
  payButton,
  payerPage,
  REFUSED,
  successHeading,
} from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
afterEach(product.clearFaults);

const BUSINESS = 'Maple Street Dental';
const keepCards = (isOn: boolean) => sql(product, 'UPDATE accounts SET keeps_cards = ?', isOn ? 1 : 0);
beforeAll(() => keepCards(true));
afterAll(() => keepCards(false));
/** Switches the cards on file off until the end of the test. */
async function stopKeepingCards(): Promise<void> {
  onTestFinished(() => keepCards(true).then(() => undefined));
  await keepCards(false);
}

const offerIn = (page: Page, language: 'en' | 'es' = 'en') =>
  page.getByRole('checkbox', { name: keepCardOffer(language, BUSINESS).offer });
const bodyOf = async (page: Page) => (await page.waitForRequest('**/takePaymentSDK/*')).postDataJSON();

/** The cards that the payer of an invoice has kept. */
const cardsOf = ({ email }: { email: string }) =>
  sql<{ last_four: string; consent_words: string; ended_reason: string | null; remove_key: string }>(
    product,
    'SELECT last_four, consent_words, ended_reason, remove_key FROM stored_cards WHERE email = ?',
    email,
  );

async function openOffer(language: 'en' | 'es' = 'en') {
  const link = await product.makeLink();
  const page = await payerPage(newPage, { viewport: PHONE, expected: REFUSED });
  await page.goto(`${link.address}?lang=${language}`);
  await offerIn(page, language).waitFor();
  return { link, page };
}

/** Pays with a card that the payer keeps, and returns the link to remove it from the receipt's email. */
async function keepCard() {
  const link = await product.makeLink();
  const response = await product.pay(link.payId, await product.form({ keepCard: true }));
  expect(response.status).toBe(200);
  const mails = await until(
    () => product.mailTo(link.email),
    (sent) => sent.some(({ text }) => text.includes('/card/')),
  );
  const [address = ''] = /http\S+\/card\/[\w-]+/.exec(mails.map(({ text }) => text).join('\n')) ?? [];
  return { link, address };
}

describe('the offer to keep the card', () => {
  it('is unticked, and a payer who leaves it so keeps no card', async () => {
    const { link, page } = await openOffer();
    expect(await offerIn(page).isChecked()).toBe(false);
    await fillForm(page);
    const sent = bodyOf(page);
    await payButton(page).click();
    expect(await sent).not.toHaveProperty('keepCard');
    await successHeading(page).waitFor();
    expect(await cardsOf(link)).toEqual([]);
  });

  it('keeps the card with the words that the payer ticked, after a payment that was charged once', async () => {
    const { link, page } = await openOffer();
    await fillForm(page);
    await offerIn(page).check();
    const sent = bodyOf(page);
    await payButton(page).click();
    expect(await sent).toMatchObject({ keepCard: true, paymentType: 'card' });
    await successHeading(page).waitFor();
    const consent = { last_four: '1111', consent_words: keepCardConsent('en', BUSINESS), ended_reason: null };
    expect(await cardsOf(link)).toMatchObject([consent]);
    expect(await product.charges(link.number)).toHaveLength(1);
  });

  it('keeps no declined card, but the one that pays', async () => {
    const { link, page } = await openOffer();
    await fillForm(page, CARDS.declines);
    await offerIn(page).check();
    await payButton(page).click();
    await expectText(banner(page), DECLINED);
    expect(await cardsOf(link)).toEqual([]);
    expect(await offerIn(page).isChecked()).toBe(true);
    await fillCard(page);
    await payButton(page).click();
    await successHeading(page).waitFor();
    expect(await cardsOf(link)).toMatchObject([{ last_four: '1111' }]);
  });

  it('disappears with a bank account, and is unticked when the payer returns to the card', async () => {
    const { page } = await openOffer();
    await offerIn(page).check();
    await fillBank(page);
    await expect.poll(() => offerIn(page).count()).toBe(0);
    await cardFrame(page).getByRole('tab', { name: 'Card' }).click();
    await offerIn(page).waitFor();
    expect(await offerIn(page).isChecked()).toBe(false);
  });

  it.each(languages)('is accessible and fits the screen, above the button, in %s', async (language) => {
    const { page } = await openOffer(language);
    await page.locator('#pay-keepCard-terms', { hasText: keepCardOffer(language, BUSINESS).terms }).waitFor();
    const [offer, button] = [offerIn(page, language), page.locator('button[type=submit]')];
    expect((await offer.boundingBox())?.y).toBeLessThan((await button.boundingBox())?.y ?? 0);
    await expectGood(page, `pay-keep-card-${language}`);
  });

  it('is absent while the business keeps no cards, and its script is not loaded', async () => {
    await stopKeepingCards();
    const { address } = await product.makeLink();
    const page = await payerPage(newPage, { viewport: PHONE });
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    await openForm(page, address);
    await page.waitForLoadState('networkidle');
    expect(await offerIn(page).count()).toBe(0);
    expect(scripts.filter((url) => /KeepCard|shared-form/.test(url))).toEqual([]);
  });
});

describe('the page of a stored card', () => {
  it.each(languages)('shows the card, and removes it at one press, without a script (%s)', async (language) => {
    const { link, address } = await keepCard();
    const page = await payerPage(newPage, { viewport: PHONE, javaScriptEnabled: false });
    const response = await page.goto(`${address}?lang=${language}`);
    expect(response?.headers()).toMatchObject({ 'x-robots-tag': 'noindex, nofollow', 'cache-control': 'no-store' });
    const [before = '', after = ''] = removeCardWords.keeps[language].split('{business}');
    await expectText(page.locator('h1'), `${before}${BUSINESS}${after}`);
    await expectText(page.locator('main'), /1111/);
    expect(await cardsOf(link)).toMatchObject([{ ended_reason: null }]);
    await page.getByRole('button', { name: removeCardWords.remove[language] }).click();
    await expectText(page.locator('h1'), removeCardWords.removed[language]);
    expect(await cardsOf(link)).toMatchObject([{ ended_reason: 'removed_by_payer' }]);
    await page.goto(`${address}?lang=${language}`);
    await expectText(page.locator('h1'), removeCardWords.removed[language]);
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it.each(languages)(
    'is accessible and fits the screen, with the card and after it was removed, in %s',
    async (language) => {
      const { address } = await keepCard();
      const page = await payerPage(newPage, { viewport: PHONE });
      await page.goto(`${address}?lang=${language}`);
      expect(await page.locator('script').count()).toBe(0);
      await expectGood(page, `card-${language}`);
      await page.getByRole('button', { name: removeCardWords.remove[language] }).click();
      await page.getByRole('heading', { name: removeCardWords.removed[language] }).waitFor();
      await expectGood(page, `card-removed-${language}`);
    },
  );

  it('still removes a card after the business has stopped keeping cards', async () => {
    const { link, address } = await keepCard();
    await stopKeepingCards();
    const page = await payerPage(newPage, { viewport: PHONE });
    await page.goto(address);
    await page.getByRole('button', { name: 'Remove this card' }).click();
    await page.getByRole('heading', { name: 'This card has been removed.' }).waitFor();
    expect(await cardsOf(link)).toMatchObject([{ ended_reason: 'removed_by_payer' }]);
  });

  it.each(languages)('tells that a link which was never issued leads to no card, in %s', async (language) => {
    const page = await payerPage(newPage, { viewport: PHONE, expected: REFUSED });
    const response = await page.goto(`${product.appUrl}/card/${'A'.repeat(46)}?lang=${language}`);
    expect(response?.status()).toBe(404);
    await expectText(page.locator('h1'), removeCardWords.notFound[language]);
    expect(await page.locator('form').count()).toBe(0);
    await expectGood(page, `card-unknown-${language}`);
  });
});
