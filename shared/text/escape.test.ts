import { expect, it } from 'vitest';
import { escapeHtml, scriptJson } from './escape.ts';

const HOSTILE = `</script><script>alert(1)</script><!-- "'&\u2028\u2029`;

it('the output of scriptJson cannot close its script element or break a line, and parses unchanged', () => {
  const json = scriptJson({ name: HOSTILE });
  expect(json).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(json)).toEqual({ name: HOSTILE });
});

it('the output of escapeHtml has no raw angle bracket, quote or ampersand', () => {
  expect(escapeHtml(HOSTILE)).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
});
