import {
  claimApplication,
  findMerchant,
  type MerchantRow,
  releaseApplication,
  storeApplication,
} from '../data/merchants.ts';
import type { Deps } from '../deps.ts';

/** A claim older than this belongs to somebody who is gone. */
const STALE_MS = 60_000;
const WAIT_MS = 200;
const WAITS = 75;

export type SetUpOutcome =
  | { kind: 'set-up'; merchant: MerchantRow }
  | { kind: 'invalid-name' }
  | { kind: 'refused'; message: string }
  | { kind: 'provider-unavailable' };

const VISIBLE = /[\p{L}\p{N}]/u;
const FORBIDDEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * Apply for an account at the card provider under a trading name. However often and at however many places the form is
 * sent, one application is made; everybody gets its link.
 */
export async function setUpMerchant(deps: Deps, hubId: number, email: string, dbaName: string): Promise<SetUpOutcome> {
  const name = dbaName.trim();
  if (name.length > 100 || !VISIBLE.test(name) || FORBIDDEN.test(name)) return { kind: 'invalid-name' };
  for (let waits = 0; waits < WAITS; waits++) {
    const known = await findMerchant(deps.db, hubId);
    if (known?.merchantNumber) return { kind: 'set-up', merchant: known };
    const now = deps.now();
    if (await claimApplication(deps.db, hubId, name, now, now - STALE_MS)) return apply(deps, hubId, email, name);
    await deps.pause(WAIT_MS);
  }
  return { kind: 'provider-unavailable' };
}

async function apply(deps: Deps, hubId: number, email: string, name: string): Promise<SetUpOutcome> {
  const outcome = await deps.boarding.createApplication({ dbaName: name, email });
  if (outcome.kind === 'refused') {
    await releaseApplication(deps.db, hubId);
    return { kind: 'refused', message: outcome.message };
  }
  if (outcome.kind === 'unknown') {
    // The provider may have made it; a repeat at once could make two, so the claim stands for a minute.
    deps.log.alert('application-unanswered', { hubId });
    return { kind: 'provider-unavailable' };
  }
  const merchant = await storeApplication(deps.db, hubId, outcome);
  deps.log.info('merchant-applied', { hubId, merchantNumber: outcome.merchantNumber });
  return merchant ? { kind: 'set-up', merchant } : { kind: 'provider-unavailable' };
}
