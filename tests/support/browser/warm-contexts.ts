import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from './chromium.ts';

/**
 * One browser for the full run, with contexts that are cleaned for the next test. They keep the site's files, their
 * compiled code and the renderer process. A new context for each test costs four times as much as the page that is
 * opened in it.
 */
export type LentContext = {
  context: BrowserContext;
  /** Stays open as long as the context, or the renderer would end with each test. */
  keeper: Page;
  key: string;
  origins: Set<string>;
};

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

const MOST_KEPT = 6;
const STORAGE = 'local_storage,indexeddb,cache_storage,file_systems';
/** Playwright's own mark: its Date calls itself native code. */
const IS_OWN_CLOCK = "!('__pwClock' in window)";
/** A trace costs a twelfth of a run, so it is kept of a test that is run again. */
const isTraced = process.env.TRACE === '1';
const kept: LentContext[] = [];
let running: Promise<Browser> | undefined;

export async function closeBrowser(): Promise<void> {
  const browser = await running;
  running = undefined;
  kept.splice(0);
  await browser?.close();
}

const theBrowser = async (): Promise<Browser> => {
  running ??= launchBrowser();
  const browser = await running;
  if (browser.isConnected()) return browser;
  running = undefined;
  kept.splice(0);
  return theBrowser();
};

/** A clean context: no cookies, no storage, no permissions, no routes. */
export async function lendContext({
  storageState,
  extraHTTPHeaders,
  ...fixed
}: BrowserContextOptions): Promise<LentContext> {
  const browser = await theBrowser();
  const key = JSON.stringify(fixed);
  const at = kept.findIndex((one) => one.key === key);
  const [lent = await make(browser, fixed, key)] = at < 0 ? [] : kept.splice(at, 1);
  const { context } = lent;
  if (extraHTTPHeaders) await context.setExtraHTTPHeaders(extraHTTPHeaders);
  if (storageState) await restore(lent, storageState as StorageState);
  if (isTraced) await context.tracing.startChunk();
  return lent;
}

async function make(browser: Browser, fixed: BrowserContextOptions, key: string): Promise<LentContext> {
  const context = await browser.newContext(fixed);
  const keeper = await context.newPage();
  if (isTraced) await context.tracing.start();
  const lent: LentContext = { context, keeper, key, origins: new Set() };
  context.on('page', (page) =>
    page.on('framenavigated', (frame) => {
      if (frame.url().startsWith('http')) lent.origins.add(new URL(frame.url()).origin);
    }),
  );
  return lent;
}

async function restore({ context, keeper, origins }: LentContext, { cookies, origins: stored }: StorageState) {
  await context.addCookies(cookies);
  for (const { origin, localStorage } of stored) {
    origins.add(origin);
    if (!keeper.url().startsWith(`${origin}/`)) {
      await keeper.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '<title>keeper</title>' }));
      await keeper.goto(`${origin}/`);
    }
    await keeper.evaluate((items) => {
      for (const { name, value } of items) window.localStorage.setItem(name, value);
    }, localStorage);
  }
}

/**
 * Only closing the context removes a moved clock or a service worker. A clock is moved in every page that loads from then
 * on, in those that are there only if they answer at that moment: each page is asked.
 */
async function canBeLentAgain({ context }: LentContext): Promise<boolean> {
  if (context.isClosed() || context.serviceWorkers().length > 0) return false;
  const own = await Promise.all(context.pages().map((page) => page.evaluate<boolean>(IS_OWN_CLOCK).catch(() => false)));
  return own.every(Boolean);
}

/** Removes all that a test has left; closes a context where this fails. */
export async function giveBack(lent: LentContext): Promise<void> {
  const { context, keeper, origins } = lent;
  if (!(await canBeLentAgain(lent))) return context.close();
  const session = await context.newCDPSession(keeper);
  await Promise.all([
    ...context.pages().map((page) => (page === keeper ? undefined : page.close())),
    isTraced ? context.tracing.stopChunk() : undefined,
  ]);
  await Promise.all([
    context.unrouteAll(),
    context.clearCookies(),
    context.clearPermissions(),
    context.setOffline(false),
    context.setExtraHTTPHeaders({}),
    ...[...origins].map((origin) => session.send('Storage.clearDataForOrigin', { origin, storageTypes: STORAGE })),
  ]);
  await session.detach();
  origins.clear();
  kept.push(lent);
  if (kept.length > MOST_KEPT) await kept.shift()?.context.close();
}
