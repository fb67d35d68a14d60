import type { Isolate } from './engine.ts';

/** Something that each life of an isolate makes anew, and forgets with its end. */
export function ofEachLife<T>(make: (isolate: Isolate) => T) {
  const known = new Map<Isolate, { life: number; made: T }>();
  return {
    of(isolate: Isolate): T {
      const kept = known.get(isolate);
      if (kept?.life === isolate.life) return kept.made;
      const made = make(isolate);
      known.set(isolate, { life: isolate.life, made });
      return made;
    },
    forget: (isolate: Isolate) => known.delete(isolate),
  };
}
