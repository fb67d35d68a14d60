import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchBrowser } from './chromium.ts';

export { launchBrowser } from './chromium.ts';

const require = createRequire(import.meta.url);

export type Theme = 'light' | 'dark';
export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 900 };

/** One browser for a test file; each page has a context of its own and fails the test when its console holds an error. */
export function useBrowser() {
  let browser: Browser;
  const open: Page[] = [];
  const errors: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') for (const page of open) console.log(await whereIs(page));
    await Promise.all(open.splice(0).map((page) => page.context().close()));
    const told = errors.splice(0);
    expect(told, `errors in the browser console: ${told.join('; ')}`).toEqual([]);
  });
  afterAll(() => browser?.close());

  /** `expected` are console errors that the test provokes, such as a refused request. */
  return async function newPage(
    options: BrowserContextOptions & { theme?: Theme; expected?: RegExp } = {},
  ): Promise<Page> {
    const { theme = 'light', expected, ...rest } = options;
    // A service worker would take requests out of the hands of a test that answers them itself.
    const usual = { locale: 'en-US', viewport: DESKTOP, serviceWorkers: 'block' } as const;
    const context = await browser.newContext({ ...usual, colorScheme: theme, ...rest });
    const page = await context.newPage();
    open.push(page);
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !expected?.test(message.text())) errors.push(message.text());
    });
    return page;
  };
}

/** What stands in each tab of a page's context, for whoever looks for the cause of a failure. */
const whereIs = async (page: Page): Promise<string> => {
  const tabs = page.context().pages();
  const texts = tabs.map((tab) => tab.locator('body').innerText({ timeout: 2000 }).catch(String));
  return (await Promise.all(texts)).map((text, at) => `${tabs[at]?.url()}\n${text.slice(0, 1500)}`).join('\n\n');
};

const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

type AxeResult = { violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[] };

/** What is asked for anew is paler until it is there. */
const REFRESHING = '.table-refreshing, .charts[aria-busy], .media-grid[aria-busy]';

/** Colours that are still changing would be measured half-way: what moves and ends is at its end now. */
export async function settle(page: Page): Promise<void> {
  await expect.poll(() => page.locator(REFRESHING).count()).toBe(0);
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    for (const animation of ending) animation.finish();
  });
}

/** No accessibility finding on the page once it has settled, no rule switched off. */
export async function expectAccessible(page: Page): Promise<void> {
  await settle(page);
  for (const frame of [page.mainFrame()]) {
    await frame.evaluate(axeSource);
    const { violations } = (await frame.evaluate('axe.run(document, { iframes: false })')) as AxeResult;
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${String(target)}: ${failureSummary}`),
    );
    // The list as a message too: a report shortens what it compares.
    expect(found, found.join('\n')).toEqual([]);
  }
}

/** Keep a picture for a person to look at: tests/.output/pictures. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = path.resolve('tests/.output/pictures');
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}
