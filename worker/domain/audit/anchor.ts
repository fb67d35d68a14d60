import { KEPT_MS } from '#shared/audit-chain';
import { dayOf, hasAnchor, putAnchor } from '#worker/data/audit/anchors';
import { deleteOldEvents, listHeads } from '#worker/data/audit/seals';
import { listClinicHeads } from '#worker/data/directory/standing';
import type { Deps } from '#worker/deps';
import { trailsOf } from './seal.ts';

/** Accounts of which a run deletes old events. */
const ACCOUNTS = 100;

/**
 * For the schedule of the installation: once a day, keep the newest seal of every trail outside the databases, where
 * nobody who can write to one of them replaces it. A clinic's seal is the one that it told the directory last.
 */
export async function anchorTrails({ db, installation, anchors, now, log }: Deps): Promise<void> {
  const at = now();
  const day = dayOf(at);
  if (await hasAnchor(anchors, day)) return;
  const own = (await listHeads(db, 'installation')).map(({ accountId, toSeq, hash }) => ({
    account: accountId,
    seq: toSeq,
    hash,
  }));
  const accounts = [...own, ...(await listClinicHeads(installation))];
  if (accounts.length === 0) return;
  if (await putAnchor(anchors, day, { at: new Date(at).toISOString(), accounts }))
    log.info('audit-anchored', { day, accounts: accounts.length });
}

/** Let go of events whose time is over; their seals stay. True: there may be more. */
export const dropOldEvents = (deps: Deps): Promise<boolean> =>
  deleteOldEvents(deps.db, trailsOf(deps), deps.now() - KEPT_MS, ACCOUNTS);
