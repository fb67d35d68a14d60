import {
  rowPaginationFeature,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type ReactNode, useMemo, useRef } from 'react';
import type { Column, ListView } from './list-view.ts';
import { Pager } from './Pager.tsx';
import { SortHead, SortSelect } from './Sort.tsx';
import { Row, SkeletonRow } from './TableRow.tsx';
import { is } from './table-roles.ts';
import { useOverflow } from './use-overflow.ts';
import { useSkeleton } from './use-skeleton.ts';
import '../../styles/parts/table.css';
import '../../styles/parts/table-cards.css';

// Sorting and cutting into pages happen where the rows come from.
const features = tableFeatures({ rowSortingFeature, rowPaginationFeature });

const sortingOf = (sort: string): SortingState =>
  sort === '' ? [] : [{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }];

type Props<Item> = {
  /** What the rows are: "invoices". */
  noun: string;
  columns: Column<Item>[];
  list: ListView<Item>;
  keyOf(item: Item): string;
  /** While there is nothing yet: "Loading invoices...". */
  loadingText: string;
  /** In the place of the rows where there are none. */
  empty: ReactNode;
};

/** A page of a long list: a table where there is room for one, cards where there is not. */
export function DataTable<Item extends object>({ noun, columns, list, keyOf, loadingText, empty }: Props<Item>) {
  const { query, rows, pages, phase, show } = list;
  const sorting = useMemo(() => sortingOf(query.sort), [query.sort]);
  const definitions = useMemo(
    () =>
      columns.map(({ id, header, value, sort }) => ({
        id,
        header,
        accessorFn: value,
        enableSorting: sort !== undefined,
        sortDescFirst: sort === 'desc',
      })),
    [columns],
  );
  const pagination = { pageIndex: query.page - 1, pageSize: query.size };
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: keyOf,
    state: { sorting, pagination },
    manualSorting: true,
    manualPagination: true,
    pageCount: pages ?? -1,
    enableMultiSort: false,
    enableSortingRemoval: false,
    onSortingChange: (change) => {
      const [first] = typeof change === 'function' ? change(sorting) : change;
      if (first) show({ sort: `${first.desc ? '-' : ''}${first.id}`, page: 1 });
    },
  });
  const scroller = useRef<HTMLElement>(null);
  const isScrolling = useOverflow(scroller);
  const isSkeleton = useSkeleton(phase === 'loading');
  const isShown = !isSkeleton && phase !== 'failed';
  const isEmpty = isShown && rows.length === 0;
  const classes = ['table', phase === 'refreshing' && 'table-refreshing', isScrolling && 'table-scrolling'];

  return (
    <div className="list">
      <SortSelect columns={columns} sort={query.sort} onSort={(sort) => show({ sort, page: 1 })} />
      <div className={classes.filter(Boolean).join(' ')}>
        <section
          className="table-scroller"
          aria-label={`Table of ${noun}`}
          aria-busy={phase === 'loading' || phase === 'refreshing' || undefined}
          tabIndex={isScrolling ? 0 : undefined}
          ref={scroller}
        >
          <table {...is.table} style={{ minWidth: `${columns.reduce((sum, { width }) => sum + width, 0)}rem` }}>
            <colgroup>
              {columns.map(({ id, width }) => (
                <col key={id} style={{ width: `${width}rem` }} />
              ))}
            </colgroup>
            <thead {...is.group}>
              <tr {...is.row}>
                {table.getFlatHeaders().map(({ column }, index) => (
                  <SortHead
                    key={column.id}
                    column={columns[index] as Column<Item>}
                    direction={column.getIsSorted()}
                    onPress={column.getToggleSortingHandler()}
                  />
                ))}
              </tr>
            </thead>
            <tbody {...is.group}>
              {isSkeleton &&
                Array.from({ length: query.size }, (_, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
                  <SkeletonRow key={at} columns={columns} at={at} />
                ))}
              {isShown &&
                table.getRowModel().rows.map((row) => <Row key={row.id} columns={columns} item={row.original} />)}
            </tbody>
          </table>
          {isEmpty && <div className="table-empty">{empty}</div>}
        </section>
        <Pager noun={noun} list={list} loadingText={loadingText} isShown={isShown} />
      </div>
    </div>
  );
}
