import { describe, expect, it } from 'vitest';
import { cleanHtml } from '#shared/article/clean-html';
import { documentOf, prepareArticleSchema } from '#tests/support/components/article-schema';
import { googleSamples } from '#tests/support/pasted/google';
import { officeSamples } from '#tests/support/pasted/office';
import { webSamples } from '#tests/support/pasted/web';
import { wordSamples } from '#tests/support/pasted/word';
import { parseArticle, writeArticle } from '../article-html.ts';
import { cleanPaste } from './clean-paste.ts';

const ORIGIN = 'https://tillway.example';
const samples = [...wordSamples, ...googleSamples, ...officeSamples, ...webSamples];
const schema = prepareArticleSchema();

/** Returns the stored article: cleaned by the rules for pasting, read by the editor, sanitized by the server. */
function articleOf(pasted: string): string {
  const { html } = cleanPaste(documentOf(pasted), ORIGIN);
  const editorHtml = writeArticle(parseArticle(schema(), documentOf(html).body));
  const cleaned = cleanHtml(editorHtml);
  return cleaned.kind === 'clean' ? cleaned.html : cleaned.kind;
}

describe('converting a pasted text into an article', () => {
  it('has a corpus of at least 40 samples', () => {
    expect(samples.length).toBeGreaterThanOrEqual(40);
  });

  it.each(samples)('$name', ({ html, expected }) => {
    expect(articleOf(html)).toBe(expected);
  });

  it.each(samples)('a second paste of the result changes nothing: $name', ({ expected }) => {
    expect(articleOf(`<div data-pm-slice="0 0 []">${expected}</div>`)).toBe(expected);
  });
});
