import type { Context } from 'hono';
import type { Deps, Env } from '#worker/deps';
import { awaitFirstPage, refreshIfStale, type SyncState } from '#worker/domain/crm-sync/state';
import { runToCompletion } from './run-to-completion.ts';

/**
 * A list out of the copy, as it is now: what changed in the CRM is asked for meanwhile, for whoever looks next. Only an account of
 * which nothing is here yet makes the list wait, for the newest records.
 */
export async function freshList<T extends { copy: SyncState }>(
  c: Context<{ Bindings: Env }>,
  deps: Deps,
  accountId: number,
  read: () => Promise<T | null>,
): Promise<T | null> {
  const list = await read();
  if (!list) return null;
  runToCompletion(c, refreshIfStale(deps, accountId, list.copy));
  if (!list.copy.isEmpty) return list;
  await awaitFirstPage(deps, accountId);
  return read();
}
