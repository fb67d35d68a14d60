import { expect, it } from 'vitest';
import type { BatchTransaction } from '../../../../shared/contracts/batches.ts';
import type { TransactionColumn } from './transaction-columns.tsx';
import { sortRows } from './use-rows.ts';

const columns = [
  { id: 'id', rank: ({ id }) => id },
  { id: 'amount', rank: ({ amount }) => Number(amount) },
  { id: 'payment' },
] as TransactionColumn[];
const rows = [
  { id: '1', amount: '10.00' },
  { id: '2', amount: '9.00' },
  { id: '3', amount: '10.00' },
] as BatchTransaction[];

it.each([
  ['amount', ['2', '1', '3']],
  ['-amount', ['1', '3', '2']],
  ['-id', ['3', '2', '1']],
  ['payment', ['1', '2', '3']],
  ['unheard', ['1', '2', '3']],
])('rows in the order "%s" keep their order where they are equal', (sort, ids) => {
  expect(sortRows(columns, rows, sort).map(({ id }) => id)).toEqual(ids);
  expect(rows.map(({ id }) => id)).toEqual(['1', '2', '3']);
});
