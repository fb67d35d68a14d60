import { useMemo, useState } from 'react';
import type { BatchTransaction } from '../../../../shared/contracts/batches.ts';
import type { ListQuery, ListView } from '../../ui/table/list-view.ts';
import type { TransactionColumn } from './transaction-columns.tsx';

/** Newest first by default. */
const FIRST: ListQuery = { page: 1, size: 10, sort: '-date', q: '', filters: {} };

/** In the order of a column, "-" before its name for the reverse; rows of equal rank stay as they were. */
export function sortRows(columns: TransactionColumn[], data: BatchTransaction[], sort: string): BatchTransaction[] {
  const rank = columns.find(({ id }) => id === sort.replace(/^-/, ''))?.rank;
  if (!rank) return data;
  const way = sort.startsWith('-') ? -1 : 1;
  const ranked = data.map((row) => ({ row, by: rank(row) }));
  return ranked.sort((a, b) => (a.by === b.by ? 0 : a.by > b.by ? way : -way)).map(({ row }) => row);
}

/** Sorts and pages rows in the browser, for the table that also shows long lists. */
export function useRows(
  columns: TransactionColumn[],
  data: BatchTransaction[],
  phase: ListView<BatchTransaction>['phase'],
): ListView<BatchTransaction> {
  const [wanted, setWanted] = useState(FIRST);
  const { size, sort } = wanted;
  const sorted = useMemo(() => sortRows(columns, data, sort), [columns, data, sort]);
  const pages = Math.max(1, Math.ceil(data.length / size));
  const page = Math.min(wanted.page, pages);
  const first = (page - 1) * size;
  return {
    query: { ...wanted, page },
    rows: sorted.slice(first, first + size),
    first: first + 1,
    phase,
    total: data.length,
    pages,
    show: (change) => setWanted({ ...wanted, ...change }),
  };
}
