import { viewName, writeCursor } from '#shared/contracts/list-cursor';
import type { ListRequest } from '#shared/contracts/lists/list-request';
import type { ListDescription, ListRow } from '#worker/data/lists/description';
import { type ListPage, readListPage } from '#worker/data/lists/read-page';
import type { SessionClaim } from '#worker/data/merchants/sessions';
import type { Deps } from '#worker/deps';
import { type SyncState, syncStateOf } from '#worker/domain/crm-sync/state';
import { clinicDay } from '#worker/domain/merchants/clinic-day';

/** Facts that are returned with a page's rows. */
export type ListFacts = {
  total: number;
  /** True if counting stopped at `total` and there are more. */
  isMore: boolean;
  page: number;
  pages: number;
  next: string | null;
  previous: string | null;
  asOf: string | null;
  isStale: boolean;
  progress: string | null;
};

export type ListResult<Item> = { items: Item[]; facts: ListFacts; copy: SyncState };

export function factsOf(page: ListPage, request: ListRequest, now: number): { facts: ListFacts; copy: SyncState } {
  const { total, isMore, next, previous } = page;
  const copy = syncStateOf(page.copy, now);
  const view = viewName(request);
  const facts = {
    total,
    isMore,
    page: request.page,
    pages: Math.ceil(total / request.size),
    next: next && writeCursor(view, next),
    previous: previous && writeCursor(view, previous),
    asOf: copy.asOf === null ? null : new Date(copy.asOf).toISOString(),
    isStale: copy.isStale,
    progress: copy.progress && `${copy.progress.copied}/${copy.progress.expected}`,
  };
  return { facts, copy };
}

export type DatedRequest = ListRequest & { today?: string };

/** Adds the local day of the business to the request, if its status filters depend on it. */
export async function addToday({ db, now }: Deps, accountId: number, request: ListRequest): Promise<DatedRequest> {
  if (!request.statuses.some((status) => status === 'overdue' || status === 'due')) return request;
  return { ...request, today: await clinicDay({ db, now }, accountId) };
}

/** One page of an account's list, with its rows presented. Null if the session of this claim has ended. */
export async function readList<Item>(
  { db, now }: Deps,
  list: ListDescription,
  claim: SessionClaim,
  request: DatedRequest,
  present: (row: ListRow) => Item,
): Promise<ListResult<Item> | null> {
  const page = await readListPage(db, list, claim, now(), request);
  return page && { items: page.rows.map(present), ...factsOf(page, request, now()) };
}
