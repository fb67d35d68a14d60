import type { Deps, Env } from '#worker/deps';
import { ofEachLife } from '../engine/each-life.ts';
import type { Engine, Isolate } from '../engine/engine.ts';
import type { Product } from '../product/load.ts';
import { type ClinicObject, newerMigrations } from './clinic-object.ts';

type Parts = { engine: Engine; product: Product; clinic: ClinicObject; env: Env };

/** What the Workers keep as long as they live: their deps, and what modules remember from one request to the next. */
export function livesOf({ engine, product, clinic, env }: Parts) {
  const newer = new Set<Isolate>();
  const deps = ofEachLife((isolate): Deps => {
    const made = product.createDeps(env);
    // Staff are known here by their session's row; no token travels.
    made.accessTokens = { issue: async () => '', read: async () => null };
    if (!newer.has(isolate)) return made;
    const far = product.remoteD1(() => clinic.calls, newerMigrations(product));
    return { ...made, clinics: { ...made.clinics, db: () => product.openDb(far) } };
  });
  const memories = ofEachLife(() => new Map<string, unknown>());

  return {
    depsOf: deps.of,
    /** From here on this Worker runs a version of the code that knows of one more migration. */
    deploy(isolate: Isolate) {
      newer.add(isolate);
      deps.forget(isolate);
    },
    /** What the code of the isolate at hand keeps between two requests. */
    memory(): Map<string, unknown> {
      const isolate = engine.task()?.isolate;
      if (!isolate) throw new Error('memory is kept outside of every task');
      return memories.of(isolate);
    },
  };
}
