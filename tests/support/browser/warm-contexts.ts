import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from './chromium.ts';

/**
 * A context of the run's only browser, cleaned for the next test. It keeps the site's files, their compiled code and
 * the renderer process; a new context for each test would cost four times as much as opening its page.
 */
export type LentContext = {
  context: BrowserContext;
  /** A page that stays open as long as the context; without it, the renderer would end with each test. */
  keeper: Page;
  key: string;
  origins: Set<string>;
};

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

const MOST_KEPT = 6;
const STORAGE = 'local_storage,indexeddb,cache_storage,file_systems';
/** Detects Playwright's fake clock by its own marker, because its Date claims to be native code. */
const IS_OWN_CLOCK = "!('__pwClock' in window)";
/** A trace costs a twelfth of a run, so it is made only on request. */
const isTraced = process.env.TRACE === '1';
const idleContexts: LentContext[] = [];
let running: Promise<Browser> | undefined;

export async function closeBrowser(): Promise<void> {
  const browser = await running;
  running = undefined;
  idleContexts.splice(0);
  await browser?.close();
}

const runningBrowser = async (): Promise<Browser> => {
  running ??= launchBrowser();
  const browser = await running;
  if (browser.isConnected()) return browser;
  running = undefined;
  idleContexts.splice(0);
  return runningBrowser();
};

/** Lends a clean context without cookies, storage, permissions or routes. */
export async function lendContext({
  storageState,
  extraHTTPHeaders,
  ...fixed
}: BrowserContextOptions): Promise<LentContext> {
  const browser = await runningBrowser();
  const key = JSON.stringify(fixed);
  const at = idleContexts.findIndex((context) => context.key === key);
  const [lent = await makeContext(browser, fixed, key)] = at < 0 ? [] : idleContexts.splice(at, 1);
  const { context } = lent;
  if (extraHTTPHeaders) await context.setExtraHTTPHeaders(extraHTTPHeaders);
  if (storageState) await restore(lent, storageState as StorageState);
  if (isTraced) await context.tracing.startChunk();
  return lent;
}

async function makeContext(browser: Browser, fixed: BrowserContextOptions, key: string): Promise<LentContext> {
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
 * Returns false if a fake clock or a service worker remains, which only closing the context removes. Checks every page,
 * because a fake clock applies to all later pages but to earlier ones only if they respond at that moment.
 */
async function canBeLentAgain({ context }: LentContext): Promise<boolean> {
  if (context.isClosed() || context.serviceWorkers().length > 0) return false;
  const hasRealClock = (page: Page) => page.evaluate<boolean>(IS_OWN_CLOCK).catch(() => false);
  return (await Promise.all(context.pages().map(hasRealClock))).every(Boolean);
}

/** Removes everything that a test has left in a context, or closes the context if it cannot be cleaned. */
export async function returnContext(lent: LentContext): Promise<void> {
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
  idleContexts.push(lent);
  if (idleContexts.length > MOST_KEPT) await idleContexts.shift()?.context.close();
}
