import type { Page } from 'playwright-core';

/** Adds up the page's layout shifts without user input, from its next load on. */
export const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, { shifted: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) Object.assign(window, { shifted: Reflect.get(window, 'shifted') + entry.value });
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** The sum of the layout shifts since the page was loaded. */
export const shiftsOf = (page: Page): Promise<number> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(Reflect.get(window, 'shifted')))));
