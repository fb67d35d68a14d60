import type { Page } from 'playwright-core';
import { settle } from './browser.ts';

/** The share of the window width up to which a word must fit on one line. */
const ROOM = 0.7;

/** Finds words that break in the middle although they would fit on one line of the window. */
const BROKEN = `
  const found = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const parent = text.parentElement;
    if (!parent.checkVisibility() || parent.closest('script, style, noscript, svg, .sr-only, .code')) continue;
    for (const { 0: word, index } of text.data.matchAll(/(?<![\\w@./-])\\p{L}{3,}(?![\\w@/-]|\\.\\w)/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
      if (new Set(lines.map(({ top }) => Math.round(top))).size < 2) continue;
      if (lines.reduce((sum, { width }) => sum + width, 0) < innerWidth * ${ROOM}) found.add('broken word: ' + word);
    }
  }
  return [...found];
`;

/** Returns one finding per word that the page breaks although it would fit on a line. */
export async function findBrokenWords(page: Page): Promise<string[]> {
  await settle(page);
  return page.evaluate<string[]>(`(() => { ${BROKEN} })()`);
}
