/** The active mutant of this runtime. The state is global, since each test file may evaluate this module again. */
type Switch = { on: number; reached: Set<number>; renewals: (() => void)[] };

const shared = globalThis as { mutantSwitch?: Switch };
shared.mutantSwitch ??= { on: 0, reached: new Set(), renewals: [] };
const state = shared.mutantSwitch;

/** Called by the product wherever a mutant is compiled in. */
export function isOn(id: number): boolean {
  state.reached.add(id);
  return state.on === id;
}

/** Registers a function that recomputes module-level values at each switch. */
export function onSwitch(renew: () => void): void {
  state.renewals.push(renew);
}

/** Turns one mutant on and all others off; 0 runs the product unchanged. */
export function turnOn(id: number): void {
  state.on = id;
  for (const renew of state.renewals) renew();
  state.reached.clear();
}

export const reached = (): number[] => [...state.reached];
