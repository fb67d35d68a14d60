import { describe, expect, it } from 'vitest';
import {
  doubleText,
  focusNeverHidden,
  forcedColours,
  labelInName,
  reflow,
  targetSize,
  textSpacing,
} from '#tests/support/browser/beyond-axe';
import { expectAccessible, type Theme, useBrowser } from '#tests/support/browser/browser';
import { complete } from '#tests/support/complete-only';
import { useProduct } from '#tests/support/product/product';
import { useScreens } from './screens.ts';

const product = useProduct();
const screens = useScreens(product, useBrowser());
const timeout = 120_000;

const themes = ['light', 'dark'] as const;
/** Everyday runs look at each page in one theme, at half of them in the dark one; a complete run at both. */
const views = Object.keys(screens).flatMap((name, index) =>
  themes.filter((_theme, of) => complete || of === index % 2).map((theme): [string, Theme] => [name, theme]),
);

describe('accessibility with axe and beyond', { timeout }, () => {
  it.each(views)('%s has no violations in the %s theme', async (name, theme) => {
    const page = await screens[name]?.({ theme, viewport: { width: 1280, height: 1024 } });
    if (!page) throw new Error(`no page ${name}`);
    await expectAccessible(page);
    const found = [
      ...(await labelInName(page)),
      ...(await targetSize(page)),
      ...(await forcedColours(page)),
      ...(await textSpacing(page)),
      ...(await doubleText(page)),
      ...(await focusNeverHidden(page)),
      ...(await reflow(page)),
    ];
    await page.setViewportSize({ width: 320, height: 400 });
    found.push(...(await focusNeverHidden(page)).map((one) => `narrow ${one}`));
    expect(found, found.join('\n')).toEqual([]);
  });
});
