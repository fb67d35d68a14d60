import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { useMerchant } from './merchant.ts';
import { expectGood } from './payer.ts';

const product = useProduct();
const merchantPage = useMerchant(useBrowser(), product.appUrl);
const HEADING = 'Unexpected Application Error!';

/** Expects the error inside the app's frame and in the title, with the navigation. */
async function expectWayBack(page: Page) {
  await page.getByRole('heading', { level: 1, name: HEADING }).waitFor();
  await expect.poll(() => page.title()).toContain(HEADING);
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(1);
}

describe('errors of the merchant app', () => {
  it('shows an error inside the app for an unknown address, with a link back', async () => {
    const page = await merchantPage({ expected: /status of 404/ });
    const response = await page.goto(`${product.appUrl}/no/such/screen`);
    expect(response?.status()).toBe(404);
    await expectWayBack(page);
    await expectGood(page, 'app-unknown-address');
    await page.getByRole('main').getByRole('link', { name: 'Go to the start' }).click();
    await page.waitForURL(`${product.appUrl}/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.getByText(HEADING).count()).toBe(0);
  });

  it('replaces a broken screen with an error, and the navigation still leads to other screens', async () => {
    const page = await merchantPage({ expected: /broken by the test/ });
    await page.route(/\/_astro\/UserInfo\.[^/]+\.js$/, async (route) => {
      const response = await route.fetch();
      const code = (await response.text()).replace(/(["`'])User Info\1/, '(()=>{throw Error("broken by the test")})()');
      await route.fulfill({ response, body: code });
    });
    await page.goto(`${product.appUrl}/userinfo`);
    await expectWayBack(page);
    await page
      .getByText(/^This screen could not be shown\. If you have just sent something, check if it was done/)
      .waitFor();
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
  });
});
