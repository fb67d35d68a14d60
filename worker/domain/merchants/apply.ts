import { merchantLimits } from '#shared/limits';
import { signUpMailId } from '#worker/data/mail/outbox';
import {
  claimApplication,
  findMerchant,
  type MerchantRow,
  releaseApplication,
  storeApplication,
} from '#worker/data/merchants/merchants';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { causeOf } from '#worker/log';
import { tellKeys } from './clinic-of-account.ts';

/** A claim older than this (ms) was left behind. */
const STALE_MS = 60_000;
const WAIT_MS = 200;
const WAITS = 75;

export type SetUpOutcome =
  /** `mailId`: the mail that is owed, if the application was made just now. */
  | { kind: 'set-up'; merchant: MerchantRow; mailId: string | null }
  | { kind: 'invalid-name' }
  | { kind: 'refused'; message: string }
  | { kind: 'provider-unavailable' };

const VISIBLE = /[\p{L}\p{N}]/u;
const FORBIDDEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * Apply for an account at the card provider under a trading name. However often the form is sent, one application is
 * made, and every caller gets its link.
 */
export async function setUpMerchant(
  deps: Deps,
  accountId: number,
  email: string,
  dbaName: string,
): Promise<SetUpOutcome> {
  const name = dbaName.trim();
  if (name.length > merchantLimits.tradingName || !VISIBLE.test(name) || FORBIDDEN.test(name))
    return { kind: 'invalid-name' };
  for (let waits = 0; waits < WAITS; waits++) {
    const known = await findMerchant(deps.db, accountId);
    if (known?.merchantNumber) return { kind: 'set-up', merchant: known, mailId: null };
    const now = deps.now();
    if (
      await claimApplication(
        deps.db,
        accountId,
        name,
        now,
        now - STALE_MS,
        applicationEvent(deps, accountId, 'merchant.claimed', { name }),
      )
    )
      return apply(deps, { accountId, name, claimedAt: now }, email);
    await deps.pause(WAIT_MS);
  }
  return { kind: 'provider-unavailable' };
}

const applicationEvent = (
  deps: Deps,
  accountId: number,
  action: 'merchant.claimed' | 'merchant.applied' | 'merchant.released',
  after: { name: string; number?: string },
) => auditEvent(deps, { accountId, action, subject: ['merchant', String(accountId)], after });

type Claim = { accountId: number; name: string; claimedAt: number };

async function apply(deps: Deps, { accountId, name, claimedAt }: Claim, email: string): Promise<SetUpOutcome> {
  const outcome = await deps.boarding.createApplication({ dbaName: name, email });
  if (outcome.kind === 'refused') {
    await releaseApplication(
      deps.db,
      accountId,
      claimedAt,
      applicationEvent(deps, accountId, 'merchant.released', { name }),
    );
    return { kind: 'refused', message: outcome.message };
  }
  if (outcome.kind === 'unknown') {
    // The provider may have made it; a repeat at once could make two, so the claim stands for a minute.
    deps.log.info('application-unanswered', { accountId });
    return { kind: 'provider-unavailable' };
  }
  const { merchantNumber, signupUrl } = outcome;
  const application = { accountId, name, merchantNumber, signupUrl };
  const event = applicationEvent(deps, accountId, 'merchant.applied', { name, number: merchantNumber });
  const store = () => storeApplication(deps.db, application, email, deps.now(), event);
  // A write that was cut off may have happened. Repeating it is harmless, and without it another application is made.
  const stored = (await store().catch(store)) ?? (await findMerchant(deps.db, accountId));
  if (stored?.merchantNumber === merchantNumber) {
    await tellKeys(deps).catch((cause: unknown) => deps.log.info('keys-not-told', { cause: causeOf(cause) }));
    deps.log.info('merchant-applied', { accountId, merchantNumber });
    return { kind: 'set-up', merchant: stored, mailId: email ? signUpMailId(merchantNumber) : null };
  }
  // The claim was taken over while the provider was silent, so the other application counts.
  deps.log.alert('application-superfluous', { accountId, merchantNumber });
  return stored ? { kind: 'set-up', merchant: stored, mailId: null } : { kind: 'provider-unavailable' };
}
