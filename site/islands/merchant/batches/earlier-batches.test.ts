import { expect, it } from 'vitest';
import type { Batch } from '#shared/contracts/payments/batches';
import { splitBatches } from './BatchCards.tsx';

const batchWith = (id: string, status: Batch['status']): Batch => ({
  id,
  status,
  terminal_name: 'Front desk',
  'terminal-id': 'T1',
  'date-opened': null,
  settled: null,
  'sales-count': '0',
  'sales-total': '0.00',
  'refund-count': '0',
  'refund-total': '0.00',
  'net-amount': '0.00',
  'confirmation-code': null,
});
const ids = (batches: Batch[]) => batches.map(({ id }) => id);

it('counts the open and the newest settled batch as current, and older settled ones as earlier', () => {
  const { current, earlier } = splitBatches([
    batchWith('5', 'OPEN'),
    batchWith('4', 'CLOSED'),
    batchWith('3', 'CLOSED'),
    batchWith('2', 'CLOSED'),
  ]);
  expect([ids(current), ids(earlier)]).toEqual([
    ['5', '4'],
    ['3', '2'],
  ]);
});

it('counts an unsettled batch as current, however old it is', () => {
  const { current, earlier } = splitBatches([
    batchWith('4', 'OPEN'),
    batchWith('3', 'CLOSED'),
    batchWith('2', 'FAILED'),
    batchWith('1', 'CLOSED'),
  ]);
  expect([ids(current), ids(earlier)]).toEqual([['4', '3', '2'], ['1']]);
});

it('counts no batch as earlier if only one was settled', () => {
  expect(splitBatches([batchWith('1', 'CLOSED')]).earlier).toEqual([]);
});
