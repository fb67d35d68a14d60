import { describe, expect, it } from 'vitest';
import {
  checkDoubleText,
  checkFocusVisible,
  checkForcedColours,
  checkLabelInName,
  checkReflow,
  checkTargetSize,
  checkTextSpacing,
} from '#tests/support/browser/beyond-axe';
import { expectAccessible, type Theme, useBrowser } from '#tests/support/browser/browser';
import { complete } from '#tests/support/complete-only';
import { useProduct } from '#tests/support/product/product';
import { useScreens } from './screens.ts';

const product = useProduct();
const screens = useScreens(product, useBrowser());
const timeout = 120_000;

const themes = ['light', 'dark'] as const;
/** Everyday runs check each page in one theme, half of the pages in dark; a complete run checks both themes. */
const views = Object.keys(screens).flatMap((name, index) =>
  themes.filter((_theme, place) => complete || place === index % 2).map((theme): [string, Theme] => [name, theme]),
);

describe('accessibility with axe and beyond', { timeout }, () => {
  it.each(views)('%s has no violations in the %s theme', async (name, theme) => {
    const page = await screens[name]?.({ theme, viewport: { width: 1280, height: 1024 } });
    if (!page) throw new Error(`no page ${name}`);
    await expectAccessible(page);
    const faults = [
      ...(await checkLabelInName(page)),
      ...(await checkTargetSize(page)),
      ...(await checkForcedColours(page)),
      ...(await checkTextSpacing(page)),
      ...(await checkDoubleText(page)),
      ...(await checkFocusVisible(page)),
      ...(await checkReflow(page)),
    ];
    await page.setViewportSize({ width: 320, height: 400 });
    faults.push(...(await checkFocusVisible(page)).map((fault) => `narrow ${fault}`));
    expect(faults, faults.join('\n')).toEqual([]);
  });
});
