import { describe, expect, it } from 'vitest';
import { cutText, excerptOf, plainText } from './excerpt.ts';

describe('the plain text of an article', () => {
  it('contains no markup, and a space for each line break of the page', () => {
    expect(plainText('<h2>One</h2><p>two <em>and</em> <a href="/x">three</a></p><ul><li>four</li></ul>')).toBe(
      'One two and three four',
    );
    expect(plainText('<p>a<br>b</p><p title="1 > 0">c</p><img src="/x" alt="no words">')).toBe('a b c');
  });

  it('leaves out the content of scripts and styles', () => {
    expect(plainText('<p>one</p><style>p{color:red}</style><!-- no --><script>two()</script><p>three</p>')).toBe(
      'one three',
    );
  });

  it('decodes entities into characters', () => {
    expect(plainText('<p>Fish &amp; chips&nbsp;&lt; &#36;5 &#x1F600;</p>')).toBe('Fish & chips < $5 😀');
  });
});

describe('cutting a text', () => {
  it('keeps the given number of characters plus an ellipsis, and does not change a text that fits', () => {
    expect(cutText('a'.repeat(120), 120)).toBe('a'.repeat(120));
    expect(cutText('a'.repeat(121), 120)).toBe(`${'a'.repeat(120)}…`);
    expect(cutText('', 120)).toBe('');
  });

  it('keeps only whole words', () => {
    expect(cutText('with a large screen', 10)).toBe('with a…');
    expect(cutText('with a large screen', 12)).toBe('with a large…');
    expect(cutText('with a large screen', 7)).toBe('with a…');
    expect(cutText('Donaudampfschifffahrt on time', 8)).toBe('Donaudam…');
  });

  it('never splits a character that has several code units', () => {
    for (const character of ['😀', '👩‍👩‍👧', 'e\u0301', '🇺🇸', '한']) {
      expect(cutText(`${'a'.repeat(119)}${character}bcd`, 120)).toBe(`${'a'.repeat(119)}${character}…`);
      expect(cutText(`${'a'.repeat(120)}${character}bcd`, 120)).toBe(`${'a'.repeat(120)}…`);
    }
  });

  it('counts decoded characters, not entities', () => {
    expect(cutText(plainText(`<p>${'&amp;'.repeat(130)}</p>`), 120)).toBe(`${'&'.repeat(120)}…`);
  });
});

describe('a text that cannot be parsed', () => {
  it('yields an empty text without an error', () => {
    const reopenedTags = `<p>${Array.from({ length: 190 }, (_, n) => `<b a=${n}>`).join('')}</p>${'<p>x</p>'.repeat(30_000)}`;
    for (const text of ['<div>'.repeat(20_000), `<p>words</p>${'<b>'.repeat(2000)}`, reopenedTags]) {
      expect(plainText(text)).toBe('');
      expect(excerptOf(text, 150)).toBe('');
    }
  });
});

describe('the excerpt of a long text', () => {
  const letterWithMarks = `z${'\u0335\u0327\u031b\u0301\u0300'.repeat(6)}`;

  it.each([
    ['a family', '👨‍👩‍👧‍👦'],
    ['a kiss', '👩🏽‍❤️‍💋‍👨🏾'],
    ['a flag', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['a character with many marks', letterWithMarks],
  ])('counts %s as one character', (_name, character) => {
    for (const length of [120, 150, 300]) {
      expect(excerptOf(`<p>${character.repeat(400)}</p>`, length)).toBe(`${character.repeat(length)}…`);
      expect(excerptOf(`<p>a${character.repeat(400)}</p>`, length)).toBe(`a${character.repeat(length - 1)}…`);
    }
  });

  it('has full length regardless of markup and entities', () => {
    for (const part of ['<b>&amp;</b>', '&amp;', `<a href="/${'x'.repeat(400)}">&amp;</a>`]) {
      expect(excerptOf(`<p>${part.repeat(900)}</p>`, 300)).toBe(`${'&'.repeat(300)}…`);
    }
  });
});
