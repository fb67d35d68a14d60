import { type ReactNode, useRef } from 'react';
import type { Column, ListView } from './list-view.ts';
import { Pager } from './Pager.tsx';
import { SortHead, SortSelect } from './Sort.tsx';
import { Row, SkeletonRow } from './TableRow.tsx';
import { is } from './table-roles.ts';
import { useOverflow } from './use-overflow.ts';
import { useSkeleton } from './use-skeleton.ts';
import '#site/styles/parts/table/list-tools.css';
import '#site/styles/parts/table/table.css';
import '#site/styles/parts/table/table-cards.css';

type Props<Item> = {
  /** The plural of the rows: "invoices". */
  noun: string;
  columns: Column<Item>[];
  list: ListView<Item>;
  keyOf(item: Item): string;
  /** Shown during the first load: "Loading invoices...". */
  loadingText: string;
  /** Shown when there are no rows. */
  empty: ReactNode;
  /** Search and filters. */
  tools?: ReactNode;
};

/** A page of a long list: a table where there is room, otherwise cards. */
export function DataTable<Item>({ noun, columns, list, keyOf, loadingText, empty, tools }: Props<Item>) {
  const { query, rows, phase, show } = list;
  const onSort = (sort: string) => show({ sort, page: 1 });
  const scroller = useRef<HTMLElement>(null);
  const isScrolling = useOverflow(scroller);
  const isSkeleton = useSkeleton(phase === 'loading');
  const isShown = !isSkeleton && phase !== 'failed';
  const isEmpty = isShown && rows.length === 0;
  const classes = ['table', phase === 'refreshing' && 'table-refreshing', isScrolling && 'table-scrolling'];

  return (
    <div className="list">
      <div className="list-tools">
        {tools}
        <SortSelect columns={columns} sort={query.sort} onSort={onSort} />
      </div>
      <div className={classes.filter(Boolean).join(' ')} hidden={phase === 'failed'}>
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
                {columns.map((column) => (
                  <SortHead key={column.id} column={column} sort={query.sort} onSort={onSort} />
                ))}
              </tr>
            </thead>
            <tbody {...is.group}>
              {isSkeleton &&
                Array.from({ length: query.size }, (_, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
                  <SkeletonRow key={at} columns={columns} at={at} />
                ))}
              {isShown && rows.map((item) => <Row key={keyOf(item)} columns={columns} item={item} />)}
            </tbody>
          </table>
          {isEmpty && <div className="table-empty">{empty}</div>}
        </section>
        <Pager noun={noun} list={list} loadingText={loadingText} isShown={isShown} />
      </div>
    </div>
  );
}
