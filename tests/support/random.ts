import { inject } from 'vitest';
import { randomFrom } from './seeded-random.ts';

export { type Random, randomFrom } from './seeded-random.ts';

/** The seed of this run (SEED=… repeats it) and the length of random tests (SIZE=full). */
export const drawLots = () => {
  const { seed, isFull } = inject('chance');
  console.log(`seed ${seed}`);
  return { seed, isFull, random: randomFrom(seed) };
};
