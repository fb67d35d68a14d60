import { openDb } from '#worker/data/db';
import { createDeps, type Deps, type Env } from '#worker/deps';
import { HEARTBEAT_MS } from '#worker/domain/clinics/heartbeat';
import { runSchedule } from '#worker/domain/run-schedule';
import { ofClinic } from './capability-keys.ts';

let known: { env: Env; deps: Deps } | undefined;

/** One set for each isolate: an alert that could not be written down waits there for the next turn. */
function depsOf(env: Env): Deps {
  if (known?.env !== env) known = { env, deps: createDeps(env) };
  return known.deps;
}

/**
 * What a clinic's clock does when it rings: everything of this clinic that is due. `db` is the clinic's own database,
 * at hand without a trip. Answers when to ring again at the latest (UTC ms), where that is not in the database.
 */
export async function ring(env: Env, clinic: number, db: D1Database): Promise<number> {
  const deps = { ...ofClinic(depsOf(env), clinic), db: openDb(db) };
  return Math.min(await runSchedule(deps), deps.now() + HEARTBEAT_MS);
}
