import type { World } from '../world/world.ts';
import { kindOf } from './pairs.ts';
import { count, nothingReached } from './reached.ts';
import type { MoveRow } from './scene.ts';

/** A fault is reached together with every state in which an attempt stands at that moment. */
export function createCoverage(world: World) {
  const reached = nothingReached();
  const states = new Map<string, string>();
  let seen = 0;
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
        count(reached.faults, fault);
        const standing = states.size === 0 ? ['none'] : new Set(states.values());
        for (const state of standing) count(reached.pairs, `${state} x ${kindOf(fault)}`);
      }
    },
  };
}
