import { expect, it } from 'vitest';
import { escapeHtml, scriptJson } from './escape.ts';

const HOSTILE = `</script><script>alert(1)</script><!-- "'&\u2028\u2029`;

it('JSON inside a script element cannot close it or break a line, and parses unchanged', () => {
  const json = scriptJson({ name: HOSTILE });
  expect(json).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(json)).toEqual({ name: HOSTILE });
});

it('escaped HTML text contains no raw angle bracket, quote or ampersand', () => {
  expect(escapeHtml(HOSTILE)).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
});
