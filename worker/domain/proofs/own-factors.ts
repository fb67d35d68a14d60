import type { MadePasskey } from '#shared/contracts/person-request';
import type { OwnFactors, OwnPasskey } from '#shared/contracts/staff/proof';
import { PROOF_MS, type StepUpWay } from '#shared/contracts/staff/proof';
import { deleteStaffPasskey, insertStaffPasskey, listStaffPasskeys } from '#worker/data/merchants/passkeys';
import { deleteFactors, deletePin, findFactors, savePin } from '#worker/data/merchants/proofs';
import { findMember, type Member } from '#worker/data/merchants/team';
import type { StaffPasskeyRow } from '#worker/data/schema/proofs';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { type ChallengeRequest, passkeysOf } from '#worker/domain/challenges/passkeys';
import { busyRefusal, type TooManyTries } from '#worker/domain/content/accounts/rate-limit';
import type { LoggedInMerchant, Merchant } from '#worker/domain/merchants/session';
import { nameOf } from '#worker/domain/merchants/team';
import { redeemFactorCode } from './mailed-code.ts';
import { hasFactor, isProved, isProvedByFactor, stepUpWaysOf } from './proof.ts';
import { credentialOf, newStaffChallenge, purposeOf, redeemStaffChallenge } from './staff-passkey.ts';

const iso = (at: number) => new Date(at).toISOString();

const presentPasskey = ({ id, label, createdAt, usedAt }: StaffPasskeyRow): OwnPasskey => ({
  id,
  label,
  created_at: iso(createdAt),
  used_at: usedAt === null ? null : iso(usedAt),
});

/** A person's own passkeys and PIN. */
export async function viewOwnFactors(deps: Deps, caller: LoggedInMerchant): Promise<OwnFactors> {
  const [factors, passkeys] = await Promise.all([findFactors(deps.db, caller), listStaffPasskeys(deps.db, caller)]);
  return {
    passkeys: passkeys.map(presentPasskey),
    has_pin: factors.hasPin,
    change_takes: hasFactor(factors) ? 'proof' : 'code',
    proved_until: isProved(deps, caller) ? iso((caller.provedAt ?? 0) + PROOF_MS) : null,
  };
}

/** The person must first prove their identity in one of these ways. */
type StepUpNeeded = { kind: 'step-up-needed'; ways: StepUpWay[] };
export type ChangeRefusal =
  | StepUpNeeded
  /** The mailed code is missing, wrong, expired or used. */
  | { kind: 'wrong-code' };

/**
 * `first`: the person has no passkey or PIN yet and needs a mailed code. `further`: they may change their existing
 * ones.
 */
async function checkChangePermission(
  deps: Deps,
  caller: LoggedInMerchant,
): Promise<{ kind: 'first' } | { kind: 'further' } | StepUpNeeded> {
  const factors = await findFactors(deps.db, caller);
  if (!hasFactor(factors)) return { kind: 'first' };
  return isProvedByFactor(deps, caller)
    ? { kind: 'further' }
    : { kind: 'step-up-needed', ways: stepUpWaysOf(factors, true) };
}

/** The mailed code for a first factor is checked last, because the check uses it up. */
type CodeProof = { code: string | undefined; refreshToken: string };
const isCodeAccepted = async (
  deps: Deps,
  caller: LoggedInMerchant,
  isFirst: boolean,
  { code, refreshToken }: CodeProof,
) => !isFirst || (code !== undefined && (await redeemFactorCode(deps, caller, refreshToken, code)));

const changeMail = (deps: Deps, change: string) => ({
  id: `factor-changed-${deps.newId()}`,
  kind: 'factor-changed' as const,
  details: { what: change },
});
type Action = 'passkey.added' | 'passkey.removed' | 'pin.set' | 'pin.removed' | 'factors.removed';
const changeEvent = (deps: Deps, action: Action, { accountId, userId }: Member) =>
  auditEvent(deps, { accountId, action, subject: ['staff', String(userId)] });

/** Requests a new passkey from a logged-in person's browser. All passkeys of a person share one handle. */
export async function requestOwnPasskey(
  deps: Deps,
  caller: LoggedInMerchant,
): Promise<({ kind: 'asked' } & ChallengeRequest) | ChangeRefusal | { kind: 'wrong' }> {
  const [permission, member, passkeys] = await Promise.all([
    checkChangePermission(deps, caller),
    findMember(deps.db, caller),
    listStaffPasskeys(deps.db, caller),
  ]);
  if (permission.kind === 'step-up-needed') return permission;
  if (!member) return { kind: 'wrong' };
  const handle = passkeys[0]?.handle ?? deps.newCapability();
  const { challenge, challengeToken } = await newStaffChallenge(deps, `${purposeOf('new-passkey', caller)} ${handle}`);
  const options = await passkeysOf(deps).enrolment(
    challenge,
    { id: handle, name: nameOf(member) },
    passkeys.map(credentialOf),
  );
  return { kind: 'asked', options, challengeToken };
}

export type NewPasskeyOutcome =
  | { kind: 'added'; passkey: OwnPasskey; mailId: string }
  /** The browser's answer does not match our challenge, or the passkey is already known. */
  | { kind: 'wrong' }
  | ChangeRefusal;

