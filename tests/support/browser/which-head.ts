import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** The inline script that decides which of the two page heads is shown; most public pages have no other script. */
export const whichHead = readFileSync('site/inline/which-head.js', 'utf8').trim();

/** A page's scripts: the text of inline scripts, the URL of the others. */
export const scriptsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.scripts]
      .filter(({ type }) => type !== 'application/ld+json')
      .map(({ src, text }) => src || text.trim()),
  );
