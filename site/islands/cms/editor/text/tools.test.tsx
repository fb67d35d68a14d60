import { expect, it } from 'vitest';
import { documentOf, prepareArticleSchema } from '#tests/support/components/article-schema';
import { parseArticle } from './article-html.ts';
import { countUndescribed } from './tools.ts';

const schema = prepareArticleSchema();

it.each([
  ['<p><img src="/media/a.png" alt=""></p>', 1],
  ['<p><img src="/media/a.png"><img src="/media/a.png" alt=" "></p>', 2],
  ['<p><img src="/media/a.png" alt="A desk"></p>', 0],
  ['<p><img src="/media/a.png" alt="" role="presentation"></p>', 0],
])('counts the images in %s without a description: %i', (html, count) => {
  expect(countUndescribed({ doc: parseArticle(schema(), documentOf(html).body) })).toBe(count);
});
