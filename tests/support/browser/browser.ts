import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import { noteVisit } from '../journeys/visits.ts';
import { keepEvidence } from './failed-page.ts';
import { type Translation, translatorOf } from './translator.ts';
import { type LentContext, lendContext, returnContext } from './warm-contexts.ts';

export { launchBrowser } from './chromium.ts';

const require = createRequire(import.meta.url);

/** Options for files that test motion. */
export const WITH_MOTION = { reducedMotion: 'no-preference' } as const;

export type Theme = 'light' | 'dark';
export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 900 };

/** `expected` matches console errors that the test provokes, such as a refused request. */
export type PageOptions = BrowserContextOptions & {
  theme?: Theme;
  expected?: RegExp;
  /** The way in which the browser translates the page, from its first text on. */
  translates?: Translation;
};

/** Resource types whose requests go into the evidence of a failed test. */
const WORTH_KEEPING = new Set(['document', 'fetch', 'xhr']);

/**
 * Returns a function that opens a page in its own context. A console error on the page fails the test. Pages reduce
 * motion, which makes tests a tenth faster; `usual` holds the options of files whose pages differ.
 */
export function useBrowser(usual: PageOptions = {}) {
  const lent: LentContext[] = [];
  const errors: string[] = [];
  const consoleLines: string[] = [];
  afterEach(async ({ task }) => {
    const consoleErrors = errors.splice(0);
    const contexts = lent.splice(0);
    const lines = consoleLines.splice(0);
    if (task.result?.state === 'fail' || consoleErrors.length > 0) await keepEvidence(task, contexts, lines);
    await Promise.all(contexts.map(returnContext));
    expect(consoleErrors, `errors in the browser console: ${consoleErrors.join('; ')}`).toEqual([]);
  });

  return async function newPage(options: PageOptions = {}): Promise<Page> {
    const { theme = 'light', expected, translates, ...rest } = { ...usual, ...options };
    // A service worker would bypass the responses that tests give to requests.
    const defaults = { locale: 'en-US', viewport: DESKTOP, serviceWorkers: 'block', reducedMotion: 'reduce' } as const;
    const context = await lendContext({ ...defaults, colorScheme: theme, ...rest });
    lent.push(context);
    const page = await context.context.newPage();
    if (translates) await page.addInitScript(translatorOf(translates));
    page.on('pageerror', (error) => {
      consoleLines.push(`page error: ${error.stack ?? String(error)}`);
      errors.push(String(error));
    });
    page.on('response', (response) => {
      noteVisit(response.url());
      const request = response.request();
      if (WORTH_KEEPING.has(request.resourceType()))
        consoleLines.push(`${response.status()} ${request.method()} ${response.url()}`);
    });
    page.on('console', (message) => {
      consoleLines.push(`${message.type()}: ${message.text()} (${message.location().url})`);
      if (message.type() === 'error' && !expected?.test(message.text()))
        errors.push(`${message.text()} (${message.location().url})`);
    });
    return page;
  };
}

const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const AXE = `axe.run(document, { iframes: false, resultTypes: ['violations'] }).then(({ violations }) => ({ violations }))`;

type AxeResult = { violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[] };

/** Content that is being reloaded, which is paler until then. */
const REFRESHING = '.table-refreshing, .trail-reading, .charts[aria-busy], .media-grid[aria-busy]';

/**
 * Waits for the style sheets, because a page that a link opens has its content before them. Finishes all transitions
 * and animations, because checks would measure intermediate colours.
 */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await expect.poll(() => page.locator(REFRESHING).count()).toBe(0);
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    for (const animation of ending) animation.finish();
  });
}

/** Expects no accessibility finding on the settled page, with all rules on. */
export async function expectAccessible(page: Page): Promise<void> {
  await settle(page);
  if (!(await page.evaluate("'axe' in window"))) await addAxe(page);
  // The result leaves out the passed rules, a long list that costs three times as much as the check itself.
  const { violations } = (await page.evaluate(AXE)) as AxeResult;
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${String(target)}: ${failureSummary}`),
  );
  // The message repeats the list, because a report shortens compared values.
  expect(found, found.join('\n')).toEqual([]);
}

/**
 * Loads axe, half a megabyte of script. `page.evaluate` would write it to the trace and compile it for each page; sent
 * directly to the browser, it is compiled once for all pages.
 */
async function addAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: axeSource });
  if (exceptionDetails) throw new Error(`axe was not loaded: ${exceptionDetails.text}`);
  await session.detach();
}

/** The window height that shows the whole page, so that a sticky footer covers no row, or a whole open dialog. */
const wholeHeight = (page: Page, height: number) =>
  page.evaluate((height) => {
    const dialog = document.querySelector('dialog:modal');
    if (!dialog) return Math.max(height, document.documentElement.scrollHeight);
    const hiddenHeights = [dialog, ...dialog.querySelectorAll('*')]
      .filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowY))
      .map((part) => part.scrollHeight - part.clientHeight);
    // Some dialogs fill only a part of the window.
    return height + Math.ceil(1.2 * Math.max(0, ...hiddenHeights));
  }, height);

/** If PICTURES=1, saves a picture of the whole page or of its open dialog in tests/.output/pictures. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  const folder = path.resolve('tests/.output/pictures');
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${name}.png`);
  const window = page.viewportSize() ?? DESKTOP;
  await page.setViewportSize({ width: window.width, height: await wholeHeight(page, window.height) });
  await settle(page);
  // Elements as high as the window push the rest of the page out of it.
  await page.screenshot({ path: file, fullPage: (await page.locator('dialog:modal').count()) === 0 });
  await page.setViewportSize(window);
}
