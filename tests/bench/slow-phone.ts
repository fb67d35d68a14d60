import type { Browser, CDPSession, Page } from 'playwright-core';

export type TraceEvent = {
  name: string;
  ts: number;
  tdur?: number;
  pid: number;
  tid: number;
  args?: { data?: { isOutermostMainFrame?: boolean; documentLoaderURL?: string } };
};

const PHONE = { width: 412, height: 823 };
const DESKTOP = { width: 1280, height: 900 };

/** A slow phone: 150 ms round trip, 1.6 Mbit/s down, a quarter of this machine's speed. */
async function simulateMobile(session: CDPSession): Promise<void> {
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (750 * 1024) / 8,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

/** Waits until the form works inside the provider's frame. */
export const cardField = (page: Page) => page.frameLocator('iframe').getByLabel('Card number').waitFor();

type LoadOptions = { script: boolean; mobile: boolean; until?: (page: Page) => Promise<void> };

/** Loads an address and returns Chromium's own trace of it. */
export async function trace(
  browser: Browser,
  address: string,
  { script, mobile, until }: LoadOptions,
): Promise<TraceEvent[]> {
  const context = await browser.newContext({
    locale: 'en-US',
    javaScriptEnabled: script,
    viewport: mobile ? PHONE : DESKTOP,
  });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  if (mobile) await simulateMobile(session);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: [
        'loading',
        'devtools.timeline',
        'disabled-by-default-devtools.timeline',
        'toplevel',
        'blink.user_timing',
      ],
    },
  });
  const painted = await firstPaint(session);
  await page.goto(address, { waitUntil: 'networkidle' });
  await until?.(page);
  await painted();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  await context.close();
  return events;
}

/** On a slow phone the load event may come before the first paint. */
async function firstPaint(session: CDPSession): Promise<() => Promise<void>> {
  await session.send('Page.enable');
  await session.send('Page.setLifecycleEventsEnabled', { enabled: true });
  const painted = new Promise<void>((resolve) => {
    session.on('Page.lifecycleEvent', ({ name }) => name === 'firstContentfulPaint' && resolve());
  });
  return () => painted;
}

const paintsIn = (events: TraceEvent[]) =>
  events.filter(({ name, args }) => name === 'largestContentfulPaint::Candidate' && args?.data?.isOutermostMainFrame);

/** Like `trace`, repeated if the trace ended before the browser reported a largest paint. */
export async function tracePainted(...args: Parameters<typeof trace>): Promise<TraceEvent[]> {
  for (let remaining = 5; ; remaining--) {
    const events = await trace(...args);
    if (paintsIn(events).length > 0 || remaining === 0) return events;
  }
}

/** The last largest paint of the page itself, not of the provider's frame in it. */
export function largestPaint(events: TraceEvent[]): TraceEvent {
  const paint = paintsIn(events).at(-1);
  if (!paint) throw new Error('the trace contains no largest paint');
  return paint;
}

export function largestPaintMs(events: TraceEvent[], address: string): number {
  const start = events.find(
    ({ name, args }) => name === 'navigationStart' && args?.data?.documentLoaderURL === address,
  );
  if (!start) throw new Error('the trace contains no start of the navigation');
  return (largestPaint(events).ts - start.ts) / 1000;
}

/** Load metrics that a page measured itself, in ms from the navigation. */
export type Loading = { ready: number; shift: number; steps: Record<string, number> };

/** In the page: sums the layout shifts and records the time at which the provider's form is ready and visible. */
const WATCH = `if (window === window.top) {
  const told = (window.told = { shift: 0 });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) told.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  const look = () => {
    const seen = document.querySelector('iframe')?.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (seen) told.ready = performance.now();
    else requestAnimationFrame(look);
  };
  addEventListener('message', ({ data }) => data?.clearent?.type === 'ready' && requestAnimationFrame(look));
}`;

/** In the page: when each file was loaded, by the last segment of its path. */
const STEPS = `Object.fromEntries([...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .map(({ name, responseEnd }) => [new URL(name).pathname.split('/').at(-1).replace(/^.{24,}$/, 'page'), Math.round(responseEnd)]))`;

/** Loads a page with the provider's form on a slow phone. */
export async function loadOnPhone(browser: Browser, address: string): Promise<Loading> {
  const context = await browser.newContext({ locale: 'en-US', viewport: PHONE });
  await context.addInitScript(WATCH);
  const page = await context.newPage();
  await simulateMobile(await context.newCDPSession(page));
  await page.goto(address, { waitUntil: 'networkidle' });
  // A function, not its text: the page's policy allows no eval.
  await page.waitForFunction(() => (window as unknown as { told: Partial<Loading> }).told.ready !== undefined);
  await cardField(page);
  const metrics = await page.evaluate<{ ready: number; shift: number }>('window.told');
  const steps = await page.evaluate<Record<string, number>>(STEPS);
  await context.close();
  return { ...metrics, steps };
}
