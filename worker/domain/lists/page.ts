import type { ListRequest } from '#shared/contracts/list-request';
import { localDay } from '#shared/text/local-day';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import type { ListRow } from '#worker/data/lists/cursors';
import type { ListDescription } from '#worker/data/lists/description';
import { readListPage } from '#worker/data/lists/read-page';
import type { SessionClaim } from '#worker/data/merchants/session-claim';
import type { Deps } from '#worker/deps';
import { factsOf, type Listed } from './facts.ts';

export type DatedRequest = ListRequest & { today?: string };

/** The request with the day where the business is, if that says which rows it means. */
export async function withToday({ db, now }: Deps, accountId: number, request: ListRequest): Promise<DatedRequest> {
  if (!request.statuses.some((status) => status === 'overdue' || status === 'due')) return request;
  return { ...request, today: localDay(now(), await findTimeZone(db, accountId)) };
}

/** One page of an account's list, with its rows presented. Null: the session of this claim has ended. */
export async function readList<Item>(
  { db, now }: Deps,
  list: ListDescription,
  claim: SessionClaim,
  request: DatedRequest,
  present: (row: ListRow) => Item,
): Promise<Listed<Item> | null> {
  const page = await readListPage(db, list, claim, now(), request);
  return page && { items: page.rows.map(present), ...factsOf(page, request, now()) };
}
