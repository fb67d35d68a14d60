import type { Page } from 'playwright-core';

/**
 * Stops the time that a page measures by `performance.now()`, so that nothing of its own runs out while a test looks at
 * it, however long the machine takes. Returns what lets it go on.
 */
export async function holdTime(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const at = performance.now();
    performance.now = () => at;
  });
  return () => page.evaluate(() => void Reflect.deleteProperty(performance, 'now'));
}
