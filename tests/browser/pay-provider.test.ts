import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { useBrowser } from '../support/browser/browser.ts';
import {
  banner,
  cardNumber,
  draw,
  expectGood,
  expectText,
  fillCard,
  fillDetails,
  fillForm,
  openForm,
  payButton,
  payerPage,
  REFUSED,
  successHeading,
} from './payer.ts';

const product = useProduct();
const newPage = useBrowser();

const SCRIPT = '**/js-sdk/js/clearent-host.js';
const TOKEN_CALL = '**/rest/v2/mobilejwt/manual';

const notCharged = (sentence: string) => new RegExp(`^${sentence} You have not been charged\\. Go to card details$`);

/** Presses Pay on a filled form and checks the banner, then ends the fault and pays with the same form. */
async function expectRefusedThenPaid(page: Page, number: string, sentence: string, endFault: () => Promise<void>) {
  await payButton(page).click();
  await expectText(banner(page), notCharged(sentence));
  expect(await product.charges(number)).toEqual([]);
  await endFault();
  await payButton(page).click();
  await successHeading(page).waitFor();
  expect(await product.charges(number)).toHaveLength(1);
}

describe('card provider on the pay page', () => {
  it('leaves bill and contact visible when it fails to load; Pay explains why and Retry loads the form', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await page.route(SCRIPT, (route) => route.abort());
    await page.goto(address);
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to load Clearent SDK' });
    await failure.waitFor();
    expect(await failure.innerText()).toContain('You have not been charged. Check your connection, then press Retry.');
    const bill = page.getByRole('complementary', { name: 'Invoice' });
    expect(await bill.innerText()).toContain(number);
    const contact = page.getByRole('region', { name: 'Questions about this bill?' });
    expect(await contact.getByRole('link').first().getAttribute('href')).toMatch(/^tel:/);
    await expectGood(page, 'pay-no-sdk');

    await fillDetails(page);
    await draw(page);
    await payButton(page).click();
    await expectText(banner(page), notCharged('Payment SDK not initialized'));
    expect(await product.charges(number)).toEqual([]);

    await page.unroute(SCRIPT);
    await failure.getByRole('button', { name: 'Retry' }).click();
    await cardNumber(page).waitFor();
    await fillCard(page);
    await payButton(page).click();
    await successHeading(page).waitFor();
    expect(await product.charges(number)).toHaveLength(1);
  });

  it('shows its fields while the page’s own script is still loading, and typed values are kept', async () => {
    const { address, number } = await product.makeLink();
    expect((await fetch(address)).headers.get('link')).toMatch(/clearent-host\.js>; rel=preload; as=script$/);
    const page = await payerPage(newPage);
    const gate = Promise.withResolvers<void>();
    await page.route('**/_astro/*.js', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto(address, { waitUntil: 'commit' });
    await fillCard(page);
    expect(await page.locator('iframe').getAttribute('title')).toBe('Card details');
    expect(await page.getByText('Loading...').isVisible()).toBe(false);
    expect(await page.locator('button[type=submit]').count()).toBe(0);
    gate.resolve();
    await page.locator('button[type=submit]').waitFor();
    await fillDetails(page);
    await draw(page);
    await payButton(page).click();
    await successHeading(page).waitFor();
    expect(await product.charges(number)).toHaveLength(1);
  });

  it.each<{ until: string; act: (page: Page, answerFrame: () => void) => unknown }>([
    { until: 'its frame is complete', act: (_page, answerFrame) => answerFrame() },
    { until: 'the payer touches the page', act: (page) => page.getByLabel('First Name').click() },
    { until: 'three seconds have passed', act: (page) => page.clock.runFor(3000) },
  ])('loads first: the page’s own script waits until $until', async ({ act }) => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage);
    await page.clock.install();
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (/\/_astro\/.*\.js$/.test(request.url())) scripts.push(request.url());
    });
    const gate = Promise.withResolvers<void>();
    const frameRequested = Promise.withResolvers<void>();
    await page.route('**/js-sdk/frame', async (route) => {
      frameRequested.resolve();
      await gate.promise;
      await route.continue();
    });
    await page.goto(address, { waitUntil: 'commit' });
    await frameRequested.promise;
    await page.waitForFunction(() => 'after-card' in ((window as { Astro?: object }).Astro ?? {}));
    await page.waitForFunction(() => customElements.get('astro-island') !== undefined);
    expect(scripts).toEqual([]);
    await act(page, gate.resolve);
    await page.locator('button[type=submit]').waitFor();
    gate.resolve();
    await cardNumber(page).waitFor();
  });

  it('counts as not loaded when its script is a different one', async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage);
    await page.route(SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: '"something else"' }));
    await page.goto(address);
    await page.getByText('Failed to load Clearent SDK').waitFor();
    await page.unroute(SCRIPT);
    await page.getByRole('button', { name: 'Retry' }).click();
    await cardNumber(page).waitFor();
  });

  it("shows 'Failed to initiate payment process' when it throws on a token request", async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage);
    await page.route(SCRIPT, async (route) => {
      const response = await route.fetch();
      const script = (await response.text()).replace(
        'getPaymentToken() {',
        'getPaymentToken() { if (!window.isMended) throw new Error("not now");',
      );
      await route.fulfill({ response, body: script });
    });
    await openForm(page, address);
    await fillForm(page);
    await expectRefusedThenPaid(page, number, 'Failed to initiate payment process', async () => {
      await page.evaluate('window.isMended = true');
    });
  });

  it("shows 'Payment token generation failed' when its own frame cannot reach it", async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await openForm(page, address);
    await fillForm(page);
    await page.route(TOKEN_CALL, (route) => route.abort());
    await expectRefusedThenPaid(page, number, 'Payment token generation failed', () => page.unroute(TOKEN_CALL));
  });

  it('shows the reason after the message when it refuses the token', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await openForm(page, address);
    await fillForm(page);
    await product.fault('/rest/v2/mobilejwt', '500');
    await expectRefusedThenPaid(page, number, 'Payment token generation failed: Internal error', async () => {});
  });

  for (const [sentence, payload] of [
    [
      'Invalid payment token received',
      { payload: { payloadType: 'mobile-jwt', 'mobile-jwt': { 'last-four': '1111' } } },
    ],
    ['Invalid payment response received', {}],
  ] as const) {
    it(`shows '${sentence}' when it responds without the requested token`, async () => {
      const { address, number } = await product.makeLink();
      const page = await payerPage(newPage);
      await openForm(page, address);
      await fillForm(page);
      await page.route(TOKEN_CALL, (route) => route.fulfill({ json: { code: '200', status: 'success', ...payload } }));
      await expectRefusedThenPaid(page, number, sentence, () => page.unroute(TOKEN_CALL));
    });
  }
});
