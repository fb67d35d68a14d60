import { namesFirst } from '#shared/text/names-first';
import { SYNC_COLUMNS, syncFrom } from '#worker/data/crm-sync/state';
import { isSessionLive, type SessionClaim } from '#worker/data/merchants/sessions';
import type { SyncRow } from '#worker/data/schema/schema';
import type { Db, RawRow } from '../db.ts';
import { joined, prepare, type RawSql, raw, rawSql } from '../sql.ts';
import { type Cursor, type ListDescription, type ListRow, type ListView, neighboursOf } from './description.ts';
import { type Selection, selectionOf } from './selection.ts';

/**
 * The maximum number of rows that SQLite sorts for one page. With more, it walks the index of the sort order and
 * filters each row: the more rows match, the sooner a page is full.
 */
export const MOST_SORTED = 1000;

/** Matches are counted up to this number; above it, we only know that there are more. */
export const MOST_COUNTED = 10_000;

/** Everything except the rows, as a single row, because each statement costs more here than the rows it reads. */
export function factsOf(selection: Selection, claim: SessionClaim, now: number): RawSql {
  const { cursor } = selection.view;
  const isKnown = cursor !== null || selection.isSearch;
  const total = isKnown ? rawSql`${cursor?.total ?? null}` : rawSql`(${countRows(selection)})`;
  return rawSql`SELECT ${isSessionLive(claim, now)} AS is_live, ${total} AS total, ${raw(SYNC_COLUMNS)}
    FROM (SELECT 1) LEFT JOIN crm_sync_states k ON k.account_id = ${claim.accountId}`;
}

/** The page, if it can be read without counting first; else null. */
export function firstPage(selection: Selection): RawSql | null {
  const { view, isSearch, isFiltered } = selection;
  if (view.cursor) return neighbourPage(selection, view.cursor);
  if (selection.isRanked) return foundNames(selection);
  if (isSearch) return searchedPage(selection);
  if (isFiltered) return sortedPage(selection);
  return view.page === 1 ? walkedPage(selection, { side: 'after', limit: view.size, offset: 0 }) : null;
}

/** The page, if the first trip could not find it; read backwards, its rows are in reverse order. */
export function laterPage(selection: Selection, total: number): { page: RawSql; isReversed: boolean } | null {
  const { view, isFiltered, isKept, isSearch } = selection;
  const { cursor, page, size } = view;
  const from = (page - 1) * size;
  const isThere = cursor !== null || (isFiltered ? total <= MOST_SORTED : page === 1);
  const isBeyondCount = !isKept && total > MOST_COUNTED;
  // Numbered pages end at the counting limit.
  if (isThere || from >= (isBeyondCount ? MOST_COUNTED : total)) return null;
  // Countable matches are sorted: a walk past most of them may scan the whole account.
  if (isFiltered && page > 1 && total <= MOST_COUNTED) {
    const sorted = isSearch ? searchedPage(selection, MOST_COUNTED) : sortedPage(selection, MOST_COUNTED);
    return { page: sorted, isReversed: false };
  }
  // From the nearer end, because every row on the way is read.
  const fromEnd = total - from - size;
  if (fromEnd >= from || isBeyondCount) {
    return { page: walkedPage(selection, { side: 'after', limit: size, offset: from }), isReversed: false };
  }
  const limit = Math.min(size, total - from);
  return { page: walkedPage(selection, { side: 'before', limit, offset: Math.max(0, fromEnd) }), isReversed: true };
}

/** The number of rows that match the filters; without a stored count, at most MOST_COUNTED + 1. */
export const countRows = ({ isKept, kept, matches }: Selection): RawSql =>
  isKept
    ? rawSql`SELECT coalesce(sum(n), 0) AS n FROM list_counts
      WHERE ${kept}`
    : rawSql`SELECT count(*) AS n FROM (SELECT 1 FROM ${matches} LIMIT ${MOST_COUNTED + 1})`;

