import { createSortedRowModel, rowSortingFeature, sortFn_basic, tableFeatures, useTable } from '@tanstack/react-table';
import { useMemo } from 'react';
import type { Column } from './list-view.ts';

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

/** A column that the browser sorts by the result of `rank`. Without `rank`, it cannot be sorted. */
export type RankedColumn<Row> = Column<Row> & { rank?(row: Row): string | number };

type SortedRows<Row> = { rows: Row[]; sort: string; onSort(sort: string): void };

/** Sorts a short, fully loaded list. `sort` is a column's id, with a leading `-` for descending order. */
export function useSorted<Row extends { id: string }>(
  columns: RankedColumn<Row>[],
  data: Row[],
  initial: { id: string; desc: boolean },
): SortedRows<Row> {
  const columnDefs = useMemo(
    () => columns.flatMap(({ id, rank }) => (rank ? [{ id, accessorFn: rank, sortFn: sortFn_basic }] : [])),
    [columns],
  );
  const table = useTable({
    features,
    columns: columnDefs,
    data,
    getRowId: ({ id }) => id,
    initialState: { sorting: [initial] },
  });
  const [sorting = initial] = table.state.sorting;
  return {
    rows: table.getRowModel().rows.map(({ original }) => original),
    sort: `${sorting.desc ? '-' : ''}${sorting.id}`,
    onSort: (sort) => table.setSorting([{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }]),
  };
}
