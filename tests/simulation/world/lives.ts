import type { Deps, Env } from '#worker/deps';
import { ofEachLife } from '../engine/each-life.ts';
import type { Engine, Isolate } from '../engine/engine.ts';
import type { Product } from '../product/load.ts';
import { type ClinicObject, newerMigrations } from './clinic-object.ts';

type Parts = { engine: Engine; product: Product; clinic: ClinicObject; env: Env };

/** State of the Workers that lasts as long as their isolate: their deps and their modules' memory. */
export function livesOf({ engine, product, clinic, env }: Parts) {
  const newer = new Set<Isolate>();
  const deps = ofEachLife((isolate): Deps => {
    const made = product.createDeps(env);
    // Staff are identified here by their session row; there are no access tokens.
    made.accessTokens = { issue: async () => '', read: async () => null };
    if (!newer.has(isolate)) return made;
    const far = product.remoteD1(() => clinic.calls, newerMigrations(product));
    return { ...made, clinics: { ...made.clinics, db: () => product.openDb(far) } };
  });
  const memories = ofEachLife(() => new Map<string, unknown>());

  return {
    depsOf: deps.of,
    /** Switches this Worker to a version of the code with one more migration. */
    deploy(isolate: Isolate) {
      newer.add(isolate);
      deps.forget(isolate);
    },
    /** Module state of the current isolate, kept between requests. */
    memory(): Map<string, unknown> {
      const isolate = engine.task()?.isolate;
      if (!isolate) throw new Error('memory is kept outside of every task');
      return memories.of(isolate);
    },
  };
}
