import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** The only script of public pages without others: it decides which of the two heads is shown. */
export const whichHead = readFileSync('site/inline/which-head.js', 'utf8').trim();

/** A page's scripts: the text of inline ones, the address of the others. */
export const scriptsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.scripts]
      .filter(({ type }) => type !== 'application/ld+json')
      .map(({ src, text }) => src || text.trim()),
  );
