import type { ReactNode } from 'react';
import { listHeaders, pageSizes } from '#shared/contracts/lists/list-values';
import type { Reader } from '../api/parse-response.ts';

/** Selects a page of a long list. `sort` is a column's id, with a leading `-` for descending order. */
export type ListQuery = {
  page: number;
  size: number;
  sort: string;
  q: string;
  filters: Record<string, string>;
};

/** A page of a list in the form that a table needs. Sorting and paging happen elsewhere. */
export type ListView<Row> = {
  query: ListQuery;
  rows: Row[];
  /** The position of the first row in the full list, from 1. The old rows stay while another page loads. */
  first: number;
  /** `loading`: no rows yet. `refreshing`: the rows will be replaced. `failed`: the rows could not be loaded. */
  phase: 'loading' | 'refreshing' | 'shown' | 'failed';
  /** The total number of rows; null while they are not counted. */
  total: number | null;
  /** The total number of pages; null while they are not counted. */
  pages: number | null;
  /** True if there are more rows than `total` and more pages than `pages`. */
  isMore?: boolean;
  /** True if the next page is known to exist. */
  hasNext?: boolean;
  show(change: Partial<ListQuery>): void;
};

export type Column<Row> = {
  /** The column's name in `sort`. */
  id: string;
  header: string;
  /** Content before the header of a column that cannot be sorted. */
  headerPrefix?: ReactNode;
  /** The cell's content. Texts of more than 50 characters are cut and can be expanded. */
  value(row: Row): ReactNode;
  /** The direction after the first click. A column without it cannot be sorted. */
  sort?: 'asc' | 'desc';
  /** The fixed width in rem, so that nothing moves when the rows arrive. Spare width is distributed in proportion. */
  width: number;
  align?: 'end';
  /** True if the column is the row's header. By default, the first column is. */
  isHead?: true;
  /** The column's place on a card. Without it, the column is under "More fields". */
  place?: 'title' | 'amount' | 'by' | 'fact' | 'state' | 'note' | 'action';
  /** Set if the value has a second line, either always (`.cell-second`) or only on a card (`.cell-sub`). */
  secondLine?: 'always' | 'on-card';
  /** The label on a card, by default the header. '' removes the label. */
  label?: string;
};

/** A list's default order, and the allowed sort columns and filters. The page's address omits the defaults. */
export type ListDefaults = {
  sort: string;
  sorts: readonly string[];
  filters: readonly string[];
  /** Returns true if the filter accepts this value. Without it, filters accept any value. */
  canFilter?(name: string, value: string): boolean;
};

const DEFAULT_SIZE = pageSizes[0];
const PAGE_NUMBER = /^[1-9]\d{0,6}$/;

/** Parses a list's state from the query of an address. Invalid values are ignored. */
export function parseListAddress(search: string, { sort, sorts, filters, canFilter }: ListDefaults): ListQuery {
  const params = new URLSearchParams(search);
  const text = (name: string) => params.get(name)?.trim() ?? '';
  const size = pageSizes.find((choice) => String(choice) === text('size'));
  return {
    page: PAGE_NUMBER.test(text('page')) ? Number(text('page')) : 1,
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

/** Formats a list's state as query parameters. Without `defaults`, the result has every parameter, for the server. */
export function formatListAddress({ page, size, sort, q, filters }: ListQuery, defaults?: ListDefaults): string {
  const params = new URLSearchParams();
  if (page !== 1 || !defaults) params.set('page', String(page));
  if (size !== DEFAULT_SIZE || !defaults) params.set('size', String(size));
  if (sort && sort !== defaults?.sort) params.set('sort', sort);
  if (q) params.set('q', q);
  for (const [name, value] of Object.entries(filters)) if (value) params.set(name, value);
  return params.toString();
}

/**
 * True for a change within a typed search, which gets no history step of its own. The back button undoes any other
 * change.
 */
export const isTypingStep = (from: ListQuery, to: ListQuery): boolean =>
  from.q !== to.q && from.q !== '' && to.q !== '';

/** Facts about the list from the response headers of a page. */
export type ListInfo = {
  total: number | null;
  /** True if there are more rows than `total`. */
  isMore: boolean;
  pages: number | null;
  /** The cursors of the next and previous pages by page number, with which the server need not skip rows. */
  cursors: Record<number, string>;
  asOf: string | null;
  isStale: boolean;
  copying: { copied: number; expected: number } | null;
};

/** `body` is the reply before parsing. */
export type ListPage<Row> = { rows: Row[]; info: ListInfo; body: unknown };

const parseCount = (text: string | null): number | null => (text !== null && /^\d+$/.test(text) ? Number(text) : null);

function readInfo(headers: Headers, page: number): ListInfo {
  const cursors: Record<number, string> = {};
  const next = headers.get(listHeaders.next);
  const previous = headers.get(listHeaders.previous);
  if (next) cursors[page + 1] = next;
  if (previous) cursors[page - 1] = previous;
  const [copied, expected] = (headers.get(listHeaders.copying) ?? '').split('/').map((part) => parseCount(part));
  return {
    total: parseCount(headers.get(listHeaders.total)),
    isMore: headers.get(listHeaders.isMore) === 'true',
    pages: parseCount(headers.get(listHeaders.pages)),
    cursors,
    asOf: headers.get(listHeaders.asOf),
    isStale: headers.get(listHeaders.isStale) === 'true',
    copying: typeof copied === 'number' && typeof expected === 'number' ? { copied, expected } : null,
  };
}

/** Creates the reader for the reply with page number `page` of a list. */
export const readPage =
  <Row>(readRows: (body: unknown) => Row[] | null, page: number): Reader<ListPage<Row>> =>
  (body, headers) => {
    const rows = readRows(body);
    return rows && { rows, info: readInfo(headers, page), body };
  };