/** A numbered page from rows that are found first and then sorted. Empty for a stored count above `atMost`. */
function sortedPage(selection: Selection, atMost = MOST_SORTED): RawSql {
  const { view, table, columns, order, matches, isKept } = selection;
  const most = isKept
    ? rawSql`(SELECT CASE WHEN n <= ${atMost} THEN n ELSE 0 END FROM (${countRows(selection)}))`
    : rawSql`${atMost + 1}`;
  const way = raw(view.isDescending ? 'DESC' : 'ASC');
  return rawSql`SELECT ${columns} FROM (
      SELECT t.rowid AS doc FROM (SELECT t.rowid AS found FROM ${matches} LIMIT ${most})
      CROSS JOIN ${table} t ON t.rowid = found
      ORDER BY ${order.key} ${way}, t.id_number ${way} LIMIT ${view.size} OFFSET ${(view.page - 1) * view.size}
    ) CROSS JOIN ${table} t ON t.rowid = doc`;
}

/**
 * The same for a search, with only one query of the search index: every row contains the number of matches, and at most
 * one more than can be sorted is read.
 */
export function searchedPage(selection: Selection, atMost = MOST_SORTED): RawSql {
  const { view, table, columns, order, own } = selection;
  const way = raw(view.isDescending ? 'DESC' : 'ASC');
  return rawSql`${withFound(selection, atMost)}
    SELECT ${columns}, (SELECT count(*) FROM found) AS found_count FROM (
      SELECT t.rowid AS sorted FROM found CROSS JOIN ${table} t ON t.rowid = doc
      WHERE ${own}
      ORDER BY ${order.key} ${way}, t.id_number ${way}
      LIMIT ${view.size} OFFSET ${(view.page - 1) * view.size}
    ) CROSS JOIN ${table} t ON t.rowid = sorted`;
}

function withFound({ matches, words }: Selection, atMost: number): RawSql {
  const found = words ? rawSql`SELECT rowid AS doc FROM ${words}` : rawSql`SELECT t.rowid AS doc FROM ${matches}`;
  return rawSql`WITH found AS MATERIALIZED (${found} LIMIT ${atMost + 1})`;
}

type FoundName = { doc: number; name: string };

/** The same matches, each only with its person's name, for `rankedPage`: SQLite cannot compare names without accents. */
function foundNames(selection: Selection): RawSql {
  const { table, order, own } = selection;
  return rawSql`${withFound(selection, MOST_SORTED)}
    SELECT t.rowid AS doc, ${order.key} AS name, (SELECT count(*) FROM found) AS found_count
    FROM found CROSS JOIN ${table} t ON t.rowid = doc
    WHERE ${own}
    ORDER BY ${order.key}, t.id_number`;
}

/** A numbered page of all matches, in which matches by name come first. */
function rankedPage({ view, table, columns }: Selection, found: FoundName[]): RawSql {
  const from = (view.page - 1) * view.size;
  const docs = namesFirst(found, ({ name }) => name, view.q)
    .slice(from, from + view.size)
    .map(({ doc }) => doc);
  return rawSql`SELECT ${columns} FROM json_each(${JSON.stringify(docs)}) d CROSS JOIN ${table} t ON t.rowid = d.value
    ORDER BY d.key`;
}

type Walk = { side: Cursor['side']; limit: number; offset: number };

/**
 * A page along the index of its sort order, from either end and with an offset. Backwards, its rows are in reverse
 * order.
 */
function walkedPage(selection: Selection, { side, limit, offset }: Walk): RawSql {
  const isRising = (side === 'after') !== selection.view.isDescending;
  const { order, bounds } = selection;
  const within = bounds ? [rawSql`${order.key} >= ${bounds.first} AND ${order.key} <= ${bounds.last}`] : [];
  return rawSql`${stretch(selection, within, [order.key, ID], isRising)} LIMIT ${limit} OFFSET ${offset}`;
}

/**
 * The page next to a row, in two seeks: first the other rows with the same key, then those beyond it. A single
 * comparison of (key, id) would walk all rows with an equal key.
 */
export function neighbourPage(selection: Selection, { side, key, id }: Cursor): RawSql {
  const { view, bounds, order } = selection;
  const isRising = (side === 'after') !== view.isDescending;
  const beyond = raw(isRising ? '>' : '<');
  const equal = stretch(selection, [rawSql`${order.key} = ${key} AND t.id_number ${beyond} ${id}`], [ID], isRising);
  const further = [rawSql`${order.key} ${beyond} ${key}`];
  if (bounds) further.push(isRising ? rawSql`${order.key} <= ${bounds.last}` : rawSql`${order.key} >= ${bounds.first}`);
  const rest = stretch(selection, further, [order.key, ID], isRising);
  const limit = rawSql`LIMIT ${view.size}`;
  return rawSql`SELECT * FROM (${equal} ${limit}) UNION ALL SELECT * FROM (${rest} ${limit}) ${limit}`;
}

