import { COPY_COLUMNS, copyFrom } from './crm-copies.ts';
import type { Db, RawRow } from './db.ts';
import {
  countRows,
  isKept,
  MOST_COUNTED,
  MOST_SORTED,
  neighbourPage,
  searchedPage,
  sortedPage,
  walkedPage,
} from './list-sql.ts';
import { type Cursor, isFiltered, type Key, type ListTable, type ListView } from './list-view.ts';
import type { CopyRow } from './schema.ts';
import { isSessionLive, type SessionClaim } from './session-claim.ts';
import { prepare, raw, type Sql, sql } from './sql.ts';

/** A row of a list, with the key by which it stands where it stands. */
export type ListRow = RawRow & { sort_key: Key; id_number: number };

export type ListPage = {
  rows: ListRow[];
  /** How many rows the filters leave, over all pages; `isMore`: so many were counted, and there are more. */
  total: number;
  isMore: boolean;
  next: Cursor | null;
  previous: Cursor | null;
  /** How far and how fresh the copy of the CRM's records is. */
  copy: CopyRow | undefined;
};

/**
 * One page of a list, in one trip to D1 wherever it can be found without counting first, in two otherwise. The first trip
 * proves the session, too: null means that nobody is logged in under this claim, and nothing that was read is told.
 */
export async function readListPage(
  db: Db,
  list: ListTable,
  claim: SessionClaim,
  now: number,
  view: ListView,
): Promise<ListPage | null> {
  const d1 = db.$client;
  const first = firstTry(list, claim.hubId, view);
  const [facts, found] = await d1.batch<RawRow>([
    prepare(d1, factsOf(list, claim, now, view)),
    ...(first ? [prepare(d1, first)] : []),
  ]);
  const fact = facts?.results[0];
  if (fact?.is_live !== 1) return null;
  const rows = (found?.results ?? []) as ListRow[];
  const page = isSearch(view)
    ? await afterSearch(d1, list, claim.hubId, view, rows)
    : await afterCount(d1, list, claim.hubId, view, rows, Number(fact.total));
  const isMore = isBeyondCount(view, page.total);
  const total = isMore ? MOST_COUNTED : page.total;
  return { rows: page.rows, total, isMore, copy: copyFrom(fact), ...neighbours(view, page) };
}

/** Of rows that are counted one more than is counted stands for all that may follow. */
const isBeyondCount = (view: ListView, total: number): boolean => !isKept(view) && total > MOST_COUNTED;

const isSearch = ({ q, cursor }: ListView): boolean => q !== '' && cursor === null;

/** What can be read before it is known how many rows there are. */
function firstTry(list: ListTable, hubId: number, view: ListView): Sql | null {
  if (view.cursor) return neighbourPage(list, hubId, view, view.cursor);
  if (isSearch(view)) return searchedPage(list, hubId, view);
  if (isFiltered(view)) return sortedPage(list, hubId, view);
  return view.page === 1 ? walkedPage(list, hubId, view, { side: 'after', limit: view.size, offset: 0 }) : null;
}

type Found = { rows: ListRow[]; total: number };

async function afterCount(
  d1: D1Database,
  list: ListTable,
  hubId: number,
  view: ListView,
  rows: ListRow[],
  total: number,
): Promise<Found> {
  const { cursor, page, size } = view;
  if (cursor) return { rows: cursor.side === 'before' ? rows.toReversed() : rows, total };
  const from = (page - 1) * size;
  const isThere = isFiltered(view) ? total <= MOST_SORTED : page === 1;
  if (isThere || isPastEnd(view, total)) return { rows, total };
  const read = async (sql: Sql) => (await prepare(d1, sql).all<ListRow>()).results;
  // What can be counted is sorted: a walk past most of it may be one through the whole hub.
  if (isFiltered(view) && page > 1 && total <= MOST_COUNTED)
    return { rows: await read(sortedPage(list, hubId, view, MOST_COUNTED)), total };
  // From whichever end is nearer: the way there is walked row by row.
  const fromEnd = total - from - size;
  if (fromEnd >= from || isBeyondCount(view, total)) {
    const walked = walkedPage(list, hubId, view, { side: 'after', limit: size, offset: from });
    return { rows: await read(walked), total };
  }
  const limit = Math.min(size, total - from);
  const walked = walkedPage(list, hubId, view, { side: 'before', limit, offset: Math.max(0, fromEnd) });
  return { rows: (await read(walked)).toReversed(), total };
}

/** By their number there are no pages beyond what is counted. */
const isPastEnd = (view: ListView, total: number): boolean =>
  (view.page - 1) * view.size >= (isBeyondCount(view, total) ? MOST_COUNTED : total);

/** A search that finds more than can be sorted is counted now, and then walked. */
async function afterSearch(
  d1: D1Database,
  list: ListTable,
  hubId: number,
  view: ListView,
  rows: ListRow[],
): Promise<Found> {
  const found = Number(rows[0]?.found_count ?? 0);
  // An empty page is the end of what was found, or lies beyond what was looked for.
  if (found <= MOST_SORTED && (found > 0 || view.page === 1)) return { rows, total: found };
  const total = Number(await prepare(d1, countRows(list, hubId, view)).first('n'));
  if (isPastEnd(view, total)) return { rows: [], total };
  const isSorted = view.page > 1 && total <= MOST_COUNTED;
  const walk = { side: 'after' as const, limit: view.size, offset: (view.page - 1) * view.size };
  const page = isSorted ? searchedPage(list, hubId, view, MOST_COUNTED) : walkedPage(list, hubId, view, walk);
  return { rows: (await prepare(d1, page).all<ListRow>()).results, total };
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
    prepare(d1, sql`SELECT ${isSessionLive(claim, now)} AS is_live`),
    prepare(d1, neighbourPage(list, claim.hubId, view, cursor)),
  ]);
  return session?.results[0]?.is_live === 1 ? { rows: (found?.results ?? []) as ListRow[] } : null;
}

export const cursorAfter = ({ sort_key: key, id_number: id }: ListRow, page: number, total: number): Cursor => ({
  page,
  side: 'after',
  key,
  id,
  total,
});

/** Few rows are sorted anew for every page by its number; only a walk along an index is spared anything by a cursor. */
function neighbours(view: ListView, { rows, total }: Found): Pick<ListPage, 'next' | 'previous'> {
  const { page, size } = view;
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || (isFiltered(view) && total <= MOST_SORTED)) return { next: null, previous: null };
  const isMore = isBeyondCount(view, total) ? rows.length === size : page * size < total;
  return {
    next: isMore ? cursorAfter(last, page + 1, total) : null,
    previous: page > 1 ? { ...cursorAfter(first, page - 1, total), side: 'before' } : null,
  };
}

/** All that is told beside the rows, as one row: statements cost more here than what they read. */
function factsOf(list: ListTable, claim: SessionClaim, now: number, view: ListView): Sql {
  const { hubId } = claim;
  const isKnown = view.cursor !== null || isSearch(view);
  const total = isKnown ? sql`${view.cursor?.total ?? null}` : sql`(${countRows(list, hubId, view)})`;
  return sql`SELECT ${isSessionLive(claim, now)} AS is_live, ${total} AS total, ${raw(COPY_COLUMNS)}
    FROM (SELECT 1) LEFT JOIN crm_copies k ON k.hub_id = ${hubId}`;
}
