import type { Browser, Page } from 'playwright-core';
import { hubs } from '#sandbox/credentials';
import { launchBrowser } from '#tests/support/browser/chromium';
import { type Product, startProduct } from '#tests/support/product/product-process';

/** Does this with a browser and a product of its own, with these settings, and ends both. */
export async function withProduct(
  work: (browser: Browser, product: Product) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const product = await startProduct({ env });
  try {
    await withBrowser((browser) => work(browser, product));
  } finally {
    await product.stop();
  }
}

export async function withBrowser(work: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await launchBrowser();
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}

/** The account on whose screens pictures are taken. */
export const [account] = hubs;

/** On the CRM's consent page: the first account is let in. */
export async function grantAccess(page: Page, appUrl: string): Promise<void> {
  await page.getByRole('radio', { name: account.name }).check();
  await page.getByRole('button', { name: 'Grant access' }).click();
  await page.waitForURL(`${appUrl}/`);
}
