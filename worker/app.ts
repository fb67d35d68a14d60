import type { Context } from 'hono';
import { takePaymentApi } from '#shared/paths';
import type { Deps, Env } from './deps.ts';
import { sameOrigin } from './http/guards/known-host.ts';
import { everyRequest } from './http/middleware/every-request.ts';
import { apiError, onError } from './http/reply/errors.ts';
import { type App, newApp } from './http/route.ts';
import { cspReportRoutes } from './routes/csp-report.ts';
import { appPageRoutes } from './routes/merchants/app-pages.ts';
import { onboardingRoutes } from './routes/merchants/onboarding.ts';
import { sessionRoutes } from './routes/merchants/session.ts';
import { payPageRoutes } from './routes/pay-page/pay-page.ts';
import { payRoutes, refuse as refusePayment } from './routes/payments/pay.ts';

type C = Context<{ Bindings: Env }>;

/** What belongs to writing and reading content is loaded when it is first asked for: payers never wait for it. */
const CONTENT_PATHS = [
  ...['/api/auth/*', '/api/cms/*', '/api/public/*', '/api/internal/*', '/cms', '/cms/*', '/media/*'],
  // Only where the built site has no file of that name.
  ...['/blog/*', '/pages/*', '/preview/*'],
];

/** So is what merchants work with. */
const MERCHANT_PATHS = [
  '/api/analytics/*',
  '/api/customers',
  '/api/counter-terminals',
  '/api/invoices',
  '/api/invoices/getOpenInvoices',
  '/api/invoices/getCustomer/*',
  '/api/invoices/sendPaymentLink/*',
  '/api/invoices/sendPaymentSuccessEmail/*',
  '/api/invoices/:id/collect-again',
  '/api/invoices/:id/link',
  '/api/invoices/:id/signature',
  '/api/matching',
  '/api/sales/:saleId',
  '/api/payments/*',
  '/api/reversals/*',
  '/api/terminals/:terminalId/*',
  '/api/token/footer-text',
  '/api/webhooks/transactions/*',
];

const refuseClose: typeof apiError = (c, status, code) =>
  apiError(c, status, code, 'Please use the page to close a batch.');

type DepsOf = (env: Env) => Deps;

function contentArea(app: App, depsOf: DepsOf): void {
  let area: App | undefined;
  app.on(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'], CONTENT_PATHS, async (c) => {
    area ??= (await import('./areas/content.ts')).createContentArea(depsOf);
    return area.fetch(c.req.raw, c.env, c.executionCtx);
  });
}

function merchantArea(app: App, depsOf: DepsOf): void {
  let area: App | undefined;
  const handOn = async (c: C) => {
    area ??= (await import('./areas/merchant.ts')).createMerchantArea(depsOf);
    return area.fetch(c.req.raw, c.env, c.executionCtx);
  };
  for (const path of MERCHANT_PATHS) app.all(path, handOn);
  // Whoever comes without a bearer is a payer, and goes on to the payer's answer.
  app.all('/api/invoices/:id', (c, next) => {
    const isMerchant = c.req.method === 'GET' && c.req.header('authorization') !== undefined;
    return isMerchant ? handOn(c) : next();
  });
}

/** The whole product's addresses. `depsOf` is called once per request. */
export function createApp(depsOf: DepsOf): App {
  const app = newApp();
  const deps = (c: C) => depsOf(c.env);
  app.onError(onError);
  app.use(everyRequest(depsOf));
  app.on(['POST', 'PUT', 'DELETE'], '/api/*', (c, next) => {
    // A browser's report and the provider's webhook come from elsewhere by nature; neither carries a session.
    if (c.req.path === '/api/csp-report' || c.req.path.startsWith('/api/webhooks/')) return next();
    const isPayment = c.req.path.startsWith(takePaymentApi(''));
    const refuse = isPayment ? refusePayment : c.req.path.endsWith('/batches/close') ? refuseClose : apiError;
    return sameOrigin(refuse)(c, next);
  });

  cspReportRoutes(app, deps);
  sessionRoutes(app, deps);
  onboardingRoutes(app, deps);
  appPageRoutes(app, deps);
  merchantArea(app, depsOf);
  payRoutes(app, deps);
  payPageRoutes(app, deps);

  contentArea(app, depsOf);

  app.all('/api/*', (c) => apiError(c, 404, 'not-found', 'Not found.'));
  return app;
}
