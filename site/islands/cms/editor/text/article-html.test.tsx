import { describe, expect, it } from 'vitest';
import { cleanHtml } from '#shared/article/clean-html';
import { documentOf, prepareArticleSchema } from '#tests/support/components/article-schema';
import { randomFrom } from '#tests/support/seeded-random';
import { keepsWholeText, parseArticle, writeArticle } from './article-html.ts';

const schema = prepareArticleSchema();
const cleanedHtml = (html: string): string => {
  const cleaned = cleanHtml(html);
  return cleaned.kind === 'clean' ? cleaned.html : cleaned.kind;
};
/** The text after it was opened in the editor and saved. */
const savedHtml = (html: string): string => cleanedHtml(writeArticle(parseArticle(schema(), documentOf(html).body)));

const samples: [string, string][] = [
  ['paragraphs, line breaks and a dividing line', '<p>One<br>two</p><hr><p>Three</p>'],
  ['marks', '<p><strong>a</strong><em>b</em><del>c</del><s>d</s><code>e</code>H<sub>2</sub>m<sup>2</sup></p>'],
  ['marks by other tags', '<p><b>a</b> <i>b</i> <b><i>both</i></b></p>'],
  ['headings of every level', '<h1>1</h1><h2>2</h2><h3>3</h3><h4>4</h4><h5>5</h5><h6>6</h6>'],
  [
    'links with a title, and around code',
    '<p><a href="/x" title="There">a</a> <a href="mailto:a@b.co"><code>b</code></a></p>',
  ],
  ['pictures with their size', '<p><img src="/media/a.png" alt="A" title="T" width="20" height="10"></p>'],
  ['decorative pictures', '<p><img src="/media/a.png" alt="" role="presentation"></p>'],
  ['code with its language', '<pre data-language="js"><code>a &#x3C; b;\n  c</code></pre>'],
  ['code with its language as a class', '<pre><code class="language-js">a</code></pre>'],
  [
    'quotes with blocks',
    '<blockquote><p>a</p><ul><li><p>b</p></li></ul><blockquote><p>c</p></blockquote></blockquote>',
  ],
  ['lists in lists', '<ul><li>a<ol><li>b<ul><li>c</li></ul></li></ol></li><li><p>d</p><p>e</p></li></ul>'],
  ['a nested list beside its item', '<ul><li>a</li><ul><li>b</li></ul></ul>'],
  ['lists with another start or numbering', '<ol start="4" type="a"><li>d</li></ol><ol type="I"><li>x</li></ol>'],
  [
    'check lists',
    '<ul><li data-item-type="task" data-checked="true"><p>a</p></li><li data-item-type="task" data-checked="false"><p>b</p></li></ul>',
  ],
  [
    'blocks at the start of an item',
    '<ul><li><pre><code>a</code></pre></li><li><blockquote><p>b</p></blockquote></li><li><h3>c</h3></li><li><hr></li><li><ul><li>d</li></ul></li></ul>',
  ],
  [
    'a table with a header',
    '<table><thead><tr><th>a</th><th align="right">b</th></tr></thead><tbody><tr><td>c</td><td align="right">d</td></tr></tbody></table>',
  ],
  ['a table without a header', '<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>'],
  [
    'header cells in each row',
    '<table><tbody><tr><th>a</th><td>1</td></tr><tr><th>b</th><td>2</td></tr></tbody></table>',
  ],
  [
    'ordinary cells in the header',
    '<table><thead><tr><td></td><th>a</th></tr></thead><tbody><tr><th>b</th><td>c</td></tr></tbody></table>',
  ],
  [
    'cells aligned differently from their header',
    '<table><tbody><tr><th>a</th></tr><tr><td align="right">1</td></tr><tr><td align="center">2</td></tr></tbody></table>',
  ],
  [
    'merged cells',
    '<table><tbody><tr><td colspan="2">a</td></tr><tr><td rowspan="2">b</td><td>c</td></tr><tr><td>d</td></tr></tbody></table>',
  ],
  [
    'paragraphs, a list, code and a heading in cells',
    '<table><tbody><tr><td><p>a</p><p>b</p></td><td><ul><li>c</li></ul></td><td><pre><code>d</code></pre></td><td><h3>e</h3></td></tr></tbody></table>',
  ],
  ['a table in an item', '<ul><li><p>a</p><table><tbody><tr><td>b</td></tr></tbody></table></li></ul>'],
  [
    'a table with a caption, stored as a paragraph before it',
    '<table><caption>Fees <b>2026</b></caption><tbody><tr><td>a</td></tr></tbody></table>',
  ],
  ['text outside of any block', 'loose <b>text</b><p>a</p>more'],
];

