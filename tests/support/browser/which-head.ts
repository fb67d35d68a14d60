import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** The one script of public pages that have no other: it says which of the two heads is shown. */
export const whichHead = readFileSync('site/inline/which-head.js', 'utf8').trim();

/** What a page runs: the text of its inline scripts, the address of the others. */
export const scriptsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.scripts]
      .filter(({ type }) => type !== 'application/ld+json')
      .map(({ src, text }) => src || text.trim()),
  );
