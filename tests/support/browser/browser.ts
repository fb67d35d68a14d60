import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import { noteVisit } from '../journeys/visits.ts';
import { keepEvidence } from './failed-page.ts';
import { type Translation, translatorOf } from './translator.ts';
import { giveBack, type LentContext, lendContext } from './warm-contexts.ts';

export { launchBrowser } from './chromium.ts';

const require = createRequire(import.meta.url);

/** For files that test what moves, or by how much. */
export const MOVING = { reducedMotion: 'no-preference' } as const;

export type Theme = 'light' | 'dark';
export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 900 };

/** `expected` matches console errors that the test provokes, such as a refused request. */
export type PageOptions = BrowserContextOptions & {
  theme?: Theme;
  expected?: RegExp;
  /** How the browser translates the page, from its first text on. */
  translates?: Translation;
};

/** Requests of these types go into the evidence of a failed test. */
const WORTH_KEEPING = new Set(['document', 'fetch', 'xhr']);

/**
 * Each page has its own context and fails the test when its console holds an error. Nothing moves on it, which costs a
 * tenth less; `usual` is for files whose pages differ from that.
 */
export function useBrowser(usual: PageOptions = {}) {
  const lent: LentContext[] = [];
  const errors: string[] = [];
  const told: string[] = [];
  afterEach(async ({ task }) => {
    const wrong = errors.splice(0);
    const contexts = lent.splice(0);
    const lines = told.splice(0);
    if (task.result?.state === 'fail' || wrong.length > 0) await keepEvidence(task, contexts, lines);
    await Promise.all(contexts.map(giveBack));
    expect(wrong, `errors in the browser console: ${wrong.join('; ')}`).toEqual([]);
  });

  return async function newPage(options: PageOptions = {}): Promise<Page> {
    const { theme = 'light', expected, translates, ...rest } = { ...usual, ...options };
    // A service worker would bypass the test's own answers to requests.
    const plain = { locale: 'en-US', viewport: DESKTOP, serviceWorkers: 'block', reducedMotion: 'reduce' } as const;
    const context = await lendContext({ ...plain, colorScheme: theme, ...rest });
    lent.push(context);
    const page = await context.context.newPage();
    if (translates) await page.addInitScript(translatorOf(translates));
    page.on('pageerror', (error) => {
      told.push(`page error: ${error.stack ?? String(error)}`);
      errors.push(String(error));
    });
    page.on('response', (response) => {
      noteVisit(response.url());
      const asked = response.request();
      if (WORTH_KEEPING.has(asked.resourceType()))
        told.push(`${response.status()} ${asked.method()} ${response.url()}`);
    });
    page.on('console', (message) => {
      told.push(`${message.type()}: ${message.text()} (${message.location().url})`);
      if (message.type() === 'error' && !expected?.test(message.text()))
        errors.push(`${message.text()} (${message.location().url})`);
    });
    return page;
  };
}

const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const AXE = `axe.run(document, { iframes: false, resultTypes: ['violations'] }).then(({ violations }) => ({ violations }))`;

type AxeResult = { violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[] };

/** Content that is loading again is paler until it is there. */
const REFRESHING = '.table-refreshing, .trail-reading, .charts[aria-busy], .media-grid[aria-busy]';

/**
 * Waits for the style sheets, since a page that a link opens has its content before them, and finishes all transitions
 * and animations, because colours in between would be measured.
 */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await expect.poll(() => page.locator(REFRESHING).count()).toBe(0);
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    for (const animation of ending) animation.finish();
  });
}

/** No accessibility finding on the settled page, with no rule turned off. */
export async function expectAccessible(page: Page): Promise<void> {
  await settle(page);
  if (!(await page.evaluate("'axe' in window"))) await addAxe(page);
  // The list of what is in order is long, and costs three times what the look itself does.
  const { violations } = (await page.evaluate(AXE)) as AxeResult;
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${String(target)}: ${failureSummary}`),
  );
  // The list as a message too: a report shortens what it compares.
  expect(found, found.join('\n')).toEqual([]);
}

/**
 * Half a megabyte of script. Through `page.evaluate` it would be written to the trace and compiled for each page; sent to
 * the browser directly, it is compiled once for all of them.
 */
async function addAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: axeSource });
  if (exceptionDetails) throw new Error(`axe was not loaded: ${exceptionDetails.text}`);
  await session.detach();
}

/** How high a window shows all of the page, so that what sticks to its foot lies over no row, or all of an open dialog. */
const wholeHeight = (page: Page, height: number) =>
  page.evaluate((height) => {
    const dialog = document.querySelector('dialog:modal');
    if (!dialog) return Math.max(height, document.documentElement.scrollHeight);
    const hidden = [dialog, ...dialog.querySelectorAll('*')]
      .filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowY))
      .map((part) => part.scrollHeight - part.clientHeight);
    // Some dialogs take only a part of the window.
    return height + Math.ceil(1.2 * Math.max(0, ...hidden));
  }, height);

/** Keeps a picture in tests/.output/pictures when PICTURES=1 is set: of the whole page, or of the open dialog over it. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  const folder = path.resolve('tests/.output/pictures');
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${name}.png`);
  const window = page.viewportSize() ?? DESKTOP;
  await page.setViewportSize({ width: window.width, height: await wholeHeight(page, window.height) });
  await settle(page);
  // Whatever is as high as the window pushes the rest of the page out of it.
  await page.screenshot({ path: file, fullPage: (await page.locator('dialog:modal').count()) === 0 });
  await page.setViewportSize(window);
}
