import type { ReactNode } from 'react';
import { listHeaders, pageSizes } from '#shared/contracts/lists/list-values';
import type { Reader } from '../api/parse-response.ts';

/** The visible part of a long list. `sort` is a column's id, with a leading `-` for descending. */
export type ListQuery = {
  page: number;
  size: number;
  sort: string;
  q: string;
  filters: Record<string, string>;
};

/** A page of a list that is sorted and paged elsewhere, in the form that a table needs. */
export type ListView<Row> = {
  query: ListQuery;
  rows: Row[];
  /** Position of the first row in the full list. While another page loads, the rows are those of the previous page. */
  first: number;
  /** `loading`: nothing to show yet; `refreshing`: the rows are about to be replaced; `failed`: nothing was loaded. */
  phase: 'loading' | 'refreshing' | 'shown' | 'failed';
  /** Rows and pages in total; null while they are not counted. */
  total: number | null;
  pages: number | null;
  /** There are more rows than `total` and more pages than `pages`; `hasNext`: the next page is known to exist. */
  isMore?: boolean;
  hasNext?: boolean;
  show(change: Partial<ListQuery>): void;
};

export type Column<Row> = {
  /** The column's name in `sort`. */
  id: string;
  header: string;
  /** Precedes the header of a column that cannot be sorted. */
  head?: ReactNode;
  /** The cell's content. Texts of more than 50 characters are cut and can be expanded. */
  value(row: Row): ReactNode;
  /** The direction of the first press; a column without it cannot be sorted. */
  sort?: 'asc' | 'desc';
  /** In rem: fixed, so that nothing moves when the rows arrive; spare width is distributed in proportion. */
  width: number;
  align?: 'end';
  /** Names the row; by default the first column does. */
  isHead?: true;
  /** Its place on a card; omitted: under "More fields". */
  place?: 'title' | 'amount' | 'by' | 'fact' | 'state' | 'note' | 'action';
  /** Its value has a second line: always (`.cell-second`), or only on a card (`.cell-sub`). */
  secondLine?: 'always' | 'on-card';
  /** Label on a card; omitted: the header. Empty: none. */
  label?: string;
};

/** A list's defaults and its filters; only differences from them are in the page's address. */
export type ListDefaults = {
  sort: string;
  sorts: readonly string[];
  filters: readonly string[];
  /** True if a filter accepts this value; omitted: any value. */
  canFilter?(name: string, value: string): boolean;
};

const DEFAULT_SIZE = pageSizes[0];
const WHOLE = /^[1-9]\d{0,6}$/;

/** Reads a list's state from an address; invalid values are ignored. */
export function readAddress(search: string, { sort, sorts, filters, canFilter }: ListDefaults): ListQuery {
  const params = new URLSearchParams(search);
  const text = (name: string) => params.get(name)?.trim() ?? '';
  const size = pageSizes.find((choice) => String(choice) === text('size'));
  return {
    page: WHOLE.test(text('page')) ? Number(text('page')) : 1,
    size: size ?? DEFAULT_SIZE,
    sort: sorts.includes(text('sort').replace(/^-/, '')) ? text('sort') : sort,
    q: text('q'),
    filters: Object.fromEntries(
      filters
        .map((name) => [name, text(name)] as const)
        .filter(([name, value]) => value && (canFilter?.(name, value) ?? true)),
    ),
  };
}

/** The query parameters of a list's state; without `defaults` all of them, as the server expects. */
export function writeAddress({ page, size, sort, q, filters }: ListQuery, defaults?: ListDefaults): string {
  const params = new URLSearchParams();
  if (page !== 1 || !defaults) params.set('page', String(page));
  if (size !== DEFAULT_SIZE || !defaults) params.set('size', String(size));
  if (sort && sort !== defaults?.sort) params.set('sort', sort);
  if (q) params.set('q', q);
  for (const [name, value] of Object.entries(filters)) if (value) params.set(name, value);
  return params.toString();
}

/**
 * True while a search is being typed, which makes one history step; any other change can be undone with the back
 * button.
 */
export const isSmallStep = (from: ListQuery, to: ListQuery): boolean => from.q !== to.q && from.q !== '' && to.q !== '';

/** Facts about the list, from the response headers of a page. */
export type ListInfo = {
  total: number | null;
  /** There are more rows than `total`. */
  isMore: boolean;
  pages: number | null;
  /** Cursors of the neighboring pages by page number, so that the server need not skip rows. */
  cursors: Record<number, string>;
  asOf: string | null;
  isStale: boolean;
  copying: { copied: number; expected: number } | null;
};

/** `body` is the reply before parsing. */
export type ListPage<Row> = { rows: Row[]; info: ListInfo; body: unknown };

const parseWhole = (text: string | null): number | null => (text !== null && /^\d+$/.test(text) ? Number(text) : null);

function readInfo(headers: Headers, page: number): ListInfo {
  const cursors: Record<number, string> = {};
  const next = headers.get(listHeaders.next);
  const previous = headers.get(listHeaders.previous);
  if (next) cursors[page + 1] = next;
  if (previous) cursors[page - 1] = previous;
  const [copied, expected] = (headers.get(listHeaders.copying) ?? '').split('/').map((part) => parseWhole(part));
  return {
    total: parseWhole(headers.get(listHeaders.total)),
    isMore: headers.get(listHeaders.isMore) === 'true',
    pages: parseWhole(headers.get(listHeaders.pages)),
    cursors,
    asOf: headers.get(listHeaders.asOf),
    isStale: headers.get(listHeaders.isStale) === 'true',
    copying: typeof copied === 'number' && typeof expected === 'number' ? { copied, expected } : null,
  };
}

/** Builds a reader for page number `page` of a list. */
export const readPage =
  <Row>(readRows: (body: unknown) => Row[] | null, page: number): Reader<ListPage<Row>> =>
  (body, headers) => {
    const rows = readRows(body);
    return rows && { rows, info: readInfo(headers, page), body };
  };
