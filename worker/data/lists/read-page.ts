import { syncFrom } from '#worker/data/crm-sync/state';
import { isSessionLive, type SessionClaim } from '#worker/data/merchants/session-claim';
import type { SyncRow } from '#worker/data/schema/schema';
import type { Db, RawRow } from '../db.ts';
import { prepare, rawSql } from '../raw-sql.ts';
import { type ListRow, neighboursOf } from './cursors.ts';
import type { Cursor, ListDescription, ListView } from './description.ts';
import { selectionOf } from './selection.ts';
import { countRows, factsOf, firstPage, laterPage, MOST_COUNTED, MOST_SORTED, neighbourPage } from './statements.ts';

export type ListPage = {
  rows: ListRow[];
  /** How many rows the filters leave, over all pages; `isMore`: so many were counted, and there are more. */
  total: number;
  isMore: boolean;
  next: Cursor | null;
  previous: Cursor | null;
  /** How far and how fresh the copy of the CRM's records is. */
  copy: SyncRow | undefined;
};

/**
 * One page of a list, in one trip to D1 wherever it can be found without counting first, in two otherwise. The first trip
 * proves the session, too: null means that nobody is logged in under this claim, and nothing that was read is told.
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

  const opened = (found?.results ?? []) as ListRow[];
  let total = Number(selection.isSearch ? (opened[0]?.found_count ?? 0) : fact.total);
  // An empty page is the end of what a search found, or lies beyond what was looked for.
  if (selection.isSearch && (total > MOST_SORTED || (total === 0 && view.page > 1)))
    total = Number(await prepare(d1, countRows(selection)).first('n'));
  const later = laterPage(selection, total);
  const read = later ? (await prepare(d1, later.page).all<ListRow>()).results : opened;
  const isReversed = later ? later.isReversed : view.cursor?.side === 'before';
  const rows = isReversed ? read.toReversed() : read;

  // Of rows that are counted one more than is counted stands for all that may follow.
  const isMore = !selection.isKept && total > MOST_COUNTED;
  // Few rows are sorted anew for every page by its number; only a walk along an index is spared anything by a cursor.
  const isWalked = !selection.isFiltered || total > MOST_SORTED;
  return {
    rows,
    total: isMore ? MOST_COUNTED : total,
    isMore,
    copy: syncFrom(fact),
    ...(isWalked ? neighboursOf(rows, view, total, isMore) : { next: null, previous: null }),
  };
}

/** What comes after a row, without counting anything: for reading a whole list piece by piece. */
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
