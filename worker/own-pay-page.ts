import type { Deps, Env, PayPageParts } from './deps.ts';
import { everyRequest } from './http/middleware/every-request.ts';
import { newApp } from './http/serve-routes.ts';
import { emptyPayPage } from './routes/pay-page/pay-page.ts';
import { readBrowserScript } from './vendors/browser-script.ts';

const TIMEOUT_MS = 10_000;

/** This Worker's own pay page, asked for without the network and without a line in the log. */
export function ownPayPage(env: Env, deps: Deps): PayPageParts {
  const app = newApp();
  const silent: Deps = { ...deps, log: { ...deps.log, info: () => undefined } };
  app.use(everyRequest(() => silent));
  app.get('*', (c) => emptyPayPage(c, silent));
  const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
  const at = (path: string) => new URL(path, deps.settings.APP_URL).href;
  return {
    page: async () => app.request(at('/make/payment/none'), {}, env, context),
    file: (path) => env.ASSETS.fetch(at(path)),
    providerScript: () => readBrowserScript(deps.gateway.browser.scriptUrl, TIMEOUT_MS),
  };
}
