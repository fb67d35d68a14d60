import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { useBrowser } from '#tests/support/browser/browser';
import { type Translation, translate } from '#tests/support/browser/translator';
import { complete } from '#tests/support/complete-only';
import { useProduct } from '#tests/support/product/product';
import {
  banner,
  CARDS,
  confirmingHeading,
  DECLINED,
  expectText,
  fillCard,
  payButton,
  payerPage,
  payWith,
  REFUSED,
  successHeading,
} from './payer.ts';
import { useScreens } from './screens.ts';

const product = useProduct();
const newPage = useBrowser();
const screens = useScreens(product, newPage);
const { fault, clearFaults } = product;
afterEach(clearFaults);

/** The texts that the page must show after `n - 1` steps, by the id of their element. */
function textsAfter(n: number): Record<string, string> {
  const isOdd = n % 2 === 1;
  return {
    count: `${n} payments of $${n}.10`,
    branches: isOdd ? 'declined and more' : 'confirmed and more',
    going: isOdd ? 'before odd  after' : 'before  even after',
    element: isOdd ? 'text' : 'newtext',
    alone: isOdd ? 'only' : 'other',
    order: isOdd ? 'abc' : 'cab',
  };
}

/** Bundles the script of a page whose texts React changes. */
async function script(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['tests/support/browser/translated-texts.tsx'],
    bundle: true,
    write: false,
    jsx: 'automatic',
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]?.text ?? '';
}
let code: Promise<string> | undefined;

describe.each<Translation>(['replaces', 'inserts and removes', 'wraps'])('while a browser %s texts', (translation) => {
  it('each text that React changes is shown exactly once', async () => {
    code ??= script();
    const page = await newPage();
    await page.setContent('<div id="texts"></div>');
    await page.addScriptTag({ type: 'module', content: await code });
    const readTexts = () =>
      page.evaluate(() =>
        Object.fromEntries([...document.querySelectorAll('p')].map((p) => [p.id, p.textContent.toLowerCase()])),
      );
    await expect.poll(readTexts).toEqual(textsAfter(1));
    await page.evaluate(`(${translate})(document.body, ${JSON.stringify(translation)})`);
    expect(await page.locator('font').count()).toBeGreaterThan(8);
    for (const n of [2, 3, 4, 5]) {
      await page.getByRole('button').click();
      await expect.poll(readTexts).toEqual(textsAfter(n));
    }
  });
});

const SALE = '/rest/v2/mobile/transactions/sale';

describe.each<Translation>(['replaces', 'wraps'])('the pay page, while a browser %s its texts', (translates) => {
  it('shows a decline, then the payment with another card', async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage, { translates, expected: REFUSED });
    await payWith(page, address, CARDS.declines);
    await expectText(banner(page), DECLINED);
    await fillCard(page);
    await payButton(page).click();
    await successHeading(page).waitFor();
  });

  it('keeps polling for an unknown outcome and shows it', async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage, { translates });
    await fault(SALE, 'drop-after');
    await fault('gateway', 'search-lag', { ms: 600_000 });
    await payWith(page, address);
    await confirmingHeading(page).waitFor();
    await clearFaults();
    await successHeading(page).waitFor();
  });
});

it('a pay page that breaks keeps polling for the outcome and shows it', async () => {
  const { address } = await product.makeLink();
  const page = await payerPage(newPage, { expected: /broken by the test/ });
  await fault(SALE, 'drop-after');
  await fault('gateway', 'search-lag', { ms: 600_000 });
  await payWith(page, address);
  await confirmingHeading(page).waitFor();
  const broken = page.waitForEvent('console', (message) => message.text().includes('broken by the test'));
  // Makes the next render throw.
  await page.evaluate(() => {
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      get: () => () => {
        throw new Error('broken by the test');
      },
    });
  });
  await page.dispatchEvent('body', 'visibilitychange');
  await broken;
  await confirmingHeading(page).waitFor();
  await clearFaults();
  await page.getByRole('heading', { name: /already paid|Payment Successful/ }).waitFor();
});

/** Names of buttons that affect other tests or leave the screen. */
const UNSAFE =
  /log ?out|delete|remove|revoke|close|void|refund|send|email|mail|invite|save|publish|erase|print|copy|download|export|pay \$|proceed|leave|end|stop|passkey|support|restore|begin|start|hand|accept|install|allow/i;
const MAX_BUTTONS = 12;

/** Presses the safe buttons of the screen and changes the values of its fields. */
async function pressSafeControls(page: Page): Promise<void> {
  const buttons = page.getByRole('main').getByRole('button').or(page.getByRole('main').getByRole('tab'));
  for (let at = 0; at < Math.min(MAX_BUTTONS, await buttons.count()); at++) {
    const button = buttons.nth(at);
    if (!(await button.isVisible()) || (await button.isDisabled()) || UNSAFE.test(await button.innerText())) continue;
    await button.click({ timeout: 5000 }).catch(() => undefined);
    await page.keyboard.press('Escape');
  }
  for (const select of await page.getByRole('main').locator('select:visible:enabled').all()) {
    const last = await select.locator('option').last().getAttribute('value');
    if (last) await select.selectOption(last).catch(() => undefined);
  }
  for (const search of await page.getByRole('main').getByRole('searchbox').all()) {
    await search.fill('inv');
    await search.press('Enter');
  }
  await page.waitForLoadState('networkidle');
}

/** Screens of every area for everyday runs; a complete run tests all screens. */
const CORE = [
  ...['dashboard', 'open invoices', 'analytics', 'checks', 'payments', 'customers', 'invoices', 'take payment'],
  ...['team', 'audit trail', 'help', 'content dashboard', 'posts', 'media'],
];
const SCREENS = Object.keys(screens).filter((name) => complete || CORE.includes(name));

describe('a screen, while a browser replaces its texts', () => {
  it('every core screen exists', () => expect(SCREENS).toEqual(expect.arrayContaining(CORE)));

  it.each(SCREENS)('%s works while its controls are used', { timeout: 120_000 }, async (name) => {
    const page = await screens[name]?.({ translates: 'replaces' });
    if (!page) throw new Error(`no screen ${name}`);
    await pressSafeControls(page);
    expect(await page.getByText('Unexpected Application Error!').count()).toBe(0);
    expect(await page.getByRole('heading').count()).toBeGreaterThan(0);
  });
});
