import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { catalogue } from '#shared/words/catalogue';
import { htmlLang } from '#shared/words/language';

/** The catalogue's English, by its words: what stands in braces is any text. Spanish that reads the same is left out. */
const PHRASES = Object.values(catalogue)
  .flatMap((room) => Object.values(room))
  .filter(({ en, es }) => en !== es && en.replace(/\{\w+\}/g, '').trim().length > 3)
  .map(({ en }) => new RegExp(`^${en.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')}$`));

/** Words that stand in most English sentences, none of which is Spanish. */
const ENGLISH = /\b(the|to|and|of|your|you|is|was|are|with|this|that|from|for|not|we|it|by|on|at)\b/i;

/** A number of hours that ends a sentence: "10:30 p.m..", and other marks set twice. */
const TWICE = /[.,;:]\s*\.(?!\.)/;

/**
 * All texts by eye or ear, but those of the provider's frame and those marked as English; `isOurs`: it holds no name of
 * a business.
 */
const saidBy = (page: Page) =>
  page.evaluate(() => {
    const seen: [text: string, isOurs: boolean][] = [[document.title, false]];
    for (const element of document.querySelectorAll('[aria-label],[title],[alt],[placeholder]')) {
      if (element.closest('[lang=en]')) continue;
      for (const name of ['aria-label', 'title', 'alt', 'placeholder'])
        seen.push([element.getAttribute(name) ?? '', true]);
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const parent = texts.currentNode.parentElement;
      // An unfilled page holds samples of what the Worker fills in; the provider's message is in its own words.
      if (parent && !parent.closest('script,style,noscript,datalist,[lang=en],[data-fill],.declined details'))
        seen.push([texts.currentNode.nodeValue ?? '', true]);
    }
    return seen.map(([text, isOurs]) => [text.trim(), isOurs] as const).filter(([text]) => text);
  });

/** The texts of the page that are English, or end twice; an empty list means Spanish throughout. */
export async function notSpanish(page: Page): Promise<string[]> {
  const said = await saidBy(page);
  expect(said.length).toBeGreaterThan(5);
  return said
    .filter(
      ([text, isOurs]) =>
        TWICE.test(text) || PHRASES.some((phrase) => phrase.test(text)) || (isOurs && ENGLISH.test(text)),
    )
    .map(([text]) => `not Spanish: ${text}`);
}

export async function expectSpanish(page: Page): Promise<void> {
  expect(await page.locator('html').getAttribute('lang')).toBe(htmlLang.es);
  expect(await notSpanish(page)).toEqual([]);
}
