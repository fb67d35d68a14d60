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
  confirming,
  DECLINED,
  expectText,
  fillCard,
  payButton,
  payerPage,
  payWith,
  REFUSED,
  succeeded,
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

/** The script of a page whose texts React changes. */
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

describe.each<Translation>(['replaces', 'inserts and removes', 'wraps'])('while a browser %s texts', (how) => {
  it('each text that React changes is shown, once', async () => {
    code ??= script();
    const page = await newPage();
    await page.setContent('<div id="texts"></div>');
    await page.addScriptTag({ type: 'module', content: await code });
    const shown = () =>
      page.evaluate(() =>
        Object.fromEntries([...document.querySelectorAll('p')].map((p) => [p.id, p.textContent.toLowerCase()])),
      );
    await expect.poll(shown).toEqual(textsAfter(1));
    await page.evaluate(`(${translate})(document.body, ${JSON.stringify(how)})`);
    expect(await page.locator('font').count()).toBeGreaterThan(8);
    for (const n of [2, 3, 4, 5]) {
      await page.getByRole('button').click();
      await expect.poll(shown).toEqual(textsAfter(n));
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
    await succeeded(page).waitFor();
  });

  it('goes on asking for an unknown outcome, and shows it', async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage, { translates });
    await fault(SALE, 'drop-after');
    await fault('gateway', 'search-lag', { ms: 600_000 });
    await payWith(page, address);
    await confirming(page).waitFor();
    await clearFaults();
    await succeeded(page).waitFor();
  });
});

it('a pay page that breaks asks for the outcome, and shows it once it is known', async () => {
  const { address } = await product.makeLink();
  const page = await payerPage(newPage, { expected: /broken by the test/ });
  await fault(SALE, 'drop-after');
  await fault('gateway', 'search-lag', { ms: 600_000 });
  await payWith(page, address);
  await confirming(page).waitFor();
  const broken = page.waitForEvent('console', (message) => message.text().includes('broken by the test'));
  // The next time that the page writes throws.
  await page.evaluate(() => {
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      get: () => () => {
        throw new Error('broken by the test');
      },
    });
  });
  await page.dispatchEvent('body', 'visibilitychange');
  await broken;
  await confirming(page).waitFor();
  await clearFaults();
  await page.getByRole('heading', { name: /already paid|Payment Successful/ }).waitFor();
});

/** Buttons whose press changes something for others, or leaves the screen. */
const GRAVE =
  /log ?out|delete|remove|revoke|close|void|refund|send|email|mail|invite|save|publish|erase|print|copy|download|export|pay \$|proceed|leave|end|stop|passkey|support|restore|begin|start|hand|accept|install|allow/i;
const MOST = 12;

/** Presses what a person may press without harm, and chooses other values. */
async function poke(page: Page): Promise<void> {
  const buttons = page.getByRole('main').getByRole('button').or(page.getByRole('main').getByRole('tab'));
  for (let at = 0; at < Math.min(MOST, await buttons.count()); at++) {
    const button = buttons.nth(at);
    if (!(await button.isVisible()) || (await button.isDisabled()) || GRAVE.test(await button.innerText())) continue;
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

/** Screens of every area; a complete run looks at all. */
const CORE = [
  ...['dashboard', 'open invoices', 'analytics', 'checks', 'payments', 'customers', 'invoices', 'take payment'],
  ...['team', 'audit trail', 'help', 'content dashboard', 'posts', 'media'],
];
const APPS = Object.keys(screens).filter((name) => complete || CORE.includes(name));

describe('a screen, while a browser replaces its texts', () => {
  it('is known by its name', () => expect(APPS).toEqual(expect.arrayContaining(CORE)));

  it.each(APPS)('%s survives what a person presses', { timeout: 120_000 }, async (name) => {
    const page = await screens[name]?.({ translates: 'replaces' });
    if (!page) throw new Error(`no screen ${name}`);
    await poke(page);
    expect(await page.getByText('Unexpected Application Error!').count()).toBe(0);
    expect(await page.getByRole('heading').count()).toBeGreaterThan(0);
  });
});
