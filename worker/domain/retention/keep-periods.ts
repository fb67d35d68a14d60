import { clinicTables } from '#worker/data/retention/clinic-periods';
import { installationTables } from '#worker/data/retention/installation-periods';
import { dropExpiredSignatures } from '#worker/data/retention/signatures';
import { dropExpiredRows } from '#worker/data/retention/statements';
import type { Deps } from '#worker/deps';

/**
 * Let go what has outlived its period (worker/data/retention/periods.ts) in the database at hand, a clinic's or the
 * installation's; the next run goes on where this one ends.
 */
export async function keepPeriods({ clinic, db, media, now }: Deps): Promise<void> {
  if (clinic === 0) return dropExpiredRows(db, installationTables, now());
  await dropExpiredRows(db, clinicTables, now());
  await dropExpiredSignatures(db, media, now());
}
