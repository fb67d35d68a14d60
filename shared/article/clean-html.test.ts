import { defaultTreeAdapter } from 'parse5';
import { describe, expect, it, vi } from 'vitest';
import { contentLimits } from '#shared/limits';
import { attacks } from '#tests/support/content/attacks';
import { cleanHtml } from './clean-html.ts';

const clean = (html: string): string => {
  const cleaned = cleanHtml(html);
  return cleaned.kind === 'clean' ? cleaned.html : cleaned.kind;
};

/** The only tags and attributes that a cleaned text may contain. */
const TAG =
  /<\/?(?:h[1-6]|p|br|hr|strong|b|em|i|del|s|code|pre|blockquote|ul|ol|li|a|img|table|thead|tbody|tr|th|td|sub|sup)(?: (?:href|title|src|alt|width|height|start|align|colspan|rowspan|class|role|data-(?:item-type|checked|list-type|label|language))="[^"]*")*>/g;

/**
 * Returns tags and addresses that our grammar does not allow. It does not use the sanitizer's parser, so the two cannot
 * share a mistake.
 */
function findDisallowed(html: string): string[] {
  const tags = html.replace(TAG, '').match(/<[^>]*>?/g) ?? [];
  const addresses = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)]
    .map(([, value = '']) =>
      value.replace(/&#x([0-9a-f]+);|&#(\d+);|&amp;/gi, (entity, hex, decimal) =>
        entity === '&amp;' ? '&' : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
      ),
    )
    .filter((value) => /^[^/?#]*:/.test(value) && !/^(?:https?|mailto|tel|sms):/.test(value));
  return [...tags, ...addresses];
}

describe('cleaning the known attacks', () => {
  it('leaves nothing executable and is idempotent', () => {
    for (const attack of attacks) {
      const cleanedOnce = clean(attack);
      expect(findDisallowed(cleanedOnce), attack).toEqual([]);
      expect(clean(cleanedOnce), attack).toBe(cleanedOnce);
    }
  });

  it('covers at least 76 distinct attack strings', () => {
    expect(new Set(attacks).size).toBe(attacks.length);
    expect(attacks.length).toBeGreaterThanOrEqual(76);
  });

  it('is verified by a check that detects at least three quarters of the raw attacks', () => {
    const undetected = attacks.filter((attack) => findDisallowed(attack).length === 0);
    expect(undetected.length).toBeLessThan(attacks.length / 4);
  });
});

describe('cleaning editor output', () => {
  it.each([
    ['headings', '<h1>One</h1><h2>Two</h2><h3>Three</h3><h6>Six</h6>'],
    [
      'lists',
      '<ul><li><p>a</p><ul><li><p>b</p></li></ul></li></ul><ol start="3"><li data-list-type="ordered" data-label="3."><p>c</p></li></ol>',
    ],
    ['tasks', '<ul><li data-item-type="task" data-checked="true"><p>done</p></li></ul>'],
    [
      'links',
      '<p><a href="https://example.org/a?b=1#c" title="There">out</a> <a href="/blog/x">in</a> <a href="mailto:a@b.example">mail</a></p>',
    ],
    ['images', '<p><img src="/media/abc.webp" alt="A desk" title="A desk"></p>'],
    ['decorative images', '<p><img src="/media/abc.webp" alt="" role="presentation"></p>'],
    [
      'tables',
      '<table><tbody><tr><th><p>Item</p></th><th align="right"><p>Fee</p></th></tr><tr><td><p>Visit</p></td><td align="right"><p>$40</p></td></tr></tbody></table>',
    ],
    ['code', '<pre data-language="js"><code>if (a &#x3C; b) run();</code></pre><p><code>x</code></p>'],
    ['quotes', '<blockquote><p>Said.</p></blockquote>'],
    ['emphasis', '<p><em>a</em> <strong>b</strong> <del>c</del> <strong><em>d</em></strong><br>e</p><hr>'],
    ['every script and symbol', '<p>Núñez 李 🦷 &#x26; “quotes” – 5 &#x3C; 6</p>'],
  ])('keeps %s', (_case, html) => {
    expect(clean(html)).toBe(html);
  });

  it('converts text-align styles to align attributes and drops left', () => {
    const cell = (style: string) => clean(`<table><tbody><tr><td style="${style}">1</td></tr></tbody></table>`);
    expect(cell('text-align: right')).toContain('<td align="right">');
    expect(cell('color:red; text-align:CENTER;')).toContain('<td align="center">');
    expect(cell('text-align: left')).toContain('<td>1</td>');
    expect(cell('text-align: right; background: url(javascript:1)')).toContain('<td align="right">');
  });

  it('removes attributes that the editor adds on its own', () => {
    expect(
      clean(
        '<h2 id="a-title">A title</h2><ul data-spread="false"><li data-label="•" data-list-type="bullet" data-spread="true"><p>x</p></li></ul><p></p><p><br></p>',
      ),
    ).toBe('<h2>A title</h2><ul><li><p>x</p></li></ul>');
  });

  it('removes word processor markup and keeps its text', () => {
    expect(
      clean(
        '<p class="MsoNormal" style="margin:0"><span lang="EN-US"><o:p>Fees</o:p></span></p><!--[if gte mso 9]><xml>x</xml><![endif]-->',
      ),
    ).toBe('<p>Fees</p>');
  });
});

describe('cleaning oversized input', () => {
  it('rejects five megabytes as too long, and a text that becomes too long when cleaned', () => {
    expect(clean('x'.repeat(5_000_000))).toBe('too-long');
    expect(clean('é'.repeat(contentLimits.content / 2 + 1))).toBe('too-long');
    expect(clean('<'.repeat(contentLimits.content))).toBe('too-long');
    expect(clean('x'.repeat(contentLimits.content))).toHaveLength(contentLimits.content);
  });

  it('rejects deeply nested tags, even if the nesting is hidden', () => {
    expect(clean('<div>'.repeat(5000))).toBe('too-deep');
    expect(clean(`${'<b>'.repeat(201)}x`)).toBe('too-deep');
    expect(clean('<ul><li>'.repeat(3000))).toBe('too-deep');
    expect(clean(`${'<i>'.repeat(199)}x${'</i>'.repeat(199)}`)).toContain('x');
    expect(clean(`<p ">${'<div>'.repeat(40_000)}`)).toBe('too-deep');
    expect(clean(`<!-- <p a="-->${'<div>'.repeat(40_000)}`)).toBe('too-deep');
    // Tags inside an attribute do not nest.
    expect(clean(`<p a="${'<div>'.repeat(20_000)}`)).toBe('');
  });

  it('takes time linear in the number of attributes', () => {
    const cost = (count: number): number => {
      const names = Array.from({ length: count }, (_, n) => `a${n}=1`).join(' ');
      const times = Array.from({ length: 3 }, () => {
        const startedAt = performance.now();
        expect(clean(`<p ${names}>x</p>`)).toBe('<p>x</p>');
        expect(clean(`<a href="/x" ${names} onclick=alert(1)>x</a>`)).toBe('<a href="/x">x</a>');
        return performance.now() - startedAt;
      });
      // Load on the machine can only make a run slower, so the shortest is the most accurate.
      return Math.min(...times);
    };
    expect(cost(20_000) / cost(2_000)).toBeLessThan(40);
  });
});

describe('unclosed formatting that reopens in every paragraph', () => {
  const repeatPart = (count: number, part: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => part(n)).join('');
  const fillToLimit = (head: string, paragraph = '<p>x</p>') =>
    head + paragraph.repeat((contentLimits.content - head.length) / paragraph.length);
  const unclosedTags = (tag: string, count = 190) =>
    fillToLimit(`<p>${repeatPart(count, (n) => `<${tag} a=${n}>`)}</p>`);

  it.each<[string, string]>([
    ...'b big code em font i s small strike strong tt u'
      .split(' ')
      .map((tag) => [tag, unclosedTags(tag)] satisfies [string, string]),
    [
      'all of them, and no attributes',
      fillToLimit(`<p>${repeatPart(3, () => '<b><code><em><font><i><s><tt><u>')}</p>`),
    ],
    ['a few', unclosedTags('b', 20)],
    ['a link with a long address', fillToLimit(`<p><a href="/${'x'.repeat(10_000)}"></p>`)],
    ['one with many attributes', fillToLimit(`<p><b ${repeatPart(5000, (n) => `a${n} `)}></p>`)],
    ['around lists', fillToLimit(`<p>${repeatPart(190, (n) => `<b a=${n}>`)}</p>`, '<ul><li>x</ul>')],
    ['in a short text', `<p>${repeatPart(190, (n) => `<b a=${n}>`)}</p>${'<p>x</p>'.repeat(2700)}`],
  ])('is rejected: %s', (_case, html) => {
    const created = vi.spyOn(defaultTreeAdapter, 'createElement');
    try {
      expect(clean(html)).toBe('too-deep');
      // Elements grow with the length of the text, not with tags times paragraphs.
      expect(created.mock.calls.length).toBeLessThan(html.length / 2);
    } finally {
      created.mockRestore();
    }
  });

  it('is kept if the writer only forgot a closing tag', () => {
    expect(clean('<p><b>a</p><p>b</b></p>')).toBe('<p><b>a</b></p><p><b>b</b></p>');
    const unclosedHtml = `<p>${'<font size=2 face="Arial">'.repeat(4)}<b><i>x</p>`;
    expect(clean(unclosedHtml + '<p>Our hours have changed.</p>'.repeat(100))).toContain('<p><b><i>Our hours');
  });

  it('is kept when it wraps the whole text, as some editors paste it', () => {
    const pastedHtml = `<b style="font-weight:normal" id="docs-internal-guid-1">${'<p><span>x</span></p>'.repeat(9000)}</b>`;
    expect(clean(pastedHtml)).toContain('<p>x</p>');
  });
});

describe('a cleaned text', () => {
  it.each([
    ['closed by tags that close nothing', `${'<b></i>'.repeat(250)}<p>important words</p>`],
    ['opened inside each other', `${'<b a></i>'.repeat(150)}<p>important words</p>`],
    ['longer than the input', '<'.repeat(contentLimits.content / 3)],
    ['tags that expand when cleaned', `<table>${'a<tr>'.repeat(50_000)}`],
    ['nested by unwrapping', `${'<form><div></form>'.repeat(150)}<p>important words</p>`],
    ['quotes in a table', `<table>${'<blockquote>'.repeat(190)}<tr><td>${'<i>'.repeat(9)}x`],
  ])('does not change when it is cleaned again: %s', (_case, html) => {
    const firstResult = cleanHtml(html);
    if (firstResult.kind === 'clean') expect(cleanHtml(firstResult.html)).toEqual(firstResult);
  });

  it('never exceeds the maximum length', () => {
    expect(clean('<'.repeat(contentLimits.content / 6 + 1))).toBe('too-long');
    expect(clean('<'.repeat(contentLimits.content / 6))).toHaveLength(contentLimits.content);
  });

  it('is rejected when mismatched end tags would hide its depth', () => {
    expect(clean(`${'<b></i>'.repeat(250)}<p>important words</p>`)).toBe('too-deep');
    expect(clean(`${'<b></b></i></p>'.repeat(2500)}<p>important words</p>`)).toContain('<p>important words</p>');
  });
});
