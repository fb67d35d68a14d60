import type { Page } from 'playwright-core';
import { doubleText, nothingCut, reflow, withStyle } from '#tests/support/browser/beyond-axe';
import { brokenWords } from '#tests/support/browser/whole-words';

const NARROWEST = { width: 320, height: 740 };
const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1280, height: 900 };
const DOUBLE = ':root { font-size: 200% !important }';

/**
 * Returns the faults of the page in each size: in both themes at 320 pixels, with text at 200 % on a phone and a desktop, and
 * at 400 % zoom. Changes only window and text of the loaded page, and sets both back.
 */
export async function wrongInAnySize(page: Page): Promise<string[]> {
  const before = page.viewportSize() ?? PHONE;
  const found: string[] = [];
  await page.setViewportSize(NARROWEST);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const wrong = [...(await nothingCut(page)), ...(await brokenWords(page))];
    found.push(...wrong.map((one) => `320 px ${colorScheme}, ${one}`));
  }
  found.push(...(await reflow(page)));
  for (const size of [PHONE, WIDE]) {
    await page.setViewportSize(size);
    const broken = await withStyle(page, DOUBLE, () => brokenWords(page));
    const wrong = [...(await doubleText(page)), ...broken.map((one) => `200 % text, ${one}`)];
    found.push(...wrong.map((one) => `${size.width} px, ${one}`));
  }
  await page.setViewportSize(before);
  return found;
}

/** Returns a finding if the heading, which a press has brought up, is above or below the window. */
export async function outOfSight(page: Page, heading: string): Promise<string[]> {
  const { top, bottom, height } = await page
    .locator(heading)
    .first()
    .evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return { top, bottom, height: window.innerHeight };
    });
  return top >= -1 && Math.min(bottom, top + 40) <= height ? [] : [`out of sight: ${heading} at ${top} to ${bottom}`];
}
