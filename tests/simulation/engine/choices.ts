import { type Random, randomFrom } from '#tests/support/seeded-random';

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** An answer other than the calm one. A run is replayed from its decisions alone: the fewer, the shorter the story. */
export type Decision = { key: string; value: Json };

/**
 * The source of all choices of a run. Each question has its own key and is drawn by seed and key, so an answer does not
 * depend on earlier draws: a run without one decision keeps all the others.
 */
export type Choices = {
  /** The theme requested by name; null: the seed draws one, or none. */
  theme: string | null;
  /** `calm` is the answer if nothing happens. `draw` is not called when recorded decisions are replayed. */
  choose<T extends Json>(key: string, calm: T, draw: (random: Random) => T): T;
  /** A vendor model's own random number by seed and key, from 0 to below 1. It does not count as a decision. */
  noise(key: string): number;
  /** All answers so far other than the calm ones. */
  decisions(): Decision[];
};

/** Draws every answer by the seed. */
export function choicesOf(seed: number, theme: string | null = null): Choices {
  const decisions: Decision[] = [];
  return {
    theme,
    choose(key, calm, draw) {
      const value = draw(randomFrom(hash(seed, key)));
      if (value !== calm) decisions.push({ key, value });
      return value;
    },
    noise: (key) => randomFrom(hash(seed, key)).next(),
    decisions: () => decisions,
  };
}

/** Repeats recorded decisions; every other question gets its calm answer. */
export function choicesFrom(seed: number, decisions: Decision[], theme: string | null = null): Choices {
  const recorded = new Map(decisions.map(({ key, value }) => [key, value]));
  const usedDecisions: Decision[] = [];
  return {
    theme,
    choose<T extends Json>(key: string, calm: T): T {
      const value = recorded.get(key);
      if (value === undefined) return calm;
      usedDecisions.push({ key, value });
      return value as T;
    },
    noise: (key) => randomFrom(hash(seed, key)).next(),
    decisions: () => usedDecisions,
  };
}

/** FNV-1a over the key, starting from the seed, with a final bit mix. */
function hash(seed: number, key: string): number {
  let mixed = (seed ^ 0x811c9dc5) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  for (let index = 0; index < key.length; index++) mixed = Math.imul(mixed ^ key.charCodeAt(index), 0x01000193);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}
