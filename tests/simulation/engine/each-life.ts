import type { Isolate } from './engine.ts';

/** Caches a value per life of an isolate: each new life creates its own. */
export function perLife<T>(make: (isolate: Isolate) => T) {
  const cache = new Map<Isolate, { life: number; value: T }>();
  return {
    get(isolate: Isolate): T {
      const entry = cache.get(isolate);
      if (entry?.life === isolate.life) return entry.value;
      const value = make(isolate);
      cache.set(isolate, { life: isolate.life, value });
      return value;
    },
    forget: (isolate: Isolate) => cache.delete(isolate),
  };
}
