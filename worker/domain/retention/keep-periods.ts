import { dropOldEvidence } from '#worker/data/retention/evidence';
import { clinicTables } from '#worker/data/retention/periods-of-clinics';
import { installationTables } from '#worker/data/retention/periods-of-installation';
import { dropExpiredSignatures } from '#worker/data/retention/signatures';
import { dropExpiredRows } from '#worker/data/retention/statements';
import type { Deps } from '#worker/deps';
import { dropOldEvents } from '../audit/anchor.ts';

/** Let go what has outlived its period (worker/data/retention/periods.ts); the next run goes on where this one ends. */
export async function keepPeriods(deps: Deps): Promise<void> {
  const { clinic, db, media, now } = deps;
  await dropExpiredRows(db, clinic === 0 ? installationTables : clinicTables, now());
  await dropOldEvents(deps);
  await (clinic === 0 ? dropOldEvidence : dropExpiredSignatures)(db, media, now());
}
