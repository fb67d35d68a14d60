import { createApp } from './app.ts';
import { createDeps, type Deps, type Env } from './deps.ts';
import { runSchedule } from './domain/run-schedule.ts';

let known: { env: Env; deps: Deps } | undefined;

/** One set of vendors per isolate: the settings do not change during its life. */
const depsOf = (env: Env): Deps => {
  if (known?.env !== env) known = { env, deps: createDeps(env) };
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