describe('a stored text that is opened and saved', () => {
  it.each(samples)('keeps %s', (_name, html) => {
    const original = cleanedHtml(html);
    expect(keepsWholeText(schema(), original)).toBe(true);
    // A second save rewrites nothing.
    expect(savedHtml(savedHtml(original))).toBe(savedHtml(original));
    expect(documentOf(savedHtml(original)).body.textContent?.replaceAll(/\s/g, '')).toBe(
      documentOf(original).body.textContent?.replaceAll(/\s/g, ''),
    );
  });

  it('turns a caption into a paragraph before the table', () => {
    expect(cleanedHtml('<table><caption>Fees <b>2026</b></caption><tbody><tr><td>a</td></tr></tbody></table>')).toBe(
      '<p>Fees <b>2026</b></p><table><tbody><tr><td>a</td></tr></tbody></table>',
    );
  });

  it.each([
    [
      'a table in a cell',
      '<table><tbody><tr><td><table><tbody><tr><td>a</td></tr></tbody></table></td></tr></tbody></table>',
    ],
    ['bold within a code block', '<pre><code>a <b>b</b></code></pre>'],
  ])('cannot be edited if an edit would lose %s', (_name, html) => {
    expect(keepsWholeText(schema(), cleanedHtml(html))).toBe(false);
  });
});

describe('generated texts with the constructs of CommonMark', () => {
  const { below, chance, pick } = randomFrom(607);
  const times = <T,>(most: number, make: () => T): T[] => Array.from({ length: 1 + below(most) }, make);
  const word = () => pick(['fees', 'a < b', 'Núñez & Co', '*', '1.', '# 5', '[x]', '\\', '`', '_', '~', 'äöü', '🦷']);
  const escapedWord = () => word().replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const plainWords = () => times(4, escapedWord).join(' ');
  const inline = (depth = 2): string =>
    times(3, () =>
      depth === 0 || chance(0.4)
        ? plainWords()
        : pick([
            () => `<strong>${inline(depth - 1)}</strong>`,
            () => `<em>${inline(depth - 1)}</em>`,
            () => `<del>${plainWords()}</del>`,
            () => `<code>${plainWords()}</code>`,
            () => `<a href="/${below(9)}" title="A &quot;b&quot;">${plainWords()}</a>`,
            () => `<img src="/media/a.png" alt="${below(9)}">`,
            () => `${plainWords()}<br>${plainWords()}`,
          ])(),
    ).join(' ');
  const paragraph = () => `<p>${inline()}</p>`;
  const list = (depth: number): string => {
    const items = times(3, () => (chance(0.5) ? `<li>${inline()}</li>` : `<li>${blocks(depth - 1)}</li>`)).join('');
    return chance(0.5) ? `<ul>${items}</ul>` : `<ol start="${1 + below(9)}">${items}</ol>`;
  };
  const block = (depth: number): string =>
    depth === 0
      ? paragraph()
      : pick([
          paragraph,
          () => `<h${1 + below(6)}>${inline()}</h>`.replace(/<h(\d)>(.*)<\/h>/s, '<h$1>$2</h$1>'),
          () => `<pre><code class="language-js">${times(3, plainWords).join('\n  ')}</code></pre>`,
          () => '<hr>',
          () => `<blockquote>${blocks(depth - 1)}</blockquote>`,
          () => list(depth),
        ])();
  const blocks = (depth: number): string => times(3, () => block(depth)).join('');
  const textIn = (html: string) => documentOf(html).body.textContent?.replaceAll(/\s/g, '');

  it('lose no text, and are not rewritten by a second save', () => {
    for (let n = 0; n < 100; n++) {
      const original = cleanedHtml(blocks(3));
      expect(keepsWholeText(schema(), original), original).toBe(true);
      expect(textIn(savedHtml(original)), original).toBe(textIn(original));
      expect(savedHtml(savedHtml(original))).toBe(savedHtml(original));
    }
  });
});
