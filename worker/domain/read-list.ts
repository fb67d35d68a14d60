import { writeCursor } from '#shared/contracts/list-cursor';
import { type ListRequest, viewName } from '#shared/contracts/list-request';
import { type ListPage, type ListRow, readListPage } from '../data/list-pages.ts';
import type { ListTable } from '../data/list-view.ts';
import type { SessionClaim } from '../data/session-claim.ts';
import type { Deps } from '../deps.ts';
import { type CopyState, copyStateOf } from './copy-state.ts';

/** What is told of a page beside its rows. */
export type ListFacts = {
  total: number;
  /** There are more than `total`. */
  isMore: boolean;
  page: number;
  pages: number;
  next: string | null;
  previous: string | null;
  asOf: string | null;
  isStale: boolean;
  copying: string | null;
};

export type Listed<Item> = { items: Item[]; facts: ListFacts; copy: CopyState };

/** One page of a hub's list, each row as it is shown. Null: the session of this claim has ended. */
export async function readList<Item>(
  { db, now }: Deps,
  list: ListTable,
  claim: SessionClaim,
  request: ListRequest,
  show: (row: ListRow) => Item,
): Promise<Listed<Item> | null> {
  const page = await readListPage(db, list, claim, now(), request);
  if (!page) return null;
  const copy = copyStateOf(page.copy, now());
  return { items: page.rows.map(show), facts: factsOf(page, copy, request), copy };
}

export function factsOf({ total, isMore, next, previous }: ListPage, copy: CopyState, request: ListRequest): ListFacts {
  const view = viewName(request);
  return {
    total,
    isMore,
    page: request.page,
    pages: Math.ceil(total / request.size),
    next: next && writeCursor(view, next),
    previous: previous && writeCursor(view, previous),
    ...freshness(copy),
  };
}

function freshness({ asOf, isStale, copying }: CopyState): Pick<ListFacts, 'asOf' | 'isStale' | 'copying'> {
  return {
    asOf: asOf === null ? null : new Date(asOf).toISOString(),
    isStale,
    copying: copying && `${copying.copied}/${copying.expected}`,
  };
}
