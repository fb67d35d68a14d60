import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DESKTOP, expectAccessible, PHONE, picture, useBrowser, WITH_MOTION } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { delay, expectStill } from './shifts.ts';
import { openEditor, save, textBox, useWriter, useWriters, waitForSaved } from './writer.ts';

const product = useProduct();
const newPage = useBrowser(WITH_MOTION);
const writers = useWriters(product);
const { appUrl } = product;
const { writer, writerPage } = useWriter(newPage, writers);

const boxOf = async (part: Locator) => {
  const box = await part.boundingBox();
  if (!box) throw new Error('the element is not shown');
  return { ...box, bottom: box.y + box.height };
};
const preview = (page: Page) => page.getByRole('button', { name: 'Preview' });
const foot = (page: Page) => page.locator('.editor-actions');
const LONG = Array.from({ length: 60 }, (_, at) => `<p>Line ${at}.</p>`).join('');

/** Opens the editor with a long page on a phone. */
const openOnPhone = async (options: Parameters<typeof newPage>[0] = {}, content = LONG) => {
  const article = await writers.makePage(writer.token, { content });
  const page = await writerPage({ viewport: PHONE, hasTouch: true, isMobile: true, ...options });
  await openEditor(page, `${appUrl}/cms/pages/edit/${article.id}`);
  return page;
};

/** Simulates an on-screen keyboard of this height: the visual viewport shrinks, the window does not. */
const openKeyboard = (page: Page, height: number) =>
  page.evaluate((covered) => {
    const view = window.visualViewport;
    if (!view) throw new Error('there is no visual viewport');
    Object.defineProperty(view, 'height', { get: () => window.innerHeight - covered, configurable: true });
    view.dispatchEvent(new Event('resize'));
  }, height);

/** Returns the position of the caret in the window. */
const caretOf = (page: Page) =>
  page.evaluate(() => {
    const range = window.getSelection()?.getRangeAt(0);
    const { top, bottom } = range?.getClientRects()[0] ?? { top: Number.NaN, bottom: Number.NaN };
    return { top, bottom };
  });

describe('the editor on a phone', () => {
  it.each(['light', 'dark'] as const)(
    'keeps its buttons at the bottom at any scroll position, large enough for a finger (%s)',
    async (theme) => {
      const page = await openOnPhone({ theme });
      for (const scrollTo of [0, 600, 100_000]) {
        await page.evaluate((top) => window.scrollTo(0, top), scrollTo);
        await expect.poll(async () => Math.round((await boxOf(foot(page))).bottom)).toBe(PHONE.height);
      }
      for (const button of [preview(page), save(page)]) {
        const { height, width, y } = await boxOf(button);
        expect(Math.min(height, width)).toBeGreaterThanOrEqual(44);
        expect(y).toBeGreaterThan(PHONE.height - 80);
      }
      // The last controls of the page are above the bar.
      for (const last of [page.getByRole('button', { name: 'Delete page' }), page.getByLabel('Theme')])
        expect((await boxOf(last)).bottom).toBeLessThanOrEqual((await boxOf(foot(page))).y);
      await expectAccessible(page);
      await page.evaluate(() => window.scrollTo(0, 0));
      await picture(page, `cms-phone-${theme}`);
      await save(page).tap();
      await waitForSaved(page);
    },
  );

  it('keeps the caret above the button bar while typing, also with the on-screen keyboard open', async () => {
    const page = await openOnPhone();
    for (const covered of [0, 320]) {
      await openKeyboard(page, covered);
      const edge = () => boxOf(foot(page)).then(({ y }) => y);
      await expect.poll(async () => Math.round((await boxOf(foot(page))).bottom)).toBe(PHONE.height - covered);
      await textBox(page).press('Control+End');
      for (let line = 0; line < 4; line++) {
        await page.keyboard.press('Enter');
        await page.keyboard.type('More.');
        await expect.poll(async () => (await caretOf(page)).bottom <= (await edge())).toBe(true);
      }
    }
    // After the keyboard closes, the bar is at the bottom again.
    await openKeyboard(page, 0);
    await expect.poll(async () => Math.round((await boxOf(foot(page))).bottom)).toBe(PHONE.height);
  });

  it('never hides a focused field behind the button bar', async () => {
    const page = await openOnPhone();
    const focusedFields = new Set<string>();
    for (let stop = 0; stop < 60; stop++) {
      await page.keyboard.press('Tab');
      const field = await page.evaluate(() => {
        const focused = document.activeElement;
        const bar = document.querySelector('.editor-actions');
        if (!(focused instanceof HTMLElement) || !bar || focused.isContentEditable) return null;
        if (!focused.closest('.editor-side')) return null;
        const { bottom } = focused.getBoundingClientRect();
        return { html: focused.outerHTML, isHidden: bottom > bar.getBoundingClientRect().top + 1 };
      });
      if (!field) continue;
      focusedFields.add(field.html);
      expect(field).toMatchObject({ isHidden: false });
    }
    expect(focusedFields.size).toBeGreaterThan(4);
  });

  it('shifts no layout while it loads, even on a slow phone', async () => {
    const page = await openOnPhone();
    const address = page.url();
    // Slow enough to paint the page before its code and the form before its text.
    await delay(page, '**/*.js', 300);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 });
    await openEditor(page, address);
    await expect.poll(async () => Math.round((await boxOf(foot(page))).bottom)).toBe(PHONE.height);
    await expectStill(page);
  });

  it('places the buttons in the page flow in a low window, and at the top in a wide one', async () => {
    const page = await openOnPhone({ viewport: { width: 320, height: 256 }, hasTouch: false, isMobile: false });
    expect(await foot(page).evaluate((bar) => getComputedStyle(bar).position)).toBe('static');
    await page.setViewportSize(DESKTOP);
    expect(await foot(page).evaluate((bar) => getComputedStyle(bar).position)).toBe('static');
    expect((await boxOf(foot(page))).y).toBeLessThan(120);
  });
});
