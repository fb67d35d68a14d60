import type { World } from '../world/world.ts';
import { kindOf } from './pairs.ts';
import { count, emptyCoverage } from './reached.ts';
import type { MoveRow } from './scene.ts';

/**
 * A pair is reached when a fault occurs while an attempt of the account is in the state. A gateway fault occurs when
 * its call arrives there, not when it is chosen for a call that is never made. All attempts count, not only that of the
 * call, since they share the terminals, the schedule, the database and the mailbox.
 */
export function createCoverage(world: World) {
  const reached = emptyCoverage();
  const states = new Map<string, string>();
  let faultCount = 0;
  let gatewayFaultCount = 0;
  function countFault(fault: string) {
    count(reached.faults, fault);
    const currentStates = states.size === 0 ? ['none'] : new Set(states.values());
    for (const state of currentStates) count(reached.pairs, `${state} x ${kindOf(fault)}`);
  }
  return {
    reached: () => reached,
    addMove({ what, id, was, became }: MoveRow) {
      if (what === 'payment_attempts') {
        states.set(id, became);
        count(reached.states, became);
      }
      if (what === 'payment_attempts' || what === 'reversals')
        count(reached.moves, `${what === 'reversals' ? 'reversal: ' : ''}${was || '-'} > ${became}`);
    },
    step() {
      const { faults } = world.story;
      for (; faultCount < faults.length; faultCount++) {
        const fault = faults[faultCount]?.fault ?? '';
        if (!fault.startsWith('createGateway ')) countFault(fault);
      }
      const { history } = world.gateway.faults;
      for (; gatewayFaultCount < history.length; gatewayFaultCount++)
        countFault(`gateway ${history[gatewayFaultCount]?.fault}`);
    },
  };
}