/**
 * Adds a passkey. The first one requires a mailed code, each further one a passkey or PIN proof within the last 15
 * minutes.
 */
export async function addOwnPasskey(
  deps: Deps,
  caller: LoggedInMerchant,
  { label, response, challengeToken }: { label: string; response: MadePasskey; challengeToken: string | undefined },
  proof: CodeProof,
): Promise<NewPasskeyOutcome> {
  const permission = await checkChangePermission(deps, caller);
  if (permission.kind === 'step-up-needed') return permission;
  const isFirst = permission.kind === 'first';
  const claims = challengeToken ? await deps.signed.staffChallenge.read(challengeToken, deps.now()) : null;
  const handle = claims?.subject.split(' ').at(-1) ?? '';
  const redeemedChallenge = await redeemStaffChallenge(
    deps,
    challengeToken,
    `${purposeOf('new-passkey', caller)} ${handle}`,
  );
  const passkey = redeemedChallenge && (await passkeysOf(deps).readEnrolment(response, redeemedChallenge.challenge));
  if (!passkey) return { kind: 'wrong' };
  if (!(await isCodeAccepted(deps, caller, isFirst, proof))) return { kind: 'wrong-code' };
  const { accountId, userId, sessionId } = caller;
  const row: StaffPasskeyRow = {
    id: passkey.id,
    accountId,
    userId,
    handle,
    publicKey: passkey.publicKey,
    counter: passkey.counter,
    transports: JSON.stringify(passkey.transports),
    label,
    createdAt: deps.now(),
    usedAt: null,
  };
  const mail = changeMail(deps, 'passkey-added');
  const event = changeEvent(deps, 'passkey.added', caller);
  if (!(await insertStaffPasskey(deps.db, row, { sessionId, isFirst }, mail, event))) return { kind: 'wrong' };
  deps.log.info('passkey-added', { accountId, userId });
  return { kind: 'added', passkey: presentPasskey(row), mailId: mail.id };
}

export type ChangeOutcome = { kind: 'done'; mailId: string } | { kind: 'not-found' } | ChangeRefusal;

/** Removes one of a person's own passkeys. */
export async function removeOwnPasskey(deps: Deps, caller: LoggedInMerchant, id: string): Promise<ChangeOutcome> {
  const permission = await checkChangePermission(deps, caller);
  if (permission.kind === 'first') return { kind: 'not-found' };
  if (permission.kind !== 'further') return permission;
  const mail = changeMail(deps, 'passkey-removed');
  const event = changeEvent(deps, 'passkey.removed', caller);
  const isRemoved = await deleteStaffPasskey(deps.db, caller, id, mail, deps.now(), event);
  return isRemoved ? { kind: 'done', mailId: mail.id } : { kind: 'not-found' };
}

/** Sets or replaces a person's own PIN and unlocks it if it was locked. */
export async function setOwnPin(
  deps: Deps,
  caller: LoggedInMerchant,
  pin: string,
  proof: CodeProof,
): Promise<ChangeOutcome | TooManyTries> {
  const permission = await checkChangePermission(deps, caller);
  if (permission.kind === 'step-up-needed') return permission;
  const isFirst = permission.kind === 'first';
  const hash = await deps.pins.hash(pin);
  if (hash === 'busy') return busyRefusal;
  if (!(await isCodeAccepted(deps, caller, isFirst, proof))) return { kind: 'wrong-code' };
  const { accountId, userId, sessionId } = caller;
  const row = { accountId, userId, hash, wrongTries: 0, lockedUntil: 0, setAt: deps.now() };
  const mail = changeMail(deps, 'pin-set');
  const event = changeEvent(deps, 'pin.set', caller);
  if (!(await savePin(deps.db, row, { sessionId, isFirst }, mail, event))) return { kind: 'wrong-code' };
  deps.log.info('pin-set', { accountId, userId });
  return { kind: 'done', mailId: mail.id };
}

export async function removeOwnPin(deps: Deps, caller: LoggedInMerchant): Promise<ChangeOutcome> {
  const permission = await checkChangePermission(deps, caller);
  if (permission.kind === 'first') return { kind: 'not-found' };
  if (permission.kind !== 'further') return permission;
  const mail = changeMail(deps, 'pin-removed');
  const isRemoved = await deletePin(deps.db, caller, mail, deps.now(), changeEvent(deps, 'pin.removed', caller));
  return isRemoved ? { kind: 'done', mailId: mail.id } : { kind: 'not-found' };
}

/**
 * Removes the passkeys and PIN of a member who lost them; the member then sets a first one with a mailed code. Null if
 * the member has none, or the caller is no longer an administrator.
 */
export async function removeFactors(deps: Deps, caller: Merchant, userId: number): Promise<{ mailId: string } | null> {
  const member = { accountId: caller.accountId, userId };
  const mail = changeMail(deps, 'all-removed');
  const event = changeEvent(deps, 'factors.removed', member);
  return (await deleteFactors(deps.db, caller, member, mail, deps.now(), event)) ? { mailId: mail.id } : null;
}
