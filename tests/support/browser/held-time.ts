import type { Page } from 'playwright-core';

/**
 * Stops `performance.now()` in a page, so that its timers do not expire while a test checks it, even on a slow machine.
 * Returns a function that resumes it.
 */
export async function holdTime(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const at = performance.now();
    performance.now = () => at;
  });
  return () => page.evaluate(() => void Reflect.deleteProperty(performance, 'now'));
}
