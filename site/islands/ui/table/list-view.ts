import type { ReactNode } from 'react';

/** The visible part of a long list. `sort` is a column's id, `-` before it for descending. */
export type ListQuery = {
  page: number;
  size: number;
  sort: string;
  q: string;
  filters: Record<string, string>;
};

/** A page of a list that is sorted and paged elsewhere, ready for a table. */
export type ListView<Row> = {
  query: ListQuery;
  rows: Row[];
  /** Position of the first row in the full list; while the next page loads, these are still the last page's rows. */
  first: number;
  /** `loading`: nothing to show yet; `refreshing`: the rows are about to be replaced; `failed`: nothing was loaded. */
  phase: 'loading' | 'refreshing' | 'shown' | 'failed';
  /** Rows and pages in total; null while they are not counted. */
  total: number | null;
  pages: number | null;
  /** There are more rows than `total`, and more pages; `hasNext`: the next page is known to exist. */
  isMore?: boolean;
  hasNext?: boolean;
  show(change: Partial<ListQuery>): void;
};

export type Column<Row> = {
  /** The column's name in `sort`. */
  id: string;
  header: string;
  /** Stands before the header of a column that cannot be sorted. */
  head?: ReactNode;
  /** The table cuts a text of more than 50 characters and lets it open. */
  value(row: Row): ReactNode;
  /** The direction of the first press; a column without it cannot be sorted. */
  sort?: 'asc' | 'desc';
  /** In rem: fixed, so that nothing moves when the rows arrive; spare width is shared in proportion. */
  width: number;
  align?: 'end';
  /** Names the row; by default the first column does. */
  isHead?: true;
  /** Its place on a card; left out: under "More fields". */
  place?: 'title' | 'amount' | 'by' | 'fact' | 'state' | 'note' | 'action';
  /** Has a second line on a card. */
  hasSub?: boolean;
  /** Label on a card; left out: the header. Empty: none. */
  label?: string;
};
