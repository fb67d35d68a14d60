import { type Random, randomFrom } from '#tests/support/seeded-random';

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Something that did not take its calm course. A run is repeated by these alone, so fewer of them are a shorter story. */
export type Decision = { key: string; value: Json };

/**
 * Where a run takes its course from. Each question has a key of its own and is drawn by seed and key, so that an
 * answer does not depend on how many were drawn before: a run without one decision keeps all the others.
 */
export type Choices = {
  /** The theme that was asked for by its name; null: the seed draws one, or none. */
  theme: string | null;
  /** `calm` is the answer where nothing happens. `draw` is not asked when recorded decisions are replayed. */
  choose<T extends Json>(key: string, calm: T, draw: (random: Random) => T): T;
  /** Chance that a vendor's model has for itself, by seed and key; it is no decision. From 0 to below 1. */
  noise(key: string): number;
  /** All answers so far that were not calm. */
  decisions(): Decision[];
};

/** Draws every answer by the seed. */
export function choicesOf(seed: number, theme: string | null = null): Choices {
  const taken: Decision[] = [];
  return {
    theme,
    choose(key, calm, draw) {
      const value = draw(randomFrom(hash(seed, key)));
      if (value !== calm) taken.push({ key, value });
      return value;
    },
    noise: (key) => randomFrom(hash(seed, key)).next(),
    decisions: () => taken,
  };
}

/** Repeats recorded decisions; every other question gets its calm answer. */
export function choicesFrom(seed: number, decisions: Decision[], theme: string | null = null): Choices {
  const recorded = new Map(decisions.map(({ key, value }) => [key, value]));
  const taken: Decision[] = [];
  return {
    theme,
    choose<T extends Json>(key: string, calm: T): T {
      const value = recorded.get(key);
      if (value === undefined) return calm;
      taken.push({ key, value });
      return value as T;
    },
    noise: (key) => randomFrom(hash(seed, key)).next(),
    decisions: () => taken,
  };
}

/** FNV-1a over the key, begun at the seed, with its bits spread at the end. */
function hash(seed: number, key: string): number {
  let mixed = (seed ^ 0x811c9dc5) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  for (let at = 0; at < key.length; at++) mixed = Math.imul(mixed ^ key.charCodeAt(at), 0x01000193);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}
