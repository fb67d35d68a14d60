import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Of the window's area, what may move by itself. */
const MOST = 0.02;

type Shift = { value: number; of: string[] };

/** What moved by itself since the page began; the parts are named for whoever mends it. */
const shiftsOf = (page: Page): Promise<Shift[]> =>
  page.evaluate(
    () =>
      new Promise<Shift[]>((resolve) => {
        const read = (entries: PerformanceEntryList) =>
          resolve(
            (
              entries as (PerformanceEntry & {
                value: number;
                hadRecentInput: boolean;
                sources: { node?: Element; previousRect: DOMRect; currentRect: DOMRect }[];
              })[]
            )
              .filter(({ hadRecentInput }) => !hadRecentInput)
              .map(({ value, sources }) => ({
                value,
                of: sources.map(
                  ({ node, previousRect, currentRect }) =>
                    `${node?.nodeName} ${node?.className ?? ''} ${previousRect.y}+${previousRect.height} -> ${currentRect.y}+${currentRect.height}`,
                ),
              })),
          );
        const observer = new PerformanceObserver((list) => read(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        // Without any shift it is never called.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => read(observer.takeRecords()), 0)));
      }),
  );

/** Everything at these addresses comes so much later (ms). */
export const delay = (page: Page, addresses: string, ms: number): Promise<unknown> =>
  page.route(addresses, async (route) => {
    await pause(ms);
    await route.continue();
  });

/** Nothing moved by itself from the page's begin until all has come, but for hairlines. */
export async function expectStill(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  const shifts = await shiftsOf(page);
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThanOrEqual(MOST);
}
