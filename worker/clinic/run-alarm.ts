import { openDb } from '#worker/data/db';
import { createDeps, type Deps, type Env } from '#worker/deps';
import { HEARTBEAT_MS } from '#worker/domain/clinics/heartbeat';
import { runSchedule } from '#worker/domain/run-schedule';
import { depsOfClinic } from './capability-keys.ts';

let cached: { env: Env; deps: Deps } | undefined;

/** Cached per isolate, because an alert that could not be stored stays there until the next turn. */
function depsOf(env: Env): Deps {
  if (cached?.env !== env) cached = { env, deps: createDeps(env) };
  return cached.deps;
}

/**
 * Does all work of a clinic that is due when its alarm fires. `db`: the clinic's own database, which is read without a
 * network round trip. Returns the latest time for the next alarm (UTC ms) if that time is not stored in the database.
 */
export async function ring(env: Env, clinic: number, db: D1Database): Promise<number> {
  const deps = { ...depsOfClinic(depsOf(env), clinic), db: openDb(db) };
  return Math.min(await runSchedule(deps), deps.now() + HEARTBEAT_MS);
}
