import { viewName, writeCursor } from '#shared/contracts/list-cursor';
import type { ListRequest } from '#shared/contracts/list-request';
import type { ListPage } from '../../data/lists/read-page.ts';
import { type CopyState, copyStateOf } from '../copy-state.ts';

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

export function factsOf(page: ListPage, request: ListRequest, now: number): { facts: ListFacts; copy: CopyState } {
  const { total, isMore, next, previous } = page;
  const copy = copyStateOf(page.copy, now);
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
