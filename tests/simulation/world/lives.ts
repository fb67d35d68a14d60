import type { Deps, Env } from '#worker/deps';
import { perLife } from '../engine/each-life.ts';
import type { Engine, Isolate } from '../engine/engine.ts';
import type { Product } from '../product/load.ts';
import { type ClinicObject, newerMigrations } from './clinic-object.ts';

type Parts = { engine: Engine; product: Product; clinic: ClinicObject; env: Env };

/** State of the Workers that lives as long as their isolate: their deps and module memory. */
export function livesOf({ engine, product, clinic, env }: Parts) {
  const newerIsolates = new Set<Isolate>();
  const deps = perLife((isolate): Deps => {
    const workerDeps = product.createDeps(env);
    // Staff are identified here by their session row; there are no access tokens.
    workerDeps.accessTokens = { issue: async () => '', read: async () => null };
    if (!newerIsolates.has(isolate)) return workerDeps;
    const remoteDatabase = product.remoteD1(() => clinic.calls, newerMigrations(product));
    return { ...workerDeps, clinics: { ...workerDeps.clinics, db: () => product.openDb(remoteDatabase) } };
  });
  const memories = perLife(() => new Map<string, unknown>());

  return {
    depsOf: deps.get,
    /** Switches this Worker to a version of the code with one more migration. */
    deploy(isolate: Isolate) {
      newerIsolates.add(isolate);
      deps.forget(isolate);
    },
    /** Module state of the current isolate, which lasts between requests. */
    memory(): Map<string, unknown> {
      const isolate = engine.task()?.isolate;
      if (!isolate) throw new Error('module memory was used outside of every task');
      return memories.get(isolate);
    },
  };
}
