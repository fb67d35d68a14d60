import { dropExpiredSignatures } from '#worker/data/retention/signatures';
import { dropExpiredRows } from '#worker/data/retention/statements';
import type { Deps } from '#worker/deps';

/** Let go what has outlived its period (worker/data/retention/periods.ts); the next run goes on where this one ends. */
export async function keepPeriods({ db, media, now }: Deps): Promise<void> {
  await dropExpiredRows(db, now());
  await dropExpiredSignatures(db, media, now());
}
