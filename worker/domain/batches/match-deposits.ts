import { addDays, daysBetween, localDay } from '#shared/text/local-day';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import { findMerchantNumber, findOldestUnfunded, listOpenTerminals, saveDeposits } from '#worker/data/batches/batches';
import { findNamedTerminal } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { readBatches } from '#worker/domain/terminals/batches';

/** The deposit of a batch is no longer searched for after this number of days. */
const MAX_AGE_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Nightly step: finds batches that closed automatically, and records the deposits of closed batches from the card
 * provider's report. The deposits of batches that are missing from the report stay unknown.
 */
export async function matchDeposits(deps: Deps, accountId: number): Promise<void> {
  const { db, now, boarding } = deps;
  for (const terminalId of await listOpenTerminals(db, accountId)) {
    const terminal = await findNamedTerminal(db, accountId, terminalId);
    if (terminal) await readBatches(deps, terminal);
  }
  if (!deps.settings.REPORTING_BASE_URL) return;
  const oldestAt = await findOldestUnfunded(db, accountId, now() - MAX_AGE_DAYS * DAY_MS);
  const merchantNumber = oldestAt === null ? null : await findMerchantNumber(db, accountId);
  if (oldestAt === null || !merchantNumber) return;
  const zone = await findTimeZone(db, accountId);
  for (const day of daysBetween(localDay(oldestAt, zone), addDays(localDay(now(), zone), 1))) {
    const deposits = await boarding.listDeposits(merchantNumber, day);
    if (deposits === 'unavailable') return;
    if (deposits.length > 0) await saveDeposits(db, accountId, deposits);
  }
}
