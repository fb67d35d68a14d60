import type { PaymentMethod } from '#shared/contracts/payment';
import { listOnlyOurs, type OnlyOurs } from '../../data/gateway-transactions.ts';
import { findAnyTerminal } from '../../data/match-marks.ts';
import type { Deps } from '../../deps.ts';
import { type Shown, takeIn } from './take-in.ts';

/** So many are asked for one by one; more than that is a fault of its own, and is shown as it is. */
const ASKED = 20;

/** Ask for what we booked and the gateway did not list; answers what it does not know either. */
export async function lookForMissing(
  deps: Deps,
  hubId: number,
  method: PaymentMethod,
  within: { from: number; to: number; terminalId?: string },
): Promise<OnlyOurs[]> {
  const missing = await listOnlyOurs(deps.db, hubId, method, { ...within, limit: 200 });
  const terminal = missing.length > 0 ? await findAnyTerminal(deps.db, hubId) : undefined;
  if (!terminal) return missing;
  const isThere = new Set<string>();
  const shown: Shown[] = [];
  for (const { providerTxnId } of missing.slice(0, ASKED)) {
    const found = await deps.gateway.find(terminal, method, { providerTxnId });
    const own = found === 'unavailable' ? [] : found.filter(({ id }) => id === providerTxnId);
    // Not answered is not missing.
    if (found === 'unavailable' || own.length > 0) isThere.add(providerTxnId);
    shown.push({ txns: own, seenAt: deps.now() });
  }
  await takeIn(deps, hubId, method, ...shown);
  return missing.filter(({ providerTxnId }) => !isThere.has(providerTxnId));
}
