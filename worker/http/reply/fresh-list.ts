import type { Context } from 'hono';
import type { Deps, Env } from '#worker/deps';
import { awaitFirstPage, refreshIfStale, type SyncState } from '#worker/domain/crm-sync/state';
import { runToCompletion } from './run-to-completion.ts';

/**
 * Answers from the synced records at once and fetches the CRM's changes in the background, for the next request. An
 * account without any synced record yet waits for the newest ones.
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
