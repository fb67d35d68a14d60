import { deleteExpiredRows } from '#worker/data/retention/expired-rows';
import { deleteExpiredSignatures, deleteOldEvidence } from '#worker/data/retention/payer-data';
import { clinicTables, installationTables } from '#worker/data/schema/tables';
import type { Deps } from '#worker/deps';
import { dropOldEvents } from '../audit/seal.ts';

/** Delay until the next run (ms) after one that reached its limit, so that a backlog does not wait for days. */
const BACKLOG_MS = 10_000;

/**
 * Deletes rows and files past their retention period (the lifetimes of worker/data/schema/). Returns the time of the
 * next run (UTC ms) if more may be left.
 */
export async function applyRetention(deps: Deps): Promise<number | undefined> {
  const { clinic, db, media, now } = deps;
  const isMore = [
    await deleteExpiredRows(db, clinic === 0 ? installationTables : clinicTables, now()),
    await dropOldEvents(deps),
    await (clinic === 0 ? deleteOldEvidence : deleteExpiredSignatures)(db, media, now()),
  ];
  return isMore.includes(true) ? now() + BACKLOG_MS : undefined;
}
