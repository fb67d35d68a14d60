import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { htmlLang, type Language, locales } from '#shared/words/language';
import { checkDoubleText, checkReflow, checkTextSpacing, findCutText } from '#tests/support/browser/beyond-axe';
import { expectAccessible, PHONE, type useBrowser } from '#tests/support/browser/browser';
import { payerPage } from './payer.ts';

/** Checks of payer pages: in each language, on the narrowest phone, on paper, by keyboard and by screen reader. */

const NARROWEST = { width: 320, height: 740 };
/** Letter paper at the 96 pixels an inch that browsers print with, less its margins. */
export const PAPER = { width: 720, height: 960 };

/** Opens a payer's page whose language is set by the browser's locale alone. */
export async function openIn(
  newPage: ReturnType<typeof useBrowser>,
  address: string,
  language: Language,
  expected?: RegExp,
): Promise<Page> {
  const page = await payerPage(newPage, { locale: locales[language], viewport: PHONE, ...(expected && { expected }) });
  await page.goto(address);
  await page.locator('button[type=submit]').waitFor();
  await page.frameLocator('main iframe').getByLabel('Card number').waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe(htmlLang[language]);
  return page;
}

/** Expects nothing cut off at 320 pixels in both themes and on paper, and no axe findings in either theme. */
export async function expectUncut(page: Page): Promise<void> {
  const originalSize = page.viewportSize() ?? PHONE;
  await page.setViewportSize(NARROWEST);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findCutText(page)).toEqual([]);
    await expectAccessible(page);
  }
  expect(await checkReflow(page)).toEqual([]);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(PAPER);
  expect(await findCutText(page)).toEqual([]);
  await page.emulateMedia({ media: null });
  await page.setViewportSize(originalSize);
}

/** Like expectUncut(), also with wider text spacing and larger text. */
export async function expectWhole(page: Page): Promise<void> {
  const originalSize = page.viewportSize() ?? PHONE;
  await expectUncut(page);
  for (const width of [1280, originalSize.width]) {
    await page.setViewportSize({ width, height: originalSize.height });
    const faults = [...(await checkTextSpacing(page)), ...(await checkDoubleText(page))];
    expect(faults, faults.join('\n')).toEqual([]);
  }
  await page.setViewportSize(originalSize);
}

const isFocused = (target: Locator) =>
  target.evaluate((element) => element.ownerDocument.hasFocus() && element === element.ownerDocument.activeElement);

/** Presses Tab until the target has the focus, like a keyboard user. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let press = 0; press <= 12; press++) {
    // An element that a key press opened may already have the focus.
    if (await isFocused(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`twelve presses of Tab do not lead to ${target}`);
}

export async function tabAndType(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

/** The page as a screen reader reads it, in order: one line per part that has a name or text. */
export const treeOf = async (page: Page): Promise<string> =>
  (await page.locator('main').ariaSnapshot()).replace(/^\s+/gm, '');

/** Expects these parts in the tree, in this order. */
export function expectInOrder(tree: string, parts: string[]): void {
  let from = 0;
  for (const part of parts) {
    const at = tree.indexOf(part, from);
    expect(at, `"${part}" does not follow the part before it:\n${tree}`).toBeGreaterThanOrEqual(0);
    from = at + part.length;
  }
}
