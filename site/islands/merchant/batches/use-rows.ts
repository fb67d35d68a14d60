import {
  createPaginatedRowModel,
  createSortedRowModel,
  rowPaginationFeature,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import type { BatchTransaction } from '../../../../shared/contracts/batches.ts';
import type { ListQuery, ListView } from '../../ui/table/list-view.ts';
import type { TransactionColumn } from './transaction-columns.tsx';

const features = tableFeatures({
  rowSortingFeature,
  rowPaginationFeature,
  sortedRowModel: createSortedRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
});

const SIZE = 10;
/** Newest first by default. */
const FIRST_SORT = [{ id: 'date', desc: true }];

/** Sorts and pages rows in the browser, for the table that also shows long lists. */
export function useRows(
  columns: TransactionColumn[],
  data: BatchTransaction[],
  phase: ListView<BatchTransaction>['phase'],
): ListView<BatchTransaction> {
  const defs = useMemo(
    () =>
      columns.map(({ id, rank }) => ({
        id,
        accessorFn: (row: BatchTransaction) => rank?.(row) ?? '',
        enableSorting: rank !== undefined,
        sortFn: sortFn_basic,
      })),
    [columns],
  );
  const table = useTable({
    features,
    columns: defs,
    data,
    getRowId: ({ id }) => id,
    initialState: { sorting: FIRST_SORT, pagination: { pageIndex: 0, pageSize: SIZE } },
  });
  const { sorting, pagination } = table.state;
  const { pageIndex, pageSize } = pagination;
  const [sorted] = sorting;
  const query: ListQuery = {
    page: pageIndex + 1,
    size: pageSize,
    sort: sorted ? `${sorted.desc ? '-' : ''}${sorted.id}` : '',
    q: '',
    filters: {},
  };
  return {
    query,
    rows: table.getRowModel().rows.map(({ original }) => original),
    first: pageIndex * pageSize + 1,
    phase,
    total: data.length,
    pages: Math.max(1, Math.ceil(data.length / pageSize)),
    show({ page, size, sort }) {
      if (sort !== undefined) table.setSorting([{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }]);
      if (size !== undefined) table.setPageSize(size);
      if (page !== undefined) table.setPageIndex(page - 1);
    },
  };
}
