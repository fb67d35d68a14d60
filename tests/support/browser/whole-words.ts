import type { Page } from 'playwright-core';
import { settle } from './browser.ts';

/** A longer word may need more room than a narrow window has for it. */
const ROOM = 0.7;

/** Words of letters that break in the middle, although they would fit into one line of the window. */
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

/** Finds words that the page breaks although there is room for them, one line per word. */
export async function brokenWords(page: Page): Promise<string[]> {
  await settle(page);
  return page.evaluate<string[]>(`(() => { ${BROKEN} })()`);
}
