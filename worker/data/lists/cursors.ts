import type { RawRow } from '../db.ts';
import type { Cursor, Key, ListView } from './description.ts';

/** A row of a list, with the sort key and the id that say where it stands. */
export type ListRow = RawRow & { sort_key: Key; id_number: number };

export const cursorAfter = ({ sort_key: key, id_number: id }: ListRow, page: number, total: number): Cursor => ({
  page,
  side: 'after',
  key,
  id,
  total,
});

/** Cursors of the pages before and after these rows. `isMore`: there are more than `total`. */
export function neighboursOf(
  rows: ListRow[],
  { page, size }: ListView,
  total: number,
  isMore: boolean,
): { next: Cursor | null; previous: Cursor | null } {
  const [first, last] = [rows[0], rows.at(-1)];
  const isNext = isMore ? rows.length === size : page * size < total;
  return {
    next: last && isNext ? cursorAfter(last, page + 1, total) : null,
    previous: first && page > 1 ? { ...cursorAfter(first, page - 1, total), side: 'before' } : null,
  };
}
