import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openedApi } from '#shared/paths';
import { useBrowser } from '#tests/support/browser/browser';
import { until, useProduct } from '#tests/support/product/product';
import { sql } from '../whole/books.ts';
import { logIn } from '../whole/merchant.ts';
import { payerPage } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();

/**
 * Opens a new link. Its clock stands still but for what a test lets pass, however slow the machine is. `token`: of the
 * staff who are logged in there.
 */
async function visit(token?: string) {
  const { address, payId, invoiceId } = await product.makeLink();
  const page = await payerPage(newPage);
  if (token) await page.context().addCookies([{ name: 'authToken', value: token, url: product.appUrl }]);
  const told: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === openedApi(payId)) told.push(request.method());
  });
  const start = Date.now();
  await page.clock.install({ time: start });
  await page.clock.pauseAt(start + 1000);
  await page.goto(address);
  // Only until the script has begun: what it waits for afterwards is for the test to let pass.
  await expect
    .poll(
      async () => {
        await page.clock.runFor(20);
        return page.locator('astro-island[ssr]').count();
      },
      { timeout: 20_000 },
    )
    .toBe(0);
  // Put in by an effect of the script, as is what listens for a look.
  await page.locator('iframe[title="Card details"]').waitFor({ state: 'attached' });
  /** A request of the page that is answered: all that it sent before is in `told`. */
  const toldSoFar = async () => {
    await page.evaluate(() => fetch(window.location.href).then((answer) => answer.text()));
    return told;
  };
  const openings = async () => {
    const counted = await sql<{ at: number }>(product, 'SELECT at FROM page_views WHERE invoice_id = ?', invoiceId);
    return counted.length;
  };
  const counted = () => until(openings, (count) => count > 0);
  const telling = () => page.waitForResponse((response) => response.url().endsWith(openedApi(payId)));
  return { page, toldSoFar, openings, counted, telling };
}

/** As when another tab is in front, or this one again. */
const putIn = (page: Page, sight: 'visible' | 'hidden') =>
  page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
    document.dispatchEvent(new Event('visibilitychange'));
  }, sight);

describe('pay link opens', { timeout: 60_000 }, () => {
  it('count after ten seconds in view, not on a GET or a shorter visit', async () => {
    const short = await visit();
    await short.page.clock.runFor(9_000);
    expect(await short.toldSoFar()).toEqual([]);
    await short.page.goto(`${product.appUrl}/`);
    expect(await short.openings()).toBe(0);

    const long = await visit();
    const answer = long.telling();
    await long.page.clock.runFor(10_000);
    expect((await answer).status()).toBe(204);
    expect(await long.counted()).toBe(1);
    await long.page.clock.runFor(60_000);
    expect(await long.toldSoFar()).toEqual(['POST']);
    expect(await short.openings()).toBe(0);
  });

  it('count only time in view: another tab in front stops the clock', async () => {
    const { page, toldSoFar, telling, counted } = await visit();
    await page.clock.runFor(5_000);
    await putIn(page, 'hidden');
    await page.clock.runFor(60_000);
    await putIn(page, 'visible');
    await page.clock.runFor(4_000);
    expect(await toldSoFar()).toEqual([]);
    const answer = telling();
    await page.clock.runFor(1_000);
    await answer;
    expect(await counted()).toBe(1);
  });

  it.each([
    ['key', (page: Page) => page.keyboard.press('Tab')],
    ['pointer', (page: Page) => page.mouse.click(5, 5)],
  ])('count at once on a real %s event, not on one dispatched by a script', async (_name, press) => {
    const { page, toldSoFar, telling, counted } = await visit();
    await page.evaluate(() => {
      for (const kind of ['pointerdown', 'keydown']) document.body.dispatchEvent(new Event(kind, { bubbles: true }));
    });
    expect(await toldSoFar()).toEqual([]);
    const answer = telling();
    await press(page);
    await answer;
    expect(await counted()).toBe(1);
    await press(page);
    expect(await toldSoFar()).toEqual(['POST']);
  });
});

describe('visits that do not count as pay link opens', { timeout: 60_000 }, () => {
  it('include a tab that stays hidden for an hour', async () => {
    const { page, toldSoFar, openings } = await visit();
    await putIn(page, 'hidden');
    await page.clock.runFor(3_600_000);
    expect(await toldSoFar()).toEqual([]);
    expect(await openings()).toBe(0);
  });

  it('include those by the billing business', async () => {
    const { token } = await logIn(product.appUrl, 0);
    const { page, telling, openings } = await visit(token);
    const answer = telling();
    await page.mouse.click(5, 5);
    expect((await answer).status()).toBe(204);
    expect(await openings()).toBe(0);
  });
});
