import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { BatchTransaction } from '#shared/contracts/payments/batches';
import type { RankedColumn } from '#site/islands/ui/table/use-sorted.ts';
import { useRows } from './TransactionTable.tsx';

const columns = [
  { id: 'id', rank: ({ id }) => id },
  { id: 'amount', rank: ({ amount }) => Number(amount) },
  { id: 'date', rank: ({ created }) => created ?? '' },
] as RankedColumn<BatchTransaction>[];
const rows = [
  { id: '1', amount: '10.00', created: '2026-03-01' },
  { id: '2', amount: '9.00', created: '2026-03-03' },
  { id: '3', amount: '10.00', created: '2026-03-02' },
] as BatchTransaction[];
const renderRows = (data = rows) => renderHook(() => useRows(columns, data, 'shown')).result;
const idsOf = (list: ReturnType<typeof renderRows>) => list.current.rows.map(({ id }) => id);

it('shows the newest rows first by default', () => {
  expect(idsOf(renderRows())).toEqual(['2', '3', '1']);
});

it.each([
  ['amount', ['2', '1', '3']],
  ['-amount', ['1', '3', '2']],
  ['-id', ['3', '2', '1']],
])('keeps equal rows in their original order when sorted by "%s"', (sort, ids) => {
  const list = renderRows();
  act(() => list.current.show({ sort }));
  expect(list.current.query.sort).toBe(sort);
  expect(idsOf(list)).toEqual(ids);
  expect(rows.map(({ id }) => id)).toEqual(['1', '2', '3']);
});

it('shows the last page if the requested page is beyond it', () => {
  const list = renderRows(
    Array.from({ length: 12 }, (_, index) => ({ ...rows[0], id: `${index}` }) as BatchTransaction),
  );
  act(() => list.current.show({ page: 5 }));
  expect(list.current).toMatchObject({ query: { page: 2 }, first: 11, total: 12, pages: 2 });
  expect(list.current.rows).toHaveLength(2);
});
