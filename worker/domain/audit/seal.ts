import { genesisHash, RETENTION_MS, sealEvents } from '#shared/audit-chain';
import {
  dayOf,
  deleteOldEvents,
  hasAnchor,
  insertSeal,
  listEventsAfter,
  listHeads,
  listUnsealedTrails,
  putAnchor,
  type Trails,
  type UnsealedTrail,
} from '#worker/data/audit/seals';
import { listClinicHeads } from '#worker/data/directory/status-reports';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';

const ACCOUNTS_PER_RUN = 100;
/**
 * The number of events per seal. A seal stores each event's hash, so that a check can name the changed event.
 */
const EVENTS_PER_SEAL = 250;
/** The number of seals per account in one run. */
const SEALS_PER_RUN = 8;

/** The kind of trails in the current database. */
export const trailsOf = ({ clinic }: Pick<Deps, 'clinic'>): Trails => (clinic === 0 ? 'installation' : 'accounts');

/** For the schedule: seals the events since the last run, account by account. */
export async function sealTrails(deps: Deps): Promise<void> {
  for (const trail of await listUnsealedTrails(deps.db, trailsOf(deps), ACCOUNTS_PER_RUN)) {
    await sealTrail(deps, trail).catch((cause: unknown) =>
      deps.log.info('audit-not-sealed', { accountId: trail.accountId, cause: causeOf(cause) }),
    );
  }
}

async function sealTrail({ db, now }: Deps, { accountId, connectedAt, toSeq, hash }: UnsealedTrail): Promise<void> {
  let lastSeal = { seq: toSeq, hash: toSeq === 0 ? await genesisHash(accountId, connectedAt) : hash };
  for (let seals = 0; seals < SEALS_PER_RUN; seals++) {
    const rows = await listEventsAfter(db, accountId, lastSeal.seq, EVENTS_PER_SEAL);
    if (rows.length === 0) return;
    const seal = await sealEvents(accountId, rows, lastSeal.hash, now());
    // If the insert fails, another run was faster and continues from there.
    if (!(await insertSeal(db, seal)) || rows.length < EVENTS_PER_SEAL) return;
    lastSeal = { seq: seal.to_seq, hash: seal.hash };
  }
}

/** The number of accounts whose old events are deleted in one run. */
const ACCOUNTS_PER_CLEANUP = 100;

/**
 * For the installation's schedule: once a day, stores the newest seal of every trail outside the databases, out of
 * reach of anyone with write access to one of them. A clinic's seal is the last one that it reported to the directory.
 */
export async function anchorTrails({ db, installation, anchors, now, log }: Deps): Promise<void> {
  const at = now();
  const day = dayOf(at);
  if (await hasAnchor(anchors, day)) return;
  const ownHeads = (await listHeads(db, 'installation')).map(({ accountId, toSeq, hash }) => ({
    account: accountId,
    seq: toSeq,
    hash,
  }));
  const accounts = [...ownHeads, ...(await listClinicHeads(installation))];
  if (accounts.length === 0) return;
  if (await putAnchor(anchors, day, { at: new Date(at).toISOString(), accounts }))
    log.info('audit-anchored', { day, accounts: accounts.length });
}

/** Deletes events past their retention; their seals stay. True if there may be more. */
export const dropOldEvents = (deps: Deps): Promise<boolean> =>
  deleteOldEvents(deps.db, trailsOf(deps), deps.now() - RETENTION_MS, ACCOUNTS_PER_CLEANUP);
