import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

const require = createRequire(import.meta.url);

/** Without the background flags Chromium looks things up on the internet at every start. */
const ARGS = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

/** A Chromium on this machine: on Linux the one from npm, elsewhere the system's Chrome. Throws a clear message. */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform === 'linux') return chromium.launch({ executablePath: await shippedChromium(), args: ARGS });
  for (const channel of ['chrome', 'msedge', 'chromium']) {
    try {
      return await chromium.launch({ channel, args: ARGS });
    } catch {
      // The next one may be there.
    }
  }
  throw new Error(
    'No browser was found: install Google Chrome, or run "npx playwright install chromium", and try again.',
  );
}

async function shippedChromium(): Promise<string> {
  const { default: shipped, inflate, setupLambdaEnvironment } = await import('@sparticuz/chromium');
  const executable = await shipped.executablePath();
  // A bare machine may lack libraries of the browser; the package carries them for its usual host.
  if (spawnSync('ldd', [executable]).stdout?.toString().includes('not found')) {
    const folder = path.join(path.dirname(require.resolve('@sparticuz/chromium')), '../bin/al2023.tar.br');
    await inflate(folder);
    setupLambdaEnvironment(path.join(tmpdir(), 'al2023', 'lib'));
  }
  return executable;
}

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
  afterEach(async () => {
    await Promise.all(open.splice(0).map((page) => page.context().close()));
    expect(errors.splice(0), 'errors in the browser console').toEqual([]);
  });
  afterAll(() => browser?.close());

  /** `expected` are console errors that the test provokes, such as a refused request. */
  return async function newPage(
    options: BrowserContextOptions & { theme?: Theme; expected?: RegExp } = {},
  ): Promise<Page> {
    const { theme = 'light', expected, ...rest } = options;
    const context = await browser.newContext({ locale: 'en-US', colorScheme: theme, viewport: DESKTOP, ...rest });
    const page = await context.newPage();
    open.push(page);
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !expected?.test(message.text())) errors.push(message.text());
    });
    return page;
  };
}

const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

type AxeResult = { violations: { id: string; help: string; nodes: { target: unknown; failureSummary?: string }[] }[] };

/** No accessibility finding on the page as it stands, no rule switched off. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const frame of [page.mainFrame()]) {
    await frame.evaluate(axeSource);
    const { violations } = (await frame.evaluate('axe.run(document, { iframes: false })')) as AxeResult;
    expect(
      violations.map(({ id, help, nodes }) => ({
        id,
        help,
        nodes: nodes.map((node) => [node.target, node.failureSummary]),
      })),
    ).toEqual([]);
  }
}

/** Keep a picture for a person to look at: tests/.output/pictures. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = path.resolve('tests/.output/pictures');
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}
