import type { DeskPeople } from '#shared/contracts/proof';
import { listPinHolders } from '#worker/data/merchants/pins';
import type { Deps } from '#worker/deps';
import type { Refused } from '#worker/domain/content/accounts/rate-limit';
import {
  endSession,
  type LoggedIn,
  type Merchant,
  type OpenSession,
  openSession,
} from '#worker/domain/merchants/session';
import { nameOf } from '#worker/domain/merchants/team';
import { tryPin } from './pin.ts';

/** Who can take over at a desk: people of the team with a PIN. */
export async function viewDeskPeople({ db }: Deps, you: Merchant): Promise<DeskPeople> {
  const holders = await listPinHolders(db, you.accountId);
  return {
    people: holders.map((one) => ({ id: one.userId, name: nameOf(one), is_you: one.userId === you.userId })),
  };
}

export type SwitchOutcome = { kind: 'switched'; session: OpenSession } | { kind: 'wrong'; triesLeft: number } | Refused;

/**
 * Let another person of the team take over at this desk: their session begins and the other one's ends. It lasts no
 * longer than that one would have, so that a desk does not stay open by PINs alone.
 */
export async function switchPerson(
  deps: Deps,
  you: LoggedIn,
  { userId, pin }: { userId: number; pin: string },
  label: string,
): Promise<SwitchOutcome> {
  const person = { accountId: you.accountId, userId };
  const outcome = await tryPin(deps, person, pin);
  if (outcome.kind !== 'right') return outcome;
  const session = await openSession(deps, person, { beganBy: 'pin', label, endsBy: you.endsAt });
  if (!session) return { kind: 'wrong', triesLeft: 0 };
  await endSession(deps, you);
  deps.log.info('person-switched', { accountId: you.accountId, from: you.userId, to: userId });
  return { kind: 'switched', session };
}
