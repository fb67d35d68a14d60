import { expect, it } from 'vitest';
import { parseCents } from '#shared/money';
import { CSV_START } from '#shared/text/safe-text';
import { type BatchContents, batchCsv } from './view-batches.ts';

type Row = BatchContents['transactions'][number];

const row = (overrides: Partial<Row>): Row => ({
  id: '1',
  amount: '100.00',
  type: 'SALE',
  result: 'APPROVED',
  'card-type': 'VISA',
  card: '1111',
  billing: { 'first-name': '', 'last-name': '' },
  created: null,
  voided: false,
  payment: null,
  ...overrides,
});

const batch = { id: '7', settled: null, 'confirmation-code': null } as BatchContents['batch'];
const linesOf = (transactions: Row[]) =>
  batchCsv({ kind: 'transactions', batch, transactions }, 'America/Los_Angeles').trimEnd().split(/\r?\n/);
const cellsOf = (lines: string[]) => lines.map((line) => line.replaceAll('"', '').split(','));

it('writes times in the given zone', () => {
  const [, line] = linesOf([row({ created: '2026-03-05T04:30:00.000Z' })]);
  expect(line).toContain('"2026-03-04 20:30"');
});

it('exports refunds as negative amounts and a Net column that adds up to the batch', () => {
  const transactions = [
    row({}),
    row({ amount: '40.00', type: 'REFUND' }),
    row({ amount: '25.00', voided: true }),
    row({ amount: '25.00', type: 'VOID' }),
    row({ amount: '9.99', result: 'DECLINED' }),
    row({ amount: '60.00', type: 'AUTH' }),
    row({ amount: null }),
  ];
  const [header, ...lines] = linesOf(transactions);
  expect(header?.slice(CSV_START.length)).toBe(
    '"Batch","Confirmation Code","Settled","ID","Amount","Type","Result","Card","Name","Date","Invoice Number","Net"',
  );
  const cells = cellsOf(lines);
  expect(cells.map((cell) => cell[4])).toEqual(['100.00', '-40.00', '25.00', '25.00', '9.99', '60.00', '']);
  const net = cells.map((cell) => cell.at(-1) ?? '');
  expect(net).toEqual(['100.00', '-40.00', '0.00', '0.00', '0.00', '0.00', '']);
  const cents = net.map((text) => (text.startsWith('-') ? -(parseCents(text.slice(1)) ?? 0) : (parseCents(text) ?? 0)));
  expect(cents.reduce((sum, amount) => sum + amount, 0)).toBe(6_000);
});

it('marks only voided transactions in the Type column', () => {
  const [, ...lines] = linesOf([row({}), row({ voided: true })]);
  expect(cellsOf(lines).map((cell) => cell[5])).toEqual(['SALE', 'SALE (voided)']);
});
