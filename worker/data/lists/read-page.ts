import { namesFirst } from '#shared/text/names-first';
import { SYNC_COLUMNS, syncRowOf } from '#worker/data/crm-sync/state';
import { isSessionLive, type SessionClaim } from '#worker/data/merchants/sessions';
import type { SyncRow } from '#worker/data/schema/schema';
import type { Db, RawRow } from '../db.ts';
import { joinSql, prepare, type RawSql, raw, rawSql } from '../sql.ts';
import { type Cursor, type ListDescription, type ListRow, type ListView, neighborsOf } from './description.ts';
import { type Selection, selectionOf } from './selection.ts';

/**
 * The maximum number of rows that SQLite sorts for one page. With more, it walks the index of the sort order and
 * filters each row. The more rows match, the sooner a page is full.
 */
export const MAX_SORTED = 1000;

/** Matches are counted up to this number; above it, we only know that there are more. */
export const MAX_COUNTED = 10_000;

/**
 * Selects all facts about the page as a single row, because a statement costs more here than the rows that it reads.
 */
export function selectPageFacts(selection: Selection, claim: SessionClaim, now: number): RawSql {
  const { cursor } = selection.view;
  const isKnown = cursor !== null || selection.isSearch;
  const total = isKnown ? rawSql`${cursor?.total ?? null}` : rawSql`(${countRows(selection)})`;
  return rawSql`SELECT ${isSessionLive(claim, now)} AS is_live, ${total} AS total, ${raw(SYNC_COLUMNS)}
    FROM (SELECT 1) LEFT JOIN crm_sync_states k ON k.account_id = ${claim.accountId}`;
}

/** The page, if it can be read without counting first; otherwise null. */
export function firstPage(selection: Selection): RawSql | null {
  const { view, isSearch, isFiltered } = selection;
  if (view.cursor) return neighborPage(selection, view.cursor);
  if (selection.isRanked) return matchingNames(selection);
  if (isSearch) return searchedPage(selection);
  if (isFiltered) return sortedPage(selection);
  return view.page === 1 ? walkedPage(selection, { side: 'after', limit: view.size, offset: 0 }) : null;
}

/** The page, if the first round trip could not read it; `isReversed`: its rows are in reverse order. */
export function laterPage(selection: Selection, total: number): { page: RawSql; isReversed: boolean } | null {
  const { view, isFiltered, hasStoredCount, isSearch } = selection;
  const { cursor, page, size } = view;
  const from = (page - 1) * size;
  const isAlreadyRead = cursor !== null || (isFiltered ? total <= MAX_SORTED : page === 1);
  const isBeyondCount = !hasStoredCount && total > MAX_COUNTED;
  // Numbered pages end at the counting limit.
  if (isAlreadyRead || from >= (isBeyondCount ? MAX_COUNTED : total)) return null;
  // Matches that can be counted are sorted, because walking past most of them could scan the whole account.
  if (isFiltered && page > 1 && total <= MAX_COUNTED) {
    const sorted = isSearch ? searchedPage(selection, MAX_COUNTED) : sortedPage(selection, MAX_COUNTED);
    return { page: sorted, isReversed: false };
  }
  // Starts from the nearer end, because every row on the way is read.
  const fromEnd = total - from - size;
  if (fromEnd >= from || isBeyondCount) {
    return { page: walkedPage(selection, { side: 'after', limit: size, offset: from }), isReversed: false };
  }
  const limit = Math.min(size, total - from);
  return { page: walkedPage(selection, { side: 'before', limit, offset: Math.max(0, fromEnd) }), isReversed: true };
}

/** The number of rows that match the filters; without a stored count, at most MAX_COUNTED + 1. */
export const countRows = ({ hasStoredCount, storedCounts, matches }: Selection): RawSql =>
  hasStoredCount
    ? rawSql`SELECT coalesce(sum(n), 0) AS n FROM list_counts
      WHERE ${storedCounts}`
    : rawSql`SELECT count(*) AS n FROM (SELECT 1 FROM ${matches} LIMIT ${MAX_COUNTED + 1})`;

