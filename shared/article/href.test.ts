import { describe, expect, it } from 'vitest';
import { cleanHtml } from './clean-html.ts';
import { readHref } from './href.ts';

describe('an address that a writer types', () => {
  it.each([
    ['HTTP://example.org/A', 'http://example.org/A'],
    ['hTTps://example.org', 'https://example.org'],
    [' Mailto:Desk@clinic.example ', 'mailto:Desk@clinic.example'],
    ['Tel:+13175550188', 'tel:+13175550188'],
    ['SMS:+13175550188?body=Hello', 'sms:+13175550188?body=Hello'],
    ['/blog/fees', '/blog/fees'],
    ['#top', '#top'],
    ['desk@clinic.example', 'mailto:desk@clinic.example'],
    ['clinic.example/a:b', 'https://clinic.example/a:b'],
  ])('is read from %j as %j, and stored in that form', (input, href) => {
    expect(readHref(input)).toBe(href);
    expect(cleanHtml(`<p><a href="${href}">x</a></p>`)).toMatchObject({ html: `<p><a href="${href}">x</a></p>` });
    expect(cleanHtml(`<p><a href="${input}">x</a></p>`).kind).toBe('clean');
  });

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc',
    '//evil.example',
    'http:x',
    'ftp://x.example',
    '',
  ])('is refused: %j', (input) => {
    expect(readHref(input)).toBeNull();
  });
});

it.each([
  ['HTTP://example.org', 'http://example.org'],
  ['Mailto:a@b.example', 'mailto:a@b.example'],
  ['TEL:1', 'tel:1'],
  ['sms:1', 'sms:1'],
])('a link to %s is stored with the scheme in lower case', (href, storedHref) => {
  expect(cleanHtml(`<p><a href="${href}">x</a></p>`)).toMatchObject({ html: `<p><a href="${storedHref}">x</a></p>` });
});

it('a link with a scheme that is not allowed is stored without an address', () => {
  for (const href of ['JavaScript:alert(1)', 'VBScript:x', 'DATA:text/html,x'])
    expect(cleanHtml(`<p><a href="${href}">x</a></p>`)).toMatchObject({ html: '<p><a>x</a></p>' });
});
