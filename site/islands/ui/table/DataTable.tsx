import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { Column, ListView } from './list-view.ts';
import { Pager } from './Pager.tsx';
import { Row, SkeletonRow, SortHeader, SortSelect, tableRoles } from './TableRow.tsx';
import '#site/styles/parts/table/list-tools.css';
import '#site/styles/parts/table/table.css';
import '#site/styles/parts/table/table-cards.css';

/** True if the box's content is wider than the box. */
export function useOverflow(box: RefObject<HTMLElement | null>): boolean {
  const [isOverflowing, setOverflowing] = useState(false);
  useEffect(() => {
    const outer = box.current;
    const inner = outer?.firstElementChild;
    if (!outer || !inner) return;
    const observer = new ResizeObserver(() =>
      setOverflowing(inner.getBoundingClientRect().width > outer.getBoundingClientRect().width + 1),
    );
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }, [box]);
  return isOverflowing;
}

/** The styles hide a skeleton for its first HIDDEN_MS. It then stays for at least MIN_VISIBLE_MS to avoid a flash. */
const HIDDEN_MS = 200;
const MIN_VISIBLE_MS = 400;

export function useSkeleton(isLoading: boolean): boolean {
  const [isHeld, setHeld] = useState(isLoading);
  const startedAt = useRef(0);
  useEffect(() => {
    if (isLoading) {
      startedAt.current = performance.now();
      setHeld(true);
      return;
    }
    const visibleMs = performance.now() - startedAt.current - HIDDEN_MS;
    const timer = setTimeout(() => setHeld(false), visibleMs > 0 ? Math.max(0, MIN_VISIBLE_MS - visibleMs) : 0);
    return () => clearTimeout(timer);
  }, [isLoading]);
  return isLoading || isHeld;
}

type Props<Item> = {
  /** The plural noun for the rows, such as "invoices". */
  noun: string;
  columns: Column<Item>[];
  list: ListView<Item>;
  keyOf(item: Item): string;
  /** The text during the first load, such as "Loading invoices...". */
  loadingText: string;
  /** The content if there are no rows. */
  empty: ReactNode;
  /** The search and the filters. */
  tools?: ReactNode;
  /** The load error. It replaces the table if there are no rows. */
  failure?: ReactNode;
};

/** Shows a page of a long list as a table, or as cards on a narrow screen. */
export function DataTable<Item>({ noun, columns, list, keyOf, loadingText, empty, tools, failure }: Props<Item>) {
  const { query, rows, phase, show } = list;
  const onSort = (sort: string) => show({ sort, page: 1 });
  const scroller = useRef<HTMLElement>(null);
  const isScrolling = useOverflow(scroller);
  const showsSkeleton = useSkeleton(phase === 'loading');
  const showsRows = !showsSkeleton && phase !== 'failed';
  const isEmpty = showsRows && rows.length === 0;
  const classes = ['table', phase === 'refreshing' && 'table-refreshing', isScrolling && 'table-scrolling'];

  return (
    <div className="list">
      <div className="list-tools">
        {tools}
        <SortSelect columns={columns} sort={query.sort} onSort={onSort} />
      </div>
      {failure}
      <div
        className={classes.filter(Boolean).join(' ')}
        hidden={phase === 'failed' || (phase === 'loading' && Boolean(failure))}
      >
        <section
          className="table-scroller"
          aria-label={`Table of ${noun}`}
          aria-busy={phase === 'loading' || phase === 'refreshing' || undefined}
          tabIndex={isScrolling ? 0 : undefined}
          ref={scroller}
        >
          <table {...tableRoles.table} style={{ minWidth: `${columns.reduce((sum, { width }) => sum + width, 0)}rem` }}>
            <colgroup>
              {columns.map(({ id, width }) => (
                <col key={id} style={{ width: `${width}rem` }} />
              ))}
            </colgroup>
            <thead {...tableRoles.group}>
              <tr {...tableRoles.row}>
                {columns.map((column) => (
                  <SortHeader key={column.id} column={column} sort={query.sort} onSort={onSort} />
                ))}
              </tr>
            </thead>
            <tbody {...tableRoles.group}>
              {showsSkeleton &&
                Array.from({ length: query.size }, (_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows are all alike
                  <SkeletonRow key={index} columns={columns} rowIndex={index} />
                ))}
              {showsRows && rows.map((item) => <Row key={keyOf(item)} columns={columns} item={item} />)}
            </tbody>
          </table>
          {isEmpty && <div className="table-empty">{empty}</div>}
        </section>
        <Pager noun={noun} list={list} loadingText={loadingText} isShown={showsRows} />
      </div>
    </div>
  );
}

type NoRowsProps = { noun: string; list: ListView<unknown>; emptyText: string };

/** Explains that the list is empty, or that nothing matches the search and filters. */
export function NoRows({ noun, list, emptyText }: NoRowsProps) {
  const { q, filters } = list.query;
  const isFiltered = Object.values(filters).some(Boolean);
  if (!q && !isFiltered) return <p>{emptyText}</p>;
  const clearButton = (change: { q?: string; filters?: Record<string, string> }, name: string) => (
    <button type="button" className="text-button" onClick={() => list.show({ ...change, page: 1 })}>
      {name}
    </button>
  );
  return (
    <>
      <p>
        No {noun} matches {q ? `"${q}"` : 'these filters'}
        {q && isFiltered && ' and these filters'}.
      </p>
      <p>{q ? clearButton({ q: '' }, 'Clear search') : clearButton({ filters: {} }, 'Clear filters')}</p>
    </>
  );
}
