import { viewName, writeCursor } from '#shared/contracts/list-cursor';
import type { ListRequest } from '#shared/contracts/list-request';
import type { ListPage } from '#worker/data/lists/read-page';
import { type SyncState, syncStateOf } from '#worker/domain/crm-sync/state';

/** Facts that are told beside a page's rows. */
export type ListFacts = {
  total: number;
  /** Counting stopped at `total`; there are more. */
  isMore: boolean;
  page: number;
  pages: number;
  next: string | null;
  previous: string | null;
  asOf: string | null;
  isStale: boolean;
  copying: string | null;
};

export type Listed<Item> = { items: Item[]; facts: ListFacts; copy: SyncState };

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
    copying: copy.copying && `${copy.copying.copied}/${copy.copying.expected}`,
  };
  return { facts, copy };
}
