import { dropOldEvidence } from '#worker/data/retention/evidence';
import { dropExpiredSignatures } from '#worker/data/retention/signatures';
import { dropExpiredRows } from '#worker/data/retention/statements';
import { clinicTables, installationTables } from '#worker/data/schema/tables';
import type { Deps } from '#worker/deps';
import { dropOldEvents } from '../audit/anchor.ts';

/** A turn that took all it may is followed by another after this (ms): a backlog must not wait for days. */
const AGAIN_MS = 10_000;

/**
 * Let go what has outlived its period (the lifetimes of worker/data/schema/); the next run goes on where this one ends.
 * Answers when it wants to (UTC ms), where there may be more.
 */
export async function keepPeriods(deps: Deps): Promise<number | undefined> {
  const { clinic, db, media, now } = deps;
  const isMore = [
    await dropExpiredRows(db, clinic === 0 ? installationTables : clinicTables, now()),
    await dropOldEvents(deps),
    await (clinic === 0 ? dropOldEvidence : dropExpiredSignatures)(db, media, now()),
  ];
  return isMore.includes(true) ? now() + AGAIN_MS : undefined;
}
