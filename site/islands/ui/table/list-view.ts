import type { ReactNode } from 'react';

/** What of a long list is looked at. `sort` is a column's id, `-` before it for descending. */
export type ListQuery = {
  page: number;
  size: number;
  sort: string;
  q: string;
  filters: Record<string, string>;
};

/** A page of a list that is sorted and cut into pages elsewhere, as a table shows it. */
export type ListView<Row> = {
  query: ListQuery;
  rows: Row[];
  /** Where the first of these rows stands in the whole list; while the next page is on its way, they are still the last one's. */
  first: number;
  /** `loading`: there is nothing to show yet; `refreshing`: what is shown is about to be replaced; `failed`: it cannot be had. */
  phase: 'loading' | 'refreshing' | 'shown' | 'failed';
  /** How many rows there are on all pages, and how many pages; null while nobody has counted them. */
  total: number | null;
  pages: number | null;
  /** There are more rows than `total`, and more pages; `hasNext`: the one after this is known to be there. */
  isMore?: boolean;
  hasNext?: boolean;
  show(change: Partial<ListQuery>): void;
};

export type Column<Row> = {
  /** What `sort` carries for it. */
  id: string;
  header: string;
  /** A text of more than 50 characters is cut and can be opened. */
  value(row: Row): ReactNode;
  /** Which way the first press sorts; a column without it cannot be sorted. */
  sort?: 'asc' | 'desc';
  /** In rem: fixed, so that nothing moves when the rows arrive; what is left over is shared out in proportion. */
  width: number;
  align?: 'end';
  /** What a row is called by; left out of all columns: the first. */
  isHead?: true;
  /** Where it stands on a card, in a narrow place; left out: under "More fields". */
  place?: 'title' | 'amount' | 'by' | 'fact' | 'state' | 'action';
  /** Has a second line on a card. */
  hasSub?: boolean;
  /** Before its value on a card; left out: the header. Empty: none. */
  label?: string;
};
