import { createApp } from './app.ts';
import { createDeps, type Deps, type Env } from './deps.ts';
import { runSchedule } from './domain/run-schedule.ts';
import { isDevServer } from './http/reply/page-template.ts';

let known: { env: Env; deps: Deps } | undefined;

/** One set of vendors per isolate: the settings do not change during its life. */
const depsOf = (env: Env): Deps => {
  if (known?.env !== env) {
    const deps = createDeps(env);
    // Pages of the dev server are not the ones that are deployed.
    if (!isDevServer()) deps.payPage = async () => (await import('./own-pay-page.ts')).ownPayPage(env, deps);
    // One database holds all clinics, so one schedule looks after each of them.
    deps.clinics.wake = () => runSchedule(deps);
    known = { env, deps };
  }
  return known.deps;
};

const app = createApp(depsOf);

export default {
  fetch: app.fetch,
  scheduled: (_event, env, context) => {
    context.waitUntil(runSchedule(depsOf(env)));
    // Payments never wait for the CRM sync.
    context.waitUntil(import('./domain/crm-sync/run-all.ts').then(({ syncAccounts }) => syncAccounts(depsOf(env))));
  },
} satisfies ExportedHandler<Env>;
