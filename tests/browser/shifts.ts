import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Maximum sum of layout shifts, as a share of the window. */
const MAX_SHIFT = 0.02;

type Shift = { value: number; elements: string[] };

/** The layout shifts since the page loaded, with the names of the shifted elements. */
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
                elements: sources.map(
                  ({ node, previousRect, currentRect }) =>
                    `${node?.nodeName} ${node?.className ?? ''} ${previousRect.y}+${previousRect.height} -> ${currentRect.y}+${currentRect.height}`,
                ),
              })),
          );
        const observer = new PerformanceObserver((list) => read(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        // Without any shift, the observer is never called.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => read(observer.takeRecords()), 0)));
      }),
  );

/** Delays all requests to these addresses (ms). */
export const delay = (page: Page, addresses: string, ms: number): Promise<unknown> =>
  page.route(addresses, async (route) => {
    await pause(ms);
    await route.continue();
  });

/** Expects no layout shift until the page is fully loaded, except hairlines. */
export async function expectStill(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  const shifts = await shiftsOf(page);
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThanOrEqual(MAX_SHIFT);
}

type Spot = { element: Element; left: number; top: number };

/**
 * Records the position of each control in the window. The returned function names the controls that have moved since,
 * and how far (px); it skips controls that are gone or hidden.
 */
export async function rememberSpots(page: Page): Promise<() => Promise<string[]>> {
  const spots = await page.evaluateHandle(() =>
    [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => element.getBoundingClientRect().top < window.innerHeight)
      .map((element): Spot => {
        const { left, top } = element.getBoundingClientRect();
        return { element, left: left + window.scrollX, top: top + window.scrollY };
      }),
  );
  return () =>
    spots.evaluate((all) =>
      all.flatMap(({ element, left, top }) => {
        if (!element.isConnected || !element.checkVisibility({ visibilityProperty: true })) return [];
        const now = element.getBoundingClientRect();
        const [right, down] = [now.left + window.scrollX - left, now.top + window.scrollY - top].map(Math.round);
        if (right === 0 && down === 0) return [];
        const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
        return [`${element.tagName} ${name.slice(0, 40)}: right ${right}, down ${down}`];
      }),
    );
}
