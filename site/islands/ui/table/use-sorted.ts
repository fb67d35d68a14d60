import { createSortedRowModel, rowSortingFeature, sortFn_basic, tableFeatures, useTable } from '@tanstack/react-table';
import { useMemo } from 'react';
import type { Column } from './list-view.ts';

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

/** A column that sorts rows in the browser by what `rank` makes of them; one without it never does. */
export type RankedColumn<Row> = Column<Row> & { rank?(row: Row): string | number };

type Sorted<Row> = { rows: Row[]; sort: string; onSort(sort: string): void };

/** Few rows, all of them here, in the order that a person asks for; `sort` is a column, "-" before it for the reverse. */
export function useSorted<Row extends { id: string }>(
  columns: RankedColumn<Row>[],
  data: Row[],
  first: { id: string; desc: boolean },
): Sorted<Row> {
  const defs = useMemo(
    () => columns.flatMap(({ id, rank }) => (rank ? [{ id, accessorFn: rank, sortFn: sortFn_basic }] : [])),
    [columns],
  );
  const table = useTable({
    features,
    columns: defs,
    data,
    getRowId: ({ id }) => id,
    initialState: { sorting: [first] },
  });
  const [by = first] = table.state.sorting;
  return {
    rows: table.getRowModel().rows.map(({ original }) => original),
    sort: `${by.desc ? '-' : ''}${by.id}`,
    onSort: (sort) => table.setSorting([{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }]),
  };
}
