import { expect, it } from 'vitest';
import type { Decision } from './engine/choices.ts';
import { runSeed } from './run.ts';
import { createSimulator, type Simulator } from './simulator.ts';

let made: Promise<Simulator> | undefined;

/** A story that once broke a rule, told by its decisions alone; the product must hold in it. */
export function holds(story: string, seed: number, decisions: Decision[]): void {
  it(`${story} (seed ${seed})`, async () => {
    made ??= createSimulator();
    const outcome = await runSeed(await made, seed, { decisions });
    expect(outcome.violations).toEqual([]);
  });
}
