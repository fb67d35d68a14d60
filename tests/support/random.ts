import { inject } from 'vitest';
import { randomFrom } from './seeded-random.ts';

export { type Random, randomFrom } from './seeded-random.ts';

/** Prints and returns the seed of this run (SEED=… repeats it) and the length of random tests (SIZE=full). */
export const startRandom = () => {
  const { seed, isFull } = inject('chance');
  console.log(`seed ${seed}`);
  return { seed, isFull, random: randomFrom(seed) };
};
