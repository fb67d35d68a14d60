import { expect, test } from 'vitest';
import { inlineStylesheets, moveScriptsToEnd } from './scripts-last.ts';

const HEAD = '<html><head><script>early()</script></head>';

test('moves inline body scripts to the end in order, but not data, head scripts or script files', () => {
  const data = '<script type="application/json" id="view">{"a":"$&"}</script>';
  const file = '<script type="module" src="/a.js"></script>';
  const page = `${HEAD}<body class="payer"><p>1</p>${data}<script>one('$&')</script>${file}<p>2</p><script>
two()</script><p>3</p></body></html>`;
  expect(moveScriptsToEnd(page)).toBe(
    `${HEAD}<body class="payer"><p>1</p>${data}${file}<p>2</p><p>3</p><script>one('$&')</script><script>
two()</script></body></html>`,
  );
});

test('leaves a page unchanged when its scripts are already last', () => {
  const page = `${HEAD}<body><p>1</p><script>one()</script></body></html>`;
  expect(moveScriptsToEnd(page)).toBe(page);
  expect(moveScriptsToEnd(moveScriptsToEnd(page))).toBe(page);
});

test('inlines stylesheets unchanged in place of their links', () => {
  const files: Record<string, string> = { '/_astro/a.css': '.a{content:"$&"}', '/_astro/b.css': '.b{}' };
  const page =
    '<head><style>.x{}</style><link rel="stylesheet" href="/_astro/a.css"><link rel="icon" href="/i.svg"><link rel="stylesheet" href="/_astro/b.css"></head>';
  expect(inlineStylesheets(page, (address) => files[address] ?? '')).toBe(
    '<head><style>.x{}</style><style>.a{content:"$&"}</style><link rel="icon" href="/i.svg"><style>.b{}</style></head>',
  );
});