const ID = raw('t.id_number');

/** A range of a sort order's index; every row in it is filtered. */
function stretch(
  { table, columns, order, asked, lookedUp }: Selection,
  where: RawSql[],
  orderBy: RawSql[],
  isRising: boolean,
): RawSql {
  const way = raw(isRising ? 'ASC' : 'DESC');
  const ordered = orderBy.map((part) => rawSql`${part} ${way}`);
  return rawSql`SELECT ${columns}
    FROM ${table} t INDEXED BY ${order.index}
    WHERE ${joined([...asked, ...where, ...lookedUp], ' AND ')} ORDER BY ${joined(ordered, ', ')}`;
}

export type ListPage = {
  rows: ListRow[];
  /** The number of rows on all pages; `isMore`: counting stopped here, and there are more. */
  total: number;
  isMore: boolean;
  next: Cursor | null;
  previous: Cursor | null;
  /** The state of the CRM sync: the completeness and age of the synced records. */
  copy: SyncRow | undefined;
};

/**
 * One page of a list: one trip to D1 if the page can be found without counting, else up to three. The first trip also
 * checks the session. Null if the session has ended; no data is returned then.
 */
export async function readListPage(
  { $client: d1 }: Db,
  list: ListDescription,
  claim: SessionClaim,
  now: number,
  view: ListView,
): Promise<ListPage | null> {
  const selection = selectionOf(list, claim.accountId, view);
  const first = firstPage(selection);
  const [facts, found] = await d1.batch<RawRow>([
    prepare(d1, factsOf(selection, claim, now)),
    ...(first ? [prepare(d1, first)] : []),
  ]);
  const fact = facts?.results[0];
  if (fact?.is_live !== 1) return null;

  const opened = found?.results ?? [];
  let total = Number(selection.isSearch ? (opened[0]?.found_count ?? 0) : fact.total);
  // Without a row, the number of matches is unknown: the page is past the last match, or past the search limit.
  if (selection.isSearch && (total > MOST_SORTED || (total === 0 && view.page > 1)))
    total = Number(await prepare(d1, countRows(selection)).first('n'));
  // Of more matches than can be sorted, a page is a stretch of the alphabet.
  const isRanked = selection.isRanked && total > 0 && total <= MOST_SORTED;
  const ranked = isRanked ? { page: rankedPage(selection, opened as FoundName[]), isReversed: false } : null;
  const later = ranked ?? laterPage(selection, total);
  const unread = selection.isRanked ? [] : (opened as ListRow[]);
  const read = later ? (await prepare(d1, later.page).all<ListRow>()).results : unread;
  const isReversed = later ? later.isReversed : view.cursor?.side === 'before';
  const rows = isReversed ? read.toReversed() : read;

  // Counting stops at MOST_COUNTED + 1, which means that there are more.
  const isMore = !selection.isKept && total > MOST_COUNTED;
  // Few rows are sorted again for each numbered page; a cursor only helps for walks along an index.
  const isWalked = !selection.isFiltered || total > MOST_SORTED;
  return {
    rows,
    total: isMore ? MOST_COUNTED : total,
    isMore,
    copy: syncFrom(fact),
    ...(isWalked ? neighboursOf(rows, view, total, isMore) : { next: null, previous: null }),
  };
}

/** The rows after a cursor, without counting, for reading a full list in pieces. Null if the session has ended. */
export async function readListAfter(
  { $client: d1 }: Db,
  list: ListDescription,
  claim: SessionClaim,
  now: number,
  view: ListView,
  cursor: Cursor,
): Promise<{ rows: ListRow[] } | null> {
  const [session, found] = await d1.batch<RawRow>([
    prepare(d1, rawSql`SELECT ${isSessionLive(claim, now)} AS is_live`),
    prepare(d1, neighbourPage(selectionOf(list, claim.accountId, view), cursor)),
  ]);
  return session?.results[0]?.is_live === 1 ? { rows: (found?.results ?? []) as ListRow[] } : null;
}
