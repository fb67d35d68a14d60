import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openedApi } from '#shared/paths';
import { useBrowser } from '#tests/support/browser/browser';
import { until, useProduct } from '#tests/support/product/product';
import { sql } from '../whole/expect-money.ts';
import { logIn } from '../whole/merchant.ts';
import { payerPage } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();

/**
 * Opens a new link on a fake clock that only the test advances. `token` is the session of the staff who are logged in
 * in this browser.
 */
async function visit(token?: string) {
  const { address, payId, invoiceId } = await product.makeLink();
  const page = await payerPage(newPage);
  if (token) await page.context().addCookies([{ name: 'authToken', value: token, url: product.appUrl }]);
  const methods: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === openedApi(payId)) methods.push(request.method());
  });
  const start = Date.now();
  await page.clock.install({ time: start });
  await page.clock.pauseAt(start + 1000);
  await page.goto(address);
  // Advances the clock only until the script has started; the test advances it after that.
  await expect
    .poll(
      async () => {
        await page.clock.runFor(20);
        return page.locator('astro-island[ssr]').count();
      },
      { timeout: 20_000 },
    )
    .toBe(0);
  // The effect that inserts the frame also adds the listeners.
  await page.locator('iframe[title="Card details"]').waitFor({ state: 'attached' });
  /** Sends a request from the page and waits for its response, so that `methods` has everything sent before. */
  const methodsSoFar = async () => {
    await page.evaluate(() => fetch(window.location.href).then((answer) => answer.text()));
    return methods;
  };
  const countOpens = async () => {
    const rows = await sql<{ at: number }>(product, 'SELECT at FROM page_views WHERE invoice_id = ?', invoiceId);
    return rows.length;
  };
  const waitForOpen = () => until(countOpens, (count) => count > 0);
  const waitForReport = () => page.waitForResponse((response) => response.url().endsWith(openedApi(payId)));
  return { page, methodsSoFar, countOpens, waitForOpen, waitForReport };
}

/** Simulates a switch to another tab or back. */
const setVisibility = (page: Page, visibility: 'visible' | 'hidden') =>
  page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
    document.dispatchEvent(new Event('visibilitychange'));
  }, visibility);

describe('pay link opens', { timeout: 60_000 }, () => {
  it('an open counts after ten seconds in view, not on a GET or a shorter visit', async () => {
    const short = await visit();
    await short.page.clock.runFor(9_000);
    expect(await short.methodsSoFar()).toEqual([]);
    await short.page.goto(`${product.appUrl}/`);
    expect(await short.countOpens()).toBe(0);

    const long = await visit();
    const answer = long.waitForReport();
    await long.page.clock.runFor(10_000);
    expect((await answer).status()).toBe(204);
    expect(await long.waitForOpen()).toBe(1);
    await long.page.clock.runFor(60_000);
    expect(await long.methodsSoFar()).toEqual(['POST']);
    expect(await short.countOpens()).toBe(0);
  });

  it('only time in view counts: another tab in front stops the clock', async () => {
    const { page, methodsSoFar, waitForReport, waitForOpen } = await visit();
    await page.clock.runFor(5_000);
    await setVisibility(page, 'hidden');
    await page.clock.runFor(60_000);
    await setVisibility(page, 'visible');
    await page.clock.runFor(4_000);
    expect(await methodsSoFar()).toEqual([]);
    const answer = waitForReport();
    await page.clock.runFor(1_000);
    await answer;
    expect(await waitForOpen()).toBe(1);
  });

  it.each([
    ['key', (page: Page) => page.keyboard.press('Tab')],
    ['pointer', (page: Page) => page.mouse.click(5, 5)],
  ])('an open counts at once on a real %s event, but not on a scripted event', async (_name, press) => {
    const { page, methodsSoFar, waitForReport, waitForOpen } = await visit();
    await page.evaluate(() => {
      for (const kind of ['pointerdown', 'keydown']) document.body.dispatchEvent(new Event(kind, { bubbles: true }));
    });
    expect(await methodsSoFar()).toEqual([]);
    const answer = waitForReport();
    await press(page);
    await answer;
    expect(await waitForOpen()).toBe(1);
    await press(page);
    expect(await methodsSoFar()).toEqual(['POST']);
  });
});

describe('visits that do not count as pay link opens', { timeout: 60_000 }, () => {
  it('a tab that stays hidden for an hour counts no open', async () => {
    const { page, methodsSoFar, countOpens } = await visit();
    await setVisibility(page, 'hidden');
    await page.clock.runFor(3_600_000);
    expect(await methodsSoFar()).toEqual([]);
    expect(await countOpens()).toBe(0);
  });

  it('a visit by the billing business counts no open', async () => {
    const { token } = await logIn(product.appUrl, 0);
    const { page, waitForReport, countOpens } = await visit(token);
    const answer = waitForReport();
    await page.mouse.click(5, 5);
    expect((await answer).status()).toBe(204);
    expect(await countOpens()).toBe(0);
  });
});
