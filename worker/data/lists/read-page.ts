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
  /** Number of rows on all pages; `isMore`: counting stopped here, there are more. */
  total: number;
  isMore: boolean;
  next: Cursor | null;
  previous: Cursor | null;
  /** The CRM sync's state: how complete and how fresh the synced records are. */
  copy: SyncRow | undefined;
};

/**
 * One page of a list: one trip to D1 if the page can be found without counting first, up to three if not. The first
 * trip proves the session, too. Null: the session has ended, and nothing that was read is told.
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
  // Without a row the number found is unknown: the page is past the last match, or past what was looked for.
  if (selection.isSearch && (total > MOST_SORTED || (total === 0 && view.page > 1)))
    total = Number(await prepare(d1, countRows(selection)).first('n'));
  const later = laterPage(selection, total);
  const read = later ? (await prepare(d1, later.page).all<ListRow>()).results : opened;
  const isReversed = later ? later.isReversed : view.cursor?.side === 'before';
  const rows = isReversed ? read.toReversed() : read;

  // Counting goes one row past MOST_COUNTED: that row means that there are more.
  const isMore = !selection.isKept && total > MOST_COUNTED;
  // Few rows are sorted anew for every numbered page; a cursor only spares work on a walk along an index.
  const isWalked = !selection.isFiltered || total > MOST_SORTED;
  return {
    rows,
    total: isMore ? MOST_COUNTED : total,
    isMore,
    copy: syncFrom(fact),
    ...(isWalked ? neighboursOf(rows, view, total, isMore) : { next: null, previous: null }),
  };
}

/** The rows after a cursor, without counting, for reading a full list piece by piece. Null: the session has ended. */
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
