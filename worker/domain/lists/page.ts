import type { ListRequest } from '#shared/contracts/list-request';
import type { ListRow } from '../../data/lists/cursors.ts';
import type { ListDescription } from '../../data/lists/description.ts';
import { readListPage } from '../../data/lists/read-page.ts';
import type { SessionClaim } from '../../data/session-claim.ts';
import type { Deps } from '../../deps.ts';
import { factsOf, type Listed } from './facts.ts';

/** One page of an account's list, each row as it is presented. Null: the session of this claim has ended. */
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
