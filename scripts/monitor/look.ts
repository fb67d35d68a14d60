import { createHash } from 'node:crypto';
import type { Browser, Page, Request, Response } from 'playwright-core';
import type { ObservedPage } from '#shared/contracts/operators/monitor';
import { inlineHash, inventoryName, type Origins, THIRD_PARTY_SCRIPTS } from '#shared/tamper-monitor';

const WAIT_MS = 30_000;
/** Only these headers describe the page; others describe a request or a server. */
const HEADERS = [
  ...['content-security-policy', 'strict-transport-security', 'x-frame-options', 'x-content-type-options'],
  ...['referrer-policy', 'permissions-policy', 'cross-origin-opener-policy', 'cross-origin-resource-policy'],
  'reporting-endpoints',
];

export type Look = {
  seen: ObservedPage;
  /** The scripts of others as received. */
  foreign: { sha256: string; type: string; body: Buffer }[];
  /** True if the page has a form; `isShown`: true if the form contains the provider's frame. */
  hasForm: boolean;
  isShown: boolean;
};

const sha256 = (body: Buffer | string) => createHash('sha256').update(body).digest('hex');

/**
 * The pay page of a link as a browser receives it: opened and scrolled to its end, without any input. Addresses are
 * named as in the inventory, so that the result contains no pay id.
 */
export async function checkLivePages(browser: Browser, link: string, origins: Origins): Promise<Look> {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    const answers: Response[] = [];
    const contacted = new Set<string>();
    page.on('request', (request) => {
      // Scripts are compared one by one.
      if (request.resourceType() === 'script' || !/^https?:/.test(request.url())) return;
      if (isOfPage(request)) contacted.add(originOf(request.url(), origins));
    });
    page.on('response', (response) => {
      if (isOfPage(response.request())) answers.push(response);
    });
    page.on('websocket', (socket) => contacted.add(originOf(socket.url(), origins)));
    const answer = await page.goto(link, { waitUntil: 'load', timeout: WAIT_MS });
    const hasForm = (await page.locator('script#pay-view').count()) > 0;
    const isShown = hasForm && (await showsFrame(page, origins.provider));
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.waitForLoadState('networkidle', { timeout: WAIT_MS }).catch(() => undefined);
    const { scripts, foreign } = await readScripts(page, answers, origins);
    const headers = (await answer?.allHeaders()) ?? {};
    const payId = link.slice(link.lastIndexOf('/') + 1);
    return {
      seen: withoutPayId(payId, {
        scripts,
        inline: await readInline(page),
        headers: Object.fromEntries(HEADERS.flatMap((name) => (headers[name] ? [[name, headers[name]]] : []))),
        frames: framesOf(page),
        connections: [...contacted].sort(),
      }),
      foreign,
      hasForm,
      isShown,
    };
  } finally {
    await context.close();
  }
}

/** Minimum length of a pay id. Shorter words may occur elsewhere in the page, and open nothing. */
const ID_LETTERS = 16;

/** Removes the pay id, which opens the page, from everything that goes into evidence and logs. */
const withoutPayId = (payId: string, seen: ObservedPage): ObservedPage =>
  payId.length < ID_LETTERS ? seen : (JSON.parse(JSON.stringify(seen).replaceAll(payId, '{payId}')) as ObservedPage);

const originOf = (url: string, { app }: Origins) => {
  const { origin } = new URL(url);
  return origin === new URL(app).origin ? app : origin;
};

/** True for requests of our page itself, false for those inside the provider's frame. */
function isOfPage(request: Request): boolean {
  try {
    return request.frame().parentFrame() === null;
  } catch {
    // A navigation without a frame yet belongs to the page.
    return true;
  }
}

async function showsFrame(page: Page, provider: string): Promise<boolean> {
  const end = Date.now() + WAIT_MS;
  while (Date.now() < end) {
    if (page.frames().some((frame) => frame.url().startsWith(`${provider}/`))) return true;
    await page.waitForEvent('framenavigated', { timeout: Math.max(1, end - Date.now()) }).catch(() => undefined);
  }
  return false;
}

/** Scripts that were loaded, and scripts in the page that its policy blocked. */
async function readScripts(page: Page, answers: Response[], origins: Origins) {
  const byName = new Map<string, ObservedPage['scripts'][number]>();
  const foreign: Look['foreign'] = [];
  for (const answer of answers) {
    if (answer.request().resourceType() !== 'script') continue;
    const name = inventoryName(answer.url(), origins);
    const type = answer.headers()['content-type'] ?? '';
    const body = await answer.body().catch(() => null);
    const hash = body && sha256(body);
    byName.set(name, { name, status: answer.status(), type, bytes: body?.byteLength ?? 0, sha256: hash });
    if (THIRD_PARTY_SCRIPTS.includes(name) && body && hash) foreign.push({ sha256: hash, type, body });
  }
  const sources = await page.evaluate(() => [...document.scripts].map(({ src }) => src).filter(Boolean));
  for (const src of sources) {
    const name = inventoryName(src, origins);
    if (!byName.has(name)) byName.set(name, { name, status: 0, type: '', bytes: 0, sha256: null });
  }
  return { scripts: [...byName.values()], foreign };
}

async function readInline(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() =>
    [...document.scripts].filter(({ src, type }) => !src && type !== 'application/json').map(({ text }) => text),
  );
  return [...new Set(texts.map((text) => inlineHash(sha256(text))))];
}

const framesOf = (page: Page): string[] => {
  const innerFrames = page.frames().filter((frame) => frame !== page.mainFrame());
  return [...new Set(innerFrames.map((frame) => frame.url().split(/[?#]/)[0] || 'about:blank'))];
};
