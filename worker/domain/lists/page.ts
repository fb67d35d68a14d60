import type { ListRequest } from '#shared/contracts/list-request';
import type { ListRow } from '#worker/data/lists/cursors';
import type { ListDescription } from '#worker/data/lists/description';
import { readListPage } from '#worker/data/lists/read-page';
import type { SessionClaim } from '#worker/data/merchants/session-claim';
import type { Deps } from '#worker/deps';
import { factsOf, type Listed } from './facts.ts';

/** One page of an account's list, with its rows presented. Null: the session of this claim has ended. */
export async function readList<Item>(
  { db, now }: Deps,
  list: ListDescription,
  claim: SessionClaim,
  request: ListRequest,
  present: (row: ListRow) => Item,
): Promise<Listed<Item> | null> {
  const page = await readListPage(db, list, claim, now(), request);
  return page && { items: page.rows.map(present), ...factsOf(page, request, now()) };
}
