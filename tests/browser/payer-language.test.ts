import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { htmlLang } from '#shared/words/language';
import { expectAccessible, picture, settle, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { sql } from '../whole/expect-money.ts';
import { phone, useMerchant } from './merchant.ts';
import { expectText, payerPage } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

/** Returns the language of the pay page in a browser with this locale. */
async function languageFor(locale: string, address: string): Promise<string | null> {
  const page = await payerPage(newPage, { locale, javaScriptEnabled: false });
  await page.goto(address);
  return page.locator('html').getAttribute('lang');
}

async function choose(page: Page, language: 'English' | 'Spanish'): Promise<void> {
  const section = page.getByRole('region', { name: 'Language of payers' });
  await section.getByRole('button', { name: `Use ${language}` }).click();
  const dialog = page.getByRole('dialog', { name: `Use ${language} for payers?` });
  await dialog.getByRole('button', { name: `Use ${language}` }).click();
  await page.getByText(`Payers whose language is not known now get ${language}.`).waitFor();
  await expectText(section, new RegExp(`^Language of payers ${language} `));
}

describe('default payer language', () => {
  it('is set under Account, and applies when the browser asks for neither language', async () => {
    const { address } = await product.makeLink();
    expect(await languageFor('is-IS', address)).toBe(htmlLang.en);
    const page = await merchantPage({ theme: 'dark', ...phone });
    await page.goto(`${product.appUrl}/account/payments`);
    const section = page.getByRole('region', { name: 'Language of payers' });
    await expectText(section, /English/);
    await settle(page);
    await expectAccessible(page);
    await picture(page, 'payer-language-dark-phone');
    // Restores the language even if the test fails, because mails of other tests would be in Spanish.
    onTestFinished(async () => void (await sql(product, 'UPDATE accounts SET payer_language = ?', 'en')));
    await choose(page, 'Spanish');
    expect(await languageFor('is-IS', address)).toBe(htmlLang.es);
    expect(await languageFor('en-US', address)).toBe(htmlLang.en);
    expect(await languageFor('is-IS', `${address}?lang=en`)).toBe(htmlLang.en);
    await choose(page, 'English');
    expect(await languageFor('is-IS', address)).toBe(htmlLang.en);
  });
});
