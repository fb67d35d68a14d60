import { expect, it } from 'vitest';
import { wordsIn } from '#shared/words/bilingual';
import { billWords } from '#shared/words/bill-and-receipt-words';
import { formatBill } from './pay-page-fill.ts';

const item = (name: string, total: string | null) => ({ name, quantity: '1', total });
const textsOf = (total: string | null, items: ReturnType<typeof item>[], count = items.length, maxLines?: number) =>
  formatBill(
    { count, total, items },
    {
      currency: 'USD',
      language: 'en',
      words: wordsIn(billWords, 'en'),
      ...(maxLines === undefined ? {} : { maxLines }),
    },
  ).lines.map((line) => `${line.name} ${line.total}`);

const exam = item('Exam', '60.00');
const tray = item('Tray', '40.00');
const lines = ['Exam $60.00', 'Tray $40.00'];

it.each([
  ['a tax on all of it', '107.00', [exam, tray], [...lines, 'Tax, fees, discounts $7.00']],
  ['a discount on all of it', '90.00', [exam, tray], [...lines, 'Tax, fees, discounts −$10.00']],
  ['nothing but its lines', '100.00', [exam, tray], lines],
  ['a total that cannot be read', null, [exam, tray], lines],
  ['a line that cannot be read', '107.00', [exam, item('Tray', null)], ['Exam $60.00', 'Tray ']],
  ['no line', '107.00', [], []],
])('an invoice with %s shows the expected lines to payers', (_case, total, items, expected) => {
  expect(textsOf(total, items)).toEqual(expected);
});

it('an invoice with hidden lines gets no remainder line', () => {
  expect(textsOf('107.00', [exam, tray], 2, 1)).toEqual(['Exam $60.00']);
  expect(textsOf('107.00', [exam, tray], 3)).toEqual(lines);
});
