/** Which mutant is on, in this runtime. One state: a module may be evaluated again for each test file. */
type Switch = { on: number; reached: Set<number>; renewals: (() => void)[] };

const shared = globalThis as { mutantSwitch?: Switch };
shared.mutantSwitch ??= { on: 0, reached: new Set(), renewals: [] };
const state = shared.mutantSwitch;

/** Asked by the product where a mutant is compiled in. */
export function isOn(id: number): boolean {
  state.reached.add(id);
  return state.on === id;
}

/** For values that a module makes when it is evaluated. */
export function onSwitch(renew: () => void): void {
  state.renewals.push(renew);
}

/** Turns one mutant on and all others off; 0 is the product as it is. */
export function turnOn(id: number): void {
  state.on = id;
  for (const renew of state.renewals) renew();
  state.reached.clear();
}

export const reached = (): number[] => [...state.reached];
