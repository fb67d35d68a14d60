import { describe, expect, it } from 'vitest';
import { cutText, excerptOf, plainText } from './excerpt.ts';

describe('the words of a text', () => {
  it('are without markup, with a space where the page has a new line', () => {
    expect(plainText('<h2>One</h2><p>two <em>and</em> <a href="/x">three</a></p><ul><li>four</li></ul>')).toBe(
      'One two and three four',
    );
    expect(plainText('<p>a<br>b</p><p title="1 > 0">c</p><img src="/x" alt="no words">')).toBe('a b c');
  });

  it('leave out the content of scripts and styles', () => {
    expect(plainText('<p>one</p><style>p{color:red}</style><!-- no --><script>two()</script><p>three</p>')).toBe(
      'one three',
    );
  });

  it('have characters where the markup has entities', () => {
    expect(plainText('<p>Fish &amp; chips&nbsp;&lt; &#36;5 &#x1F600;</p>')).toBe('Fish & chips < $5 😀');
  });
});

describe('the beginning of a text', () => {
  it('has the asked number of characters and an ellipsis; a text that fits is not cut', () => {
    expect(cutText('a'.repeat(120), 120)).toBe('a'.repeat(120));
    expect(cutText('a'.repeat(121), 120)).toBe(`${'a'.repeat(120)}…`);
    expect(cutText('', 120)).toBe('');
  });

  it('never ends inside a character, even one of many code units', () => {
    for (const letter of ['😀', '👩‍👩‍👧', 'e\u0301', '🇺🇸', '한']) {
      expect(cutText(`${'a'.repeat(119)}${letter}bcd`, 120)).toBe(`${'a'.repeat(119)}${letter}…`);
      expect(cutText(`${'a'.repeat(120)}${letter}bcd`, 120)).toBe(`${'a'.repeat(120)}…`);
    }
  });

  it('is cut after entities have become characters', () => {
    expect(cutText(plainText(`<p>${'&amp;'.repeat(130)}</p>`), 120)).toBe(`${'&'.repeat(120)}…`);
  });
});

describe('a text that cannot be read', () => {
  it('has no words and throws no error', () => {
    const reopened = `<p>${Array.from({ length: 190 }, (_, n) => `<b a=${n}>`).join('')}</p>${'<p>x</p>'.repeat(30_000)}`;
    for (const text of ['<div>'.repeat(20_000), `<p>words</p>${'<b>'.repeat(2000)}`, reopened]) {
      expect(plainText(text)).toBe('');
      expect(excerptOf(text, 150)).toBe('');
    }
  });
});

describe('the beginning of a long text', () => {
  const marked = `z${'\u0335\u0327\u031b\u0301\u0300'.repeat(6)}`;

  it.each([
    ['a family', '👨‍👩‍👧‍👦'],
    ['a kiss', '👩🏽‍❤️‍💋‍👨🏾'],
    ['a flag', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['a letter with many marks', marked],
  ])('of %s alone has exactly the asked number of them', (_name, letter) => {
    for (const length of [120, 150, 300]) {
      expect(excerptOf(`<p>${letter.repeat(400)}</p>`, length)).toBe(`${letter.repeat(length)}…`);
      expect(excerptOf(`<p>a${letter.repeat(400)}</p>`, length)).toBe(`a${letter.repeat(length - 1)}…`);
    }
  });

  it('does not depend on the amount of markup and entities', () => {
    for (const part of ['<b>&amp;</b>', '&amp;', `<a href="/${'x'.repeat(400)}">&amp;</a>`]) {
      expect(excerptOf(`<p>${part.repeat(900)}</p>`, 300)).toBe(`${'&'.repeat(300)}…`);
    }
  });
});
