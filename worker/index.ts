import { createApp, ownPayPage } from './app.ts';
import { createDeps, type Deps, type Env } from './deps.ts';
import { isDevServer } from './http/reply/page-template.ts';

let known: { env: Env; deps: Deps } | undefined;

/** One set of vendors per isolate: the settings do not change during its life. */
const depsOf = (env: Env): Deps => {
  if (known?.env !== env) {
    const deps = createDeps(env);
    // Pages of the dev server are not the ones that are deployed.
    if (!isDevServer()) deps.payPage = async () => ownPayPage(env, deps);
    known = { env, deps };
  }
  return known.deps;
};

const app = createApp(depsOf);

/** Loaded by the clock: no request needs the steps. */
const schedule = async (env: Env) => (await import('./domain/run-schedule.ts')).runSchedule(depsOf(env));

export { Clinic } from './clinic/clinic.ts';

export default {
  fetch: app.fetch,
  scheduled: (_event, env, context) => {
    context.waitUntil(schedule(env));
  },
} satisfies ExportedHandler<Env>;
