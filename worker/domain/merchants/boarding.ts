import { merchantLimits } from '#shared/limits';
import { unlessErased } from '#worker/clinic/no-such-clinic';
import { signUpMailId } from '#worker/data/mail/outbox';
import {
  claimApplication,
  findMerchant,
  findMerchantByNumber,
  type MerchantRow,
  recordBoardingEvent,
  releaseApplication,
  storeApplication,
} from '#worker/data/merchants/merchants';
import type { NewTerminalRow } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { causeOf } from '#worker/log';
import type { BoardingEvent } from '#worker/vendors/boarding-port';
import { clinicsOfMessage, reportKeys } from './clinic-of-account.ts';
import { sealTerminal } from './connect.ts';

/** A claim older than this (ms) was abandoned. */
const STALE_MS = 60_000;
const WAIT_MS = 200;
const MAX_WAITS = 75;

export type SetUpOutcome =
  /** `mailId`: the queued email, if the application was created just now. */
  | { kind: 'set-up'; merchant: MerchantRow; mailId: string | null }
  | { kind: 'invalid-name' }
  | { kind: 'refused'; message: string }
  | { kind: 'provider-unavailable' };

const VISIBLE_CHARACTER = /[\p{L}\p{N}]/u;
const FORBIDDEN_CHARACTER = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * Applies for an account at the card provider under a trading name. If the form is submitted more than once, only one
 * application is created, and every caller gets its link.
 */
export async function setUpMerchant(
  deps: Deps,
  accountId: number,
  email: string,
  dbaName: string,
): Promise<SetUpOutcome> {
  const name = dbaName.trim();
  if (name.length > merchantLimits.tradingName || !VISIBLE_CHARACTER.test(name) || FORBIDDEN_CHARACTER.test(name))
    return { kind: 'invalid-name' };
  for (let waits = 0; waits < MAX_WAITS; waits++) {
    const existingMerchant = await findMerchant(deps.db, accountId);
    if (existingMerchant?.merchantNumber) return { kind: 'set-up', merchant: existingMerchant, mailId: null };
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
      return applyAtProvider(deps, { accountId, name, claimedAt: now }, email);
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

async function applyAtProvider(
  deps: Deps,
  { accountId, name, claimedAt }: Claim,
  email: string,
): Promise<SetUpOutcome> {
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
    // The provider may have created it. An immediate repeat could create two, so the claim is kept for a minute.
    deps.log.info('application-unanswered', { accountId });
    return { kind: 'provider-unavailable' };
  }
  const { merchantNumber, signupUrl } = outcome;
  const application = { accountId, name, merchantNumber, signupUrl };
  const event = applicationEvent(deps, accountId, 'merchant.applied', { name, number: merchantNumber });
  const store = () => storeApplication(deps.db, application, email, deps.now(), event);
  // The write may have happened although it failed. Repeating it is harmless; losing it would cause a second
  // application.
  const storedMerchant = (await store().catch(store)) ?? (await findMerchant(deps.db, accountId));
  if (storedMerchant?.merchantNumber === merchantNumber) {
    await reportKeys(deps).catch((cause: unknown) => deps.log.info('keys-not-reported', { cause: causeOf(cause) }));
    deps.log.info('merchant-applied', { accountId, merchantNumber });
    return { kind: 'set-up', merchant: storedMerchant, mailId: email ? signUpMailId(merchantNumber) : null };
  }
  // The claim was taken over while the provider did not respond, so the other application counts.
  deps.log.alert('application-superfluous', { accountId, merchantNumber });
  return storedMerchant ? { kind: 'set-up', merchant: storedMerchant, mailId: null } : { kind: 'provider-unavailable' };
}

type Status = MerchantRow['status'];

/** The new state for each event, and the states in which the event counts. Late and repeated events never move back. */
const MOVE_OF_EVENT: Record<string, { to: Status; from: Status[] }> = {
  Pended: { to: 'pended', from: ['applied', 'in-review'] },
  'Manual Review': { to: 'in-review', from: ['applied', 'pended'] },
  Approved: { to: 'approved', from: ['applied', 'pended', 'in-review'] },
  Declined: { to: 'declined', from: ['applied', 'pended', 'in-review'] },
  Boarded: { to: 'boarded', from: ['applied', 'pended', 'in-review', 'approved', 'declined'] },
};

export type BoardingWebhookOutcome = 'heard' | 'ignored' | 'unproved';

/**
 * Handles the provider's message about an application. It is not signed: it counts only for a known merchant, and a
 * terminal key only after the gateway itself has confirmed its merchant.
 */
export async function handleBoardingWebhook(deps: Deps, event: BoardingEvent): Promise<BoardingWebhookOutcome> {
  const { merchantNumber } = event;
  // A key in the directory may be outdated, so a clinic that does not know the merchant must not hide another one.
  for (const candidate of await clinicsOfMessage(deps, { terminalId: '', merchantNumber })) {
    const merchant = await unlessErased(findMerchantByNumber(candidate.deps.db, merchantNumber));
    if (merchant) return applyBoardingEvent(candidate.deps, merchant, event);
  }
  return 'ignored';
}

async function applyBoardingEvent(
  deps: Deps,
  { accountId }: MerchantRow,
  event: BoardingEvent,
): Promise<BoardingWebhookOutcome> {
  const devices: NewTerminalRow[] = [];
  for (const { apiKey, publicKey, name } of event.terminals) {
    const facts = await deps.boarding.describeTerminal(apiKey);
    if (facts === 'unavailable') return 'unproved';
    if (facts === 'bad-credentials' || facts.merchantNumber !== event.merchantNumber) {
      deps.log.alert('boarding-key-refused', { accountId });
      return 'ignored';
    }
    const { terminalId, channel } = facts;
    const verifiedTerminal = { accountId, terminalId, name: facts.name || name, channel, publicKey, apiKey };
    devices.push(await sealTerminal(deps, verifiedTerminal));
  }
  // A merchant is boarded only once it has a terminal.
  const hasNoTerminal = event.event === 'Boarded' && event.terminals.length === 0;
  // The calls to the gateway took time, so the write checks that this is still the account's application.
  const move = hasNoTerminal ? null : (MOVE_OF_EVENT[event.event] ?? null);
  const log = { accountId, messageHash: await deps.sha256(event.raw), event: event.event, at: deps.now() };
  const provider = { ...deps, actor: { ...deps.actor, kind: 'provider' as const } };
  const auditEntry = auditEvent(provider, {
    accountId,
    action: 'merchant.moved',
    subject: ['merchant', String(accountId)],
    after: { told: event.event, to: move?.to, terminals: devices.map(({ terminalId }) => terminalId).join(' ') },
  });
  const result = await recordBoardingEvent(
    deps.db,
    event.merchantNumber,
    { log, statusChange: move, newTerminals: devices },
    auditEntry,
  );
  if (result === 'not-theirs') return 'ignored';
  if (devices.length > 0) await reportKeys(deps);
  if (result === 'new') deps.log.info('boarding-event', { accountId, told: event.event });
  return 'heard';
}