/** A numbered page from rows that are found first and then sorted. Empty for a stored count above `maxRows`. */
function sortedPage(selection: Selection, maxRows = MAX_SORTED): RawSql {
  const { view, table, columns, order, matches, hasStoredCount } = selection;
  const limit = hasStoredCount
    ? rawSql`(SELECT CASE WHEN n <= ${maxRows} THEN n ELSE 0 END FROM (${countRows(selection)}))`
    : rawSql`${maxRows + 1}`;
  const direction = raw(view.isDescending ? 'DESC' : 'ASC');
  return rawSql`SELECT ${columns} FROM (
      SELECT t.rowid AS doc FROM (SELECT t.rowid AS found FROM ${matches} LIMIT ${limit})
      CROSS JOIN ${table} t ON t.rowid = found
      ORDER BY ${order.key} ${direction}, t.id_number ${direction} LIMIT ${view.size} OFFSET ${(view.page - 1) * view.size}
    ) CROSS JOIN ${table} t ON t.rowid = doc`;
}

/**
 * A numbered page of a search, with only one query of the search index. Every row contains the number of matches, and
 * at most one row more than can be sorted is read.
 */
export function searchedPage(selection: Selection, maxRows = MAX_SORTED): RawSql {
  const { view, table, columns, order, scope } = selection;
  const direction = raw(view.isDescending ? 'DESC' : 'ASC');
  return rawSql`${withMatches(selection, maxRows)}
    SELECT ${columns}, (SELECT count(*) FROM found) AS found_count FROM (
      SELECT t.rowid AS sorted FROM found CROSS JOIN ${table} t ON t.rowid = doc
      WHERE ${scope}
      ORDER BY ${order.key} ${direction}, t.id_number ${direction}
      LIMIT ${view.size} OFFSET ${(view.page - 1) * view.size}
    ) CROSS JOIN ${table} t ON t.rowid = sorted`;
}

function withMatches({ matches, words }: Selection, maxRows: number): RawSql {
  const rowids = words ? rawSql`SELECT rowid AS doc FROM ${words}` : rawSql`SELECT t.rowid AS doc FROM ${matches}`;
  return rawSql`WITH found AS MATERIALIZED (${rowids} LIMIT ${maxRows + 1})`;
}

type MatchingName = { doc: number; name: string };

/**
 * The matches of a search with only their names, for `rankedPage`, because SQLite cannot ignore accents.
 */
function matchingNames(selection: Selection): RawSql {
  const { table, order, scope } = selection;
  return rawSql`${withMatches(selection, MAX_SORTED)}
    SELECT t.rowid AS doc, ${order.key} AS name, (SELECT count(*) FROM found) AS found_count
    FROM found CROSS JOIN ${table} t ON t.rowid = doc
    WHERE ${scope}
    ORDER BY ${order.key}, t.id_number`;
}

/** A numbered page of all matches, in which matches by name come first. */
function rankedPage({ view, table, columns }: Selection, names: MatchingName[]): RawSql {
  const from = (view.page - 1) * view.size;
  const docs = namesFirst(names, ({ name }) => name, view.q)
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
  const isAscending = (side === 'after') !== selection.view.isDescending;
  const { order, bounds } = selection;
  const boundConditions = bounds ? [rawSql`${order.key} >= ${bounds.first} AND ${order.key} <= ${bounds.last}`] : [];
  return rawSql`${indexRange(selection, boundConditions, [order.key, ID], isAscending)} LIMIT ${limit} OFFSET ${offset}`;
}

/**
 * The page next to a row, in two seeks: first the other rows with the same key, then those beyond it. A single
 * comparison of (key, id) would walk all rows with an equal key.
 */
