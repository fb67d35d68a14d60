import { createApp, ownPayPageParts } from './app.ts';
import { createDeps, type Deps, type Env } from './deps.ts';
import { isDevServer } from './http/reply/page-template.ts';

let cached: { env: Env; deps: Deps } | undefined;

/** Creates one set of dependencies per isolate, because the settings do not change during its life. */
const depsOf = (env: Env): Deps => {
  if (cached?.env !== env) {
    const deps = createDeps(env);
    // The dev server's pages are not the deployed ones.
    if (!isDevServer()) deps.payPage = async () => ownPayPageParts(env, deps);
    cached = { env, deps };
  }
  return cached.deps;
};

const app = createApp(depsOf);

/** Loaded by the cron only, because no request needs it. */
const schedule = async (env: Env) => (await import('./domain/run-schedule.ts')).runSchedule(depsOf(env));

export { Clinic } from './clinic/clinic.ts';

export default {
  fetch: app.fetch,
  scheduled: (_event, env, context) => {
    context.waitUntil(schedule(env));
  },
} satisfies ExportedHandler<Env>;
