import { expect, it } from 'vitest';
import { escapeHtml, scriptJson } from './escape.ts';

const HOSTILE = `</script><script>alert(1)</script><!-- "'&\u2028\u2029`;

it('a value inside a script element ends neither the element nor a line of it, and reads as it was', () => {
  const written = scriptJson({ name: HOSTILE });
  expect(written).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(written)).toEqual({ name: HOSTILE });
});

it('a text in HTML ends neither an element nor a quoted attribute', () => {
  expect(escapeHtml(HOSTILE)).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
});