export function neighborPage(selection: Selection, { side, key, id }: Cursor): RawSql {
  const { view, bounds, order } = selection;
  const isAscending = (side === 'after') !== view.isDescending;
  const operator = raw(isAscending ? '>' : '<');
  const equalRows = indexRange(
    selection,
    [rawSql`${order.key} = ${key} AND t.id_number ${operator} ${id}`],
    [ID],
    isAscending,
  );
  const furtherConditions = [rawSql`${order.key} ${operator} ${key}`];
  if (bounds)
    furtherConditions.push(
      isAscending ? rawSql`${order.key} <= ${bounds.last}` : rawSql`${order.key} >= ${bounds.first}`,
    );
  const furtherRows = indexRange(selection, furtherConditions, [order.key, ID], isAscending);
  const limit = rawSql`LIMIT ${view.size}`;
  return rawSql`SELECT * FROM (${equalRows} ${limit}) UNION ALL SELECT * FROM (${furtherRows} ${limit}) ${limit}`;
}

const ID = raw('t.id_number');

/** A range of a sort order's index; every row in it is filtered. */
function indexRange(
  { table, columns, order, rowConditions, lookups }: Selection,
  where: RawSql[],
  orderBy: RawSql[],
  isAscending: boolean,
): RawSql {
  const direction = raw(isAscending ? 'ASC' : 'DESC');
  const ordered = orderBy.map((part) => rawSql`${part} ${direction}`);
  return rawSql`SELECT ${columns}
    FROM ${table} t INDEXED BY ${order.index}
    WHERE ${joinSql([...rowConditions, ...where, ...lookups], ' AND ')} ORDER BY ${joinSql(ordered, ', ')}`;
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
 * One page of a list, in one round trip to D1 if the page can be read without counting, otherwise in up to three. The
 * first round trip also checks the session. Null if the session has ended; no data is returned then.
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
  const [facts, rowsResult] = await d1.batch<RawRow>([
    prepare(d1, selectPageFacts(selection, claim, now)),
    ...(first ? [prepare(d1, first)] : []),
  ]);
  const fact = facts?.results[0];
  if (fact?.is_live !== 1) return null;

  const firstRows = rowsResult?.results ?? [];
  let total = Number(selection.isSearch ? (firstRows[0]?.found_count ?? 0) : fact.total);
  // Without a row, the number of matches is unknown, because the page is past the last match or past the search limit.
  if (selection.isSearch && (total > MAX_SORTED || (total === 0 && view.page > 1)))
    total = Number(await prepare(d1, countRows(selection)).first('n'));
  // With more matches than can be sorted, a page is a range of the alphabet.
  const isRanked = selection.isRanked && total > 0 && total <= MAX_SORTED;
  const ranked = isRanked ? { page: rankedPage(selection, firstRows as MatchingName[]), isReversed: false } : null;
  const later = ranked ?? laterPage(selection, total);
  const unsorted = selection.isRanked ? [] : (firstRows as ListRow[]);
  const rowsRead = later ? (await prepare(d1, later.page).all<ListRow>()).results : unsorted;
  const isReversed = later ? later.isReversed : view.cursor?.side === 'before';
  const rows = isReversed ? rowsRead.toReversed() : rowsRead;

  // Counting stops at MAX_COUNTED + 1, which means that there are more.
  const isMore = !selection.hasStoredCount && total > MAX_COUNTED;
  // Few rows are sorted again for each numbered page; a cursor only helps for walks along an index.
  const isWalked = !selection.isFiltered || total > MAX_SORTED;
  return {
    rows,
    total: isMore ? MAX_COUNTED : total,
    isMore,
    copy: syncRowOf(fact),
    ...(isWalked ? neighborsOf(rows, view, total, isMore) : { next: null, previous: null }),
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
  const [session, rowsResult] = await d1.batch<RawRow>([
    prepare(d1, rawSql`SELECT ${isSessionLive(claim, now)} AS is_live`),
    prepare(d1, neighborPage(selectionOf(list, claim.accountId, view), cursor)),
  ]);
  return session?.results[0]?.is_live === 1 ? { rows: (rowsResult?.results ?? []) as ListRow[] } : null;
}
