import type { Db, RawRow } from './db.ts';
import { countRows, MOST_SORTED, neighbourPage, sortedPage, walkedPage } from './list-sql.ts';
import { type Cursor, isFiltered, type Key, type ListTable, type ListView } from './list-view.ts';
import { type SessionClaim, sessionCheck } from './sessions.ts';
import { prepare, type Sql, sql } from './sql.ts';

/** A row of a list, with the key by which it stands where it stands. */
export type ListRow = RawRow & { sort_key: Key; id_number: number };

/** How far and how fresh the copy of the CRM's records is. */
export type CopyState = {
  askedAt: number;
  failingSince: number | null;
  /** Counted while the records are copied for the first time. */
  copying: { copied: number; expected: number | null } | null;
};

export type ListPage = {
  rows: ListRow[];
  /** How many rows the filters leave, over all pages. */
  total: number;
  next: Cursor | null;
  previous: Cursor | null;
  /** Null: nothing was ever copied for this hub. */
  copy: CopyState | null;
};

/**
 * One page of a list, in one trip to D1 wherever it can be found without counting first, in two otherwise. The first trip
 * proves the session, too: null means that nobody is logged in under this claim, and nothing that was read is told.
 */
export async function readListPage(
  { $client: d1 }: Db,
  list: ListTable,
  claim: SessionClaim,
  now: number,
  view: ListView,
): Promise<ListPage | null> {
  const { hubId } = claim;
  const first = firstTry(list, hubId, view);
  const [session, copy, count, found] = await d1.batch<RawRow>([
    sessionCheck(d1, claim, now),
    prepare(d1, copyState(list, hubId)),
    prepare(d1, countRows(list, hubId, view)),
    ...(first ? [prepare(d1, first.page)] : []),
  ]);
  if (session?.results.length !== 1) return null;
  const total = Number(count?.results[0]?.n);
  const from = (view.page - 1) * view.size;
  let rows = (found?.results ?? []) as ListRow[];
  let isBackwards = first?.isBackwards ?? false;
  if (from < total && !(first?.isEnough(total) ?? false)) {
    // From whichever end is nearer: the way there is walked row by row.
    const fromEnd = total - from - view.size;
    isBackwards = fromEnd < from;
    const walk = isBackwards
      ? { side: 'before' as const, limit: Math.min(view.size, total - from), offset: Math.max(0, fromEnd) }
      : { side: 'after' as const, limit: view.size, offset: from };
    const walked = await prepare(d1, walkedPage(list, hubId, view, walk)).all<ListRow>();
    rows = walked.results;
  }
  if (isBackwards) rows = rows.toReversed();
  return { rows, total, copy: copyFrom(copy?.results[0]), ...neighbours(view, rows, total) };
}

type FirstTry = { page: Sql; isBackwards: boolean; isEnough(total: number): boolean };

/** What can be read before it is known how many rows there are. */
function firstTry(list: ListTable, hubId: number, view: ListView): FirstTry | null {
  const { cursor, page, size } = view;
  if (cursor) {
    const isBackwards = cursor.side === 'before';
    return { page: neighbourPage(list, hubId, view, cursor), isBackwards, isEnough: () => true };
  }
  if (isFiltered(view)) {
    return {
      page: sortedPage(list, hubId, view),
      isBackwards: false,
      isEnough: (total) => total <= MOST_SORTED,
    };
  }
  if (page > 1) return null;
  const start = { side: 'after' as const, limit: size, offset: 0 };
  return { page: walkedPage(list, hubId, view, start), isBackwards: false, isEnough: () => true };
}

/** What comes after a row, without counting anything: for reading a whole list piece by piece. */
export async function readListAfter(
  { $client: d1 }: Db,
  list: ListTable,
  claim: SessionClaim,
  now: number,
  view: ListView,
  cursor: Cursor,
): Promise<{ rows: ListRow[] } | null> {
  const [session, found] = await d1.batch<RawRow>([
    sessionCheck(d1, claim, now),
    prepare(d1, neighbourPage(list, claim.hubId, view, cursor)),
  ]);
  return session?.results.length === 1 ? { rows: (found?.results ?? []) as ListRow[] } : null;
}

export const cursorAfter = ({ sort_key: key, id_number: id }: ListRow, page: number): Cursor => ({
  page,
  side: 'after',
  key,
  id,
});

/** Few rows are sorted anew for every page by its number; only a walk along an index is spared anything by a cursor. */
function neighbours(view: ListView, rows: ListRow[], total: number): Pick<ListPage, 'next' | 'previous'> {
  const { page, size } = view;
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || (isFiltered(view) && total <= MOST_SORTED)) return { next: null, previous: null };
  return {
    next: page * size < total ? cursorAfter(last, page + 1) : null,
    previous: page > 1 ? { page: page - 1, side: 'before', key: first.sort_key, id: first.id_number } : null,
  };
}

const copyState = ({ table }: ListTable, hubId: number): Sql =>
  sql`SELECT asked_at, failing_since, pass_ended_at, copied, expected FROM crm_syncs
    WHERE hub_id = ${hubId} AND record = ${table}`;

function copyFrom(row: RawRow | undefined): CopyState | null {
  if (!row) return null;
  const numberOr = (value: unknown) => (typeof value === 'number' ? value : null);
  const isFirst = row.pass_ended_at === null;
  return {
    askedAt: Number(row.asked_at),
    failingSince: numberOr(row.failing_since),
    copying: isFirst ? { copied: Number(row.copied), expected: numberOr(row.expected) } : null,
  };
}
