import type { Context } from 'hono';
import { takePaymentApi } from '#shared/paths';
import type { Deps, Env } from './deps.ts';
import { requestDeps } from './http/acting.ts';
import { sameOrigin } from './http/guards/known-host.ts';
import { everyRequest } from './http/middleware/every-request.ts';
import { apiError, onError } from './http/reply/errors.ts';
import { refuse as refusePayment } from './http/reply/refuse-payment.ts';
import { type App, newApp } from './http/route.ts';
import { cspReportRoutes } from './routes/csp-report.ts';
import { appPageRoutes } from './routes/merchants/app-pages.ts';
import { sessionRoutes } from './routes/merchants/session.ts';
import { payPageRoutes } from './routes/pay-page/pay-page.ts';
import { payRoutes } from './routes/payments/pay.ts';
import { type Area, everyRow } from './security/permissions.ts';

type C = Context<{ Bindings: Env }>;

const refuseClose: typeof apiError = (c, status, code) =>
  apiError(c, status, code, 'Please use the page to close a batch.');

type DepsOf = (env: Env) => Deps;

/** Hand requests on to an area, which is loaded with the first of them: payers never wait for it. */
function handOnTo(load: () => Promise<App>): (c: C) => Promise<Response> {
  let area: App | undefined;
  return async (c) => {
    area ??= await load();
    return area.fetch(c.req.raw, c.env, c.executionCtx);
  };
}

const rowsByPath = (area: Area) => everyRow(area).map(([route, who]) => ({ path: route.replace(/^\w+ /, ''), who }));

/** The operator's area answers for its whole trees. */
function operatorArea(app: App, depsOf: DepsOf): void {
  const handOn = handOnTo(async () => (await import('./areas/operator.ts')).createOperatorArea(depsOf));
  for (const tree of ['/operator', '/operator/*', '/api/operator/*']) app.all(tree, handOn);
}

/** Calls of the operator's programs, whose area answers for the whole tree. */
function operateArea(app: App, depsOf: DepsOf): void {
  app.all(
    '/api/operate/*',
    handOnTo(async () => (await import('./areas/operate.ts')).createOperateArea(depsOf)),
  );
}

/** The content area has whole trees of addresses, so that it answers for what is not there too. */
function contentArea(app: App, depsOf: DepsOf): void {
  const handOn = handOnTo(async () => (await import('./areas/content.ts')).createContentArea(depsOf));
  const trees = rowsByPath('content').map(({ path }) => path.replace(/^((?:\/api)?\/[^/]+).*/, '$1/*'));
  // Public pages come here only where the built site has no file of that name.
  app.on(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'], [...new Set(trees)], handOn);
}

function merchantArea(app: App, depsOf: DepsOf): void {
  const handOn = handOnTo(async () => (await import('./areas/merchant.ts')).createMerchantArea(depsOf));
  const people = new Map(rowsByPath('merchant').map(({ path, who }) => [path, who]));
  for (const [path, who] of people) {
    app.all(path, (c, next) => {
      if (who !== 'staff or holder of a pay link') return handOn(c);
      // A request without a bearer token is a payer's: let the payer's route answer it.
      return c.req.method === 'GET' && c.req.header('authorization') !== undefined ? handOn(c) : next();
    });
  }
}

/** All routes of the product. `depsOf` is called once per request. */
export function createApp(depsOf: DepsOf): App {
  const app = newApp();
  const deps = requestDeps(depsOf);
  app.onError(onError);
  app.use(everyRequest(depsOf));
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], '/api/*', (c, next) => {
    // The browser's report and the provider's webhook come from other origins; neither carries a session.
    if (c.req.path === '/api/csp-report' || c.req.path.startsWith('/api/webhooks/')) return next();
    const isPayment = c.req.path.startsWith(takePaymentApi(''));
    const refuse = isPayment ? refusePayment : c.req.path.endsWith('/batches/close') ? refuseClose : apiError;
    return sameOrigin(refuse)(c, next);
  });

  cspReportRoutes(app, deps);
  sessionRoutes(app, deps);
  appPageRoutes(app, deps);
  merchantArea(app, depsOf);
  payRoutes(app, deps);
  payPageRoutes(app, deps);

  contentArea(app, depsOf);
  operatorArea(app, depsOf);
  operateArea(app, depsOf);

  app.all('/api/*', (c) => apiError(c, 404, 'not-found', 'Not found.'));
  return app;
}
