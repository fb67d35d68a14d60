import type { World } from '../world/world.ts';
import { kindOf } from './pairs.ts';
import { count, nothingReached } from './reached.ts';
import type { MoveRow } from './scene.ts';

/**
 * A pair is reached when a fault is met while an attempt of the account stands in the state. A fault of the gateway is
 * met when its call arrives there; one that was chosen for a call that never came was not. All attempts count, not only
 * the one that the call is about: they share the terminals, the schedule, the database and the mailbox.
 */
export function createCoverage(world: World) {
  const reached = nothingReached();
  const states = new Map<string, string>();
  let seen = 0;
  let seenAtGateway = 0;
  function meet(fault: string) {
    count(reached.faults, fault);
    const standing = states.size === 0 ? ['none'] : new Set(states.values());
    for (const state of standing) count(reached.pairs, `${state} x ${kindOf(fault)}`);
  }
  return {
    reached: () => reached,
    moved({ what, id, was, became }: MoveRow) {
      if (what === 'payment_attempts') {
        states.set(id, became);
        count(reached.states, became);
      }
      if (what === 'payment_attempts' || what === 'reversals')
        count(reached.moves, `${what === 'reversals' ? 'reversal: ' : ''}${was || '-'} > ${became}`);
    },
    step() {
      const { met } = world.story;
      for (; seen < met.length; seen++) {
        const fault = met[seen]?.fault ?? '';
        if (!fault.startsWith('gateway ')) meet(fault);
      }
      const atGateway = world.gateway.faults.met;
      for (; seenAtGateway < atGateway.length; seenAtGateway++) meet(`gateway ${atGateway[seenAtGateway]?.fault}`);
    },
  };
}
