import type { DeskPeople } from '#shared/contracts/staff/proof';
import { countPinAttempt, findPin, listPinHolders } from '#worker/data/merchants/proofs';
import type { Member } from '#worker/data/merchants/team';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { busyRefusal, type TooManyTries } from '#worker/domain/content/accounts/rate-limit';
import {
  endSession,
  type LoggedInMerchant,
  type Merchant,
  type OpenSession,
  openSession,
} from '#worker/domain/merchants/session';
import { nameOf } from '#worker/domain/merchants/team';

const MAX_WRONG = 5;
/** How long a PIN is locked after five wrong tries (ms); doubled after each further five. */
const LOCK_MS = 15 * 60_000;

export type PinOutcome =
  | { kind: 'right' }
  /** `triesLeft`: tries until the PIN is locked. Also 0 if the person has no PIN, so that this is not revealed. */
  | { kind: 'wrong'; triesLeft: number }
  | TooManyTries;

/**
 * Checks a person's PIN. Five wrong tries lock it for 15 minutes, and each further five lock it for twice as long. This
 * allows fewer than a hundred tries a year for a million possible PINs. The correct PIN resets the count.
 */
export async function checkPin(deps: Deps, member: Member, pin: string): Promise<PinOutcome> {
  const { db, now, pins } = deps;
  const row = await findPin(db, member);
  if (!row) return { kind: 'wrong', triesLeft: 0 };
  if (row.lockedUntil > now()) return lockedRefusal(deps, row.lockedUntil);
  const hash = await pins.hash(pin, row.hash);
  if (hash === 'busy') return busyRefusal;
  const isRight = pins.isSame(hash, row.hash);
  const subject: [string, string] = ['staff', String(member.userId)];
  const event = auditEvent(deps, { accountId: member.accountId, action: 'pin.locked', subject });
  const limits = { maxWrong: MAX_WRONG, lockMs: LOCK_MS, now: now() };
  const updatedRow = await countPinAttempt(db, row, isRight, limits, event);
  // A concurrent try locked it, or the PIN was changed.
  if (!updatedRow) return lockedRefusal(deps, (await findPin(db, member))?.lockedUntil ?? 0);
  if (isRight) return { kind: 'right' };
  deps.log.info('pin-wrong', { accountId: member.accountId, userId: member.userId, wrongTries: updatedRow.wrongTries });
  return { kind: 'wrong', triesLeft: (MAX_WRONG - (updatedRow.wrongTries % MAX_WRONG)) % MAX_WRONG };
}

const lockedRefusal = ({ now }: Deps, lockedUntil: number): TooManyTries => ({
  kind: 'too-many',
  retryAfterS: Math.max(1, Math.ceil((lockedUntil - now()) / 1000)),
});

/** The people who can take over at a desk: team members with a PIN. */
export async function viewDeskPeople({ db }: Deps, caller: Merchant): Promise<DeskPeople> {
  const holders = await listPinHolders(db, caller.accountId);
  return {
    people: holders.map((holder) => ({
      id: holder.userId,
      name: nameOf(holder),
      is_you: holder.userId === caller.userId,
    })),
  };
}

export type SwitchOutcome =
  | { kind: 'switched'; session: OpenSession }
  | { kind: 'wrong'; triesLeft: number }
  | TooManyTries;

/**
 * Switches this desk to another person of the team: their session begins and the current one ends. It lasts no longer
 * than the current one would have, so that PINs alone cannot keep a desk open.
 */
export async function switchPerson(
  deps: Deps,
  caller: LoggedInMerchant,
  { userId, pin }: { userId: number; pin: string },
  label: string,
): Promise<SwitchOutcome> {
  const member = { accountId: caller.accountId, userId };
  const outcome = await checkPin(deps, member, pin);
  if (outcome.kind !== 'right') return outcome;
  const session = await openSession(deps, member, { beganBy: 'pin', label, endsBy: caller.endsAt });
  if (!session) return { kind: 'wrong', triesLeft: 0 };
  await endSession(deps, caller);
  deps.log.info('user-switched', { accountId: caller.accountId, from: caller.userId, to: userId });
  return { kind: 'switched', session };
}
