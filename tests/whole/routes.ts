import { createApp } from '#worker/app';
import { createContentArea } from '#worker/content-area';
import { createMerchantArea } from '#worker/merchant-area';

/**
 * Every address of the product and who may use it. A route that is registered and does not stand here, or the other way
 * round, fails tests/whole/tokens.test.ts: a new one gets its line, and with it every kind of token that must not open it.
 */
export type Who =
  /** A merchant, by the bearer. */
  | 'merchant'
  /** A payer by the pay id; with a bearer, a merchant. */
  | 'payer or merchant'
  /** Whoever holds the companion, or the very token that the path names: no bearer. */
  | 'session'
  /** A page of the app, by the cookies. */
  | 'app'
  /** Anybody; a capability in the path, a signature or a check of its own says more. */
  | 'anybody';

export const routes: Record<string, Who> = {
  'GET /api/analytics/payments': 'merchant',
  'GET /api/customers': 'merchant',
  'GET /api/invoices': 'merchant',
  'GET /api/invoices/getOpenInvoices': 'merchant',
  'GET /api/invoices/getCustomer/:id': 'merchant',
  'POST /api/invoices/sendPaymentLink/:id': 'merchant',
  'POST /api/invoices/sendPaymentSuccessEmail/:id': 'merchant',
  'POST /api/invoices/:id/link': 'merchant',
  'DELETE /api/invoices/:id/link': 'merchant',
  'GET /api/invoices/:id/signature': 'merchant',
  'PUT /api/invoices/:id/signature': 'merchant',
  'DELETE /api/invoices/:id/signature': 'merchant',
  'GET /api/desk': 'merchant',
  'GET /api/sales/:saleId': 'merchant',
  'POST /api/invoices/:id/collect-again': 'merchant',
  'GET /api/matching': 'merchant',
  'POST /api/matching': 'merchant',
  'POST /api/payments/:id/resolution': 'merchant',
  'GET /api/payments/:id/reversal': 'merchant',
  'POST /api/payments/:id/reversals': 'merchant',
  'POST /api/reversals/:id/resolution': 'merchant',
  'GET /api/terminals': 'merchant',
  'POST /api/terminals/:terminalId/sales': 'merchant',
  'GET /api/terminals/:terminalId/batches': 'merchant',
  'PUT /api/terminals/:terminalId/batches/close': 'merchant',
  'GET /api/terminals/:terminalId/batches/:batchId': 'merchant',
  'GET /api/terminals/:terminalId/batches/:batchId/match': 'merchant',
  'GET /api/terminals/:terminalId/closing': 'merchant',
  'GET /api/token/get-merchant': 'merchant',
  'GET /api/token/get-merchant-data': 'merchant',
  'GET /api/token/get-merchant-logs': 'merchant',
  'POST /api/token/setup-merchant': 'merchant',
  'PUT /api/token/footer-text': 'merchant',

  'GET /api/invoices/:id': 'payer or merchant',

  'GET /api/token/status/:authToken': 'session',
  'GET /api/refresh-access-token': 'session',

  'GET /': 'app',
  'GET /analytics': 'app',
  'GET /batches': 'app',
  'GET /checks': 'app',
  'GET /customers': 'app',
  'GET /invoice/:crmId': 'app',
  'GET /invoices': 'app',
  'GET /openInvoices': 'app',
  'GET /transactions': 'app',
  'GET /payments': 'app',
  'GET /userinfo': 'app',

  'GET /app_url': 'anybody',
  'GET /login': 'anybody',
  'GET /logout': 'anybody',
  'GET /oauth': 'anybody',
  'GET /oauth/start': 'anybody',
  'GET /make/payment/*': 'anybody',
  'GET /make/payment/:payId': 'anybody',
  'GET /receipt/:receiptId': 'anybody',
  'GET /receipt/:receiptId/signature.png': 'anybody',
  'GET /api/invoices/:payId': 'anybody',
  'GET /api/invoices/:payId/payment': 'anybody',
  'POST /api/invoices/takePaymentSDK/:payId': 'anybody',
  'POST /api/csp-report': 'anybody',
  'POST /api/webhooks/boarding/:secret': 'anybody',
  'POST /api/webhooks/transactions/:secret': 'anybody',
};

/** With a bearer these refuse everybody until what is behind them is built; whoever builds it takes the line away. */
export const unbuilt: string[] = [];

const nobody = (): never => {
  throw new Error('nothing is asked here');
};

/** Parts of the tree that are handed on to the content area, or guarded as a whole: no addresses of their own. */
const PARTS = /^(?:\/api\/(?:(?:auth|cms|public|internal)\/)?\*|\/cms(?:\/\*)?|\/(?:media|blog|pages|preview)\/\*)$/;

type Registered = { method: string; path: string };
const names = (from: Registered[]) => [
  ...new Set(from.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`)),
];

/** What the Worker has registered, the content area aside. */
export const registeredRoutes = (): string[] =>
  names([...createApp(nobody).routes, ...createMerchantArea(nobody).routes].filter(({ path }) => !PARTS.test(path)));

/** What is registered anywhere, the content area with it. */
export const everyRoute = (): string[] => [
  ...new Set([...registeredRoutes(), ...names(createContentArea(nobody).routes)]),
];

/** What writers use; the content area's other addresses prove themselves by what they carry. */
export const writersCalls = (): Call[] =>
  names(createContentArea(nobody).routes)
    .filter((route) => route.includes(' /api/cms/'))
    .map((route) => callOf(route, () => '1'));

export type Call = { route: string; method: string; path: string };

function callOf(route: string, fill: (part: string, path: string) => string): Call {
  const [method = '', path = ''] = route.split(' ');
  return { route, method, path: path.replace(/:(\w+)/g, (_all, part: string) => fill(part, path)) };
}

/** The calls of some kind, each with the parts of its path filled in. */
export const callsOf = (who: Who, fill: (part: string, path: string) => string = () => '1'): Call[] =>
  Object.entries(routes)
    .filter(([, kind]) => kind === who)
    .map(([route]) => callOf(route, fill));
