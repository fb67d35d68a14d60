import { domainAssociationPath, takePaymentApi } from '#shared/paths';
import { GOOGLE_PAY_SCRIPT } from '#shared/wallet-origins';
import { START_BODY_LIMIT, startRouteGroups } from './areas/start.ts';
import type { Deps, Env, PayPageParts } from './deps.ts';
import { requestDeps } from './http/actor-deps.ts';
import { requireSameOrigin } from './http/guards/host-and-origin.ts';
import { everyRequest } from './http/middleware/every-request.ts';
import { apiError, onError } from './http/reply/errors.ts';
import { refuse as refusePayment } from './http/reply/payment-refusals.ts';
import type { C } from './http/routes.ts';
import { type App, newApp, serveRoutes } from './http/serve-routes.ts';
import { appNotFound } from './routes/merchants/app-pages.ts';
import { sendEmptyPayPage } from './routes/pay-page/pay-page.ts';
import { readBrowserScript } from './vendors/browser-script.ts';

const refuseClose: typeof apiError = (c, status, code) =>
  apiError(c, status, code, 'Please use the page to close a batch.');

type DepsOf = (env: Env) => Deps;
type LoadArea = (depsOf: DepsOf) => Promise<App>;

/** Areas are loaded on their first request, so that payers never wait for them. */
const loadContentArea: LoadArea = async (depsOf) => (await import('./areas/content.ts')).createContentArea(depsOf);
const loadOperatorArea: LoadArea = async (depsOf) => (await import('./areas/operator.ts')).createOperatorArea(depsOf);
const loadOperateArea: LoadArea = async (depsOf) => (await import('./areas/operate.ts')).createOperateArea(depsOf);
const loadMerchantArea: LoadArea = async (depsOf) => (await import('./areas/merchant.ts')).createMerchantArea(depsOf);

/** Path prefixes. One area serves each of them entirely, including the 404 responses. */
const areaPaths: [path: string, load: LoadArea][] = [
  ...['/blog/*', '/pages/*', '/media/*', '/preview/*', '/cms', '/cms/*'].map((path): [string, LoadArea] => [
    path,
    loadContentArea,
  ]),
  ...['cms', 'auth', 'public', 'internal'].map((name): [string, LoadArea] => [`/api/${name}/*`, loadContentArea]),
  ...['/operator', '/operator/*', '/api/operator/*'].map((path): [string, LoadArea] => [path, loadOperatorArea]),
  ['/api/operate/*', loadOperateArea],
  ['/join/:secret', loadMerchantArea],
  ['/mail/stop/:token', loadMerchantArea],
  [domainAssociationPath, loadMerchantArea],
];

/** A staff route, which the payer's route would otherwise match as a pay id. */
const OPEN_INVOICES_PATH = '/api/invoices/getOpenInvoices';

/** Creates the app with all routes of the product. `depsOf` is called once per request. */
export function createApp(depsOf: DepsOf): App {
  const app = newApp();
  app.onError(onError);
  app.use(everyRequest(depsOf));
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], '/api/*', (c, next) => {
    // The browser's CSP report and the provider's webhooks come from other origins and carry no session.
    if (c.req.path === '/api/csp-report' || c.req.path.startsWith('/api/webhooks/')) return next();
    const isPayment = c.req.path.startsWith(takePaymentApi(''));
    const refuse = isPayment ? refusePayment : c.req.path.endsWith('/batches/close') ? refuseClose : apiError;
    return requireSameOrigin(refuse)(c, next);
  });

  const loadedAreas = new Map<LoadArea, App>();
  const forwardTo = (load: LoadArea) => async (c: C) => {
    const area = loadedAreas.get(load) ?? (await load(depsOf));
    loadedAreas.set(load, area);
    return area.fetch(c.req.raw, c.env, c.executionCtx);
  };
  for (const [path, load] of areaPaths) app.all(path, forwardTo(load));

  const forwardToMerchant = forwardTo(loadMerchantArea);
  app.all(OPEN_INVOICES_PATH, forwardToMerchant);
  // Requests with a bearer token are from staff and use the CRM's invoice id; requests without one are from payers and
  // use the pay id.
  app.get('/api/invoices/:id', (c, next) =>
    c.req.header('authorization') === undefined ? next() : forwardToMerchant(c),
  );
  serveRoutes(app, startRouteGroups, { depsOf: requestDeps(depsOf), guards: [], bodyLimit: START_BODY_LIMIT });
  app.all('/api/*', forwardToMerchant);
  app.notFound(appNotFound(requestDeps(depsOf)));
  return app;
}

const TIMEOUT_MS = 10_000;

/** Reads this Worker's own pay page without a network request or a log line. */
export function ownPayPageParts(env: Env, deps: Deps): PayPageParts {
  const app = newApp();
  const silentDeps: Deps = { ...deps, log: { ...deps.log, info: () => undefined } };
  app.use(everyRequest(() => silentDeps));
  app.get('*', (c) => sendEmptyPayPage(c, silentDeps));
  const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
  const urlOf = (path: string) => new URL(path, deps.settings.APP_URL).href;
  return {
    page: async () => app.request(urlOf('/make/payment/none'), {}, env, context),
    file: (path) => env.ASSETS.fetch(urlOf(path)),
    providerScript: () => readBrowserScript(deps.gateway.browser.scriptUrl, TIMEOUT_MS),
    googleScript: () => readBrowserScript(GOOGLE_PAY_SCRIPT, TIMEOUT_MS),
  };
}
