import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { htmlLang } from '#shared/words/language';
import { payerPhrases } from '#tests/support/payer-phrases';

/**
 * The catalogue's English texts as patterns, in which a placeholder matches any text. Texts that are equal in Spanish
 * are omitted.
 */
const PHRASES = payerPhrases
  .filter(({ en, es }) => en !== es && en.replace(/\{\w+\}/g, '').trim().length > 3)
  .map(({ en }) => new RegExp(`^${en.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')}$`));

/** Words of most English sentences, none of which is Spanish. */
const ENGLISH = /\b(the|to|and|of|your|you|is|was|are|with|this|that|from|for|not|we|it|by|on|at)\b/i;

/** A doubled punctuation mark, such as after a time that ends a sentence: "10:30 p.m..". */
const DOUBLE_MARK = /[.,;:]\s*\.(?!\.)/;

/**
 * All visible texts and accessible names, except those of the provider's frame and those marked as English. `isOurs` is
 * false for a text that may contain the name of a business.
 */
const textsOf = (page: Page) =>
  page.evaluate(() => {
    const texts: [text: string, isOurs: boolean][] = [[document.title, false]];
    for (const element of document.querySelectorAll('[aria-label],[title],[alt],[placeholder]')) {
      if (element.closest('[lang=en]')) continue;
      for (const name of ['aria-label', 'title', 'alt', 'placeholder'])
        texts.push([element.getAttribute(name) ?? '', true]);
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      // An unfilled page has samples of the values that the Worker fills in; the provider words its own messages.
      if (parent && !parent.closest('script,style,noscript,datalist,[lang=en],[data-fill],.declined details'))
        texts.push([walker.currentNode.nodeValue ?? '', true]);
    }
    return texts.map(([text, isOurs]) => [text.trim(), isOurs] as const).filter(([text]) => text);
  });

/** Returns the texts of the page that are English or have a doubled mark. An empty list means Spanish throughout. */
export async function findNonSpanish(page: Page): Promise<string[]> {
  const pageTexts = await textsOf(page);
  expect(pageTexts.length).toBeGreaterThan(5);
  return pageTexts
    .filter(
      ([text, isOurs]) =>
        DOUBLE_MARK.test(text) || PHRASES.some((phrase) => phrase.test(text)) || (isOurs && ENGLISH.test(text)),
    )
    .map(([text]) => `not Spanish: ${text}`);
}

export async function expectSpanish(page: Page): Promise<void> {
  expect(await page.locator('html').getAttribute('lang')).toBe(htmlLang.es);
  expect(await findNonSpanish(page)).toEqual([]);
}
