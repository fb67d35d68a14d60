import { KEPT_MS } from '#shared/audit-chain';
import { dayOf, hasAnchor, putAnchor } from '#worker/data/audit/anchors';
import { deleteOldEvents, listHeads } from '#worker/data/audit/seals';
import type { Deps } from '#worker/deps';

const ACCOUNTS = 100;

/**
 * For the cron: once a day, keep every account's newest seal outside the database, where nobody who can write to the
 * database replaces it. Then let go of events whose time is over.
 */
export async function anchorTrails({ db, anchors, now, log }: Deps): Promise<void> {
  const at = now();
  const day = dayOf(at);
  if (await hasAnchor(anchors, day)) return;
  const heads = await listHeads(db);
  if (heads.length === 0) return;
  const accounts = heads.map(({ accountId, toSeq, hash }) => ({ account: accountId, seq: toSeq, hash }));
  const isWritten = await putAnchor(anchors, day, { at: new Date(at).toISOString(), accounts });
  if (!isWritten) return;
  log.info('audit-anchored', { day, accounts: accounts.length });
  await deleteOldEvents(db, at - KEPT_MS, ACCOUNTS);
}
