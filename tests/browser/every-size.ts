import type { Page } from 'playwright-core';
import { checkDoubleText, checkReflow, findCutText, withStyle } from '#tests/support/browser/beyond-axe';
import { findBrokenWords } from '#tests/support/browser/whole-words';

const NARROWEST = { width: 320, height: 740 };
const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1280, height: 900 };
const DOUBLE = ':root { font-size: 200% !important }';

/**
 * Returns the faults of the page in each size: in both themes at 320 pixels, with text at 200 % on a phone and a
 * desktop, and at 400 % zoom. Changes only the window and text size of the loaded page, and restores both.
 */
export async function findSizeFaults(page: Page): Promise<string[]> {
  const originalSize = page.viewportSize() ?? PHONE;
  const faults: string[] = [];
  await page.setViewportSize(NARROWEST);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const textFaults = [...(await findCutText(page)), ...(await findBrokenWords(page))];
    faults.push(...textFaults.map((fault) => `320 px ${colorScheme}, ${fault}`));
  }
  faults.push(...(await checkReflow(page)));
  for (const size of [PHONE, WIDE]) {
    await page.setViewportSize(size);
    const broken = await withStyle(page, DOUBLE, () => findBrokenWords(page));
    const textFaults = [...(await checkDoubleText(page)), ...broken.map((fault) => `200 % text, ${fault}`)];
    faults.push(...textFaults.map((fault) => `${size.width} px, ${fault}`));
  }
  await page.setViewportSize(originalSize);
  return faults;
}

/** Returns a fault if the heading that an action brought up is above or below the window. */
export async function findOutOfSight(page: Page, heading: string): Promise<string[]> {
  const { top, bottom, height } = await page
    .locator(heading)
    .first()
    .evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return { top, bottom, height: window.innerHeight };
    });
  return top >= -1 && Math.min(bottom, top + 40) <= height ? [] : [`out of sight: ${heading} at ${top} to ${bottom}`];
}
