import { expect, test } from 'vitest';
import { articleDrawing } from './drawing.ts';

/** Parts that only one motif has. */
const CARD = 'width="196" height="136"';
const CALENDAR = 'x="88" y="88"';
const SIGNATURE = 'width="200" height="164"';
const LEDGERS = 'x="184" y="100"';

test.each([
  ['card-or-bank-debit', CARD],
  ['why-patients-pay-late', CALENDAR],
  ['what-a-signature-is-good-for', SIGNATURE],
  ['closing-the-day', LEDGERS],
])('the drawing for %s shows only the motif of its slug', (slug, part) => {
  expect(articleDrawing(slug)).toContain(part);
  expect([CARD, CALENDAR, SIGNATURE, LEDGERS].filter((motif) => articleDrawing(slug).includes(motif))).toEqual([part]);
});

test('a slug that matches no motif always gets the same generic drawing', () => {
  expect(articleDrawing('hello-world')).toContain('article-drawing');
  expect(articleDrawing('hello-world')).toBe(articleDrawing('hello-world'));
  expect(articleDrawing('a-plate-of-tapas')).not.toContain(CALENDAR);
});
