/**
 * Who may use each address, by its pattern, and which part of the Worker serves it. A route without a row is refused when it is registered (worker/http/route.ts),
 * and a guard takes its decision from the row.
 */
export type Who =
  | 'anyone'
  /** The address contains a secret that only they received. */
  | 'holder of a pay link'
  | 'holder of a receipt link'
  | 'holder of a preview link'
  /** Staff of a merchant, by their access token. A write from a browser needs the refresh cookie too. */
  | 'staff'
  /** Staff who may move money back and act for the account; the verb checks this once it has found the record. */
  | 'account admin'
  /** Staff with an access token, by the CRM's id; without one, the holder of the pay link. */
  | 'staff or holder of a pay link'
  | 'staff by cookie'
  | 'holder of the refresh cookie'
  | 'holder of the token itself'
  /** Members of the content area by their access token, once an owner has approved them. */
  | 'editor'
  | 'owner'
  | 'editor by cookie'
  | 'content account, even a waiting one'
  /** Who runs the installation, by the session's cookie; to act, the passkey must have been shown within minutes. */
  | 'operator'
  | 'operator who just showed the passkey'
  /** Programs, each by its own secret. */
  | 'provider webhook'
  | 'site builder'
  | 'tamper monitor'
  | 'operator program';

/**
 * Which part of the Worker serves a route: the one that is there from the start, or an area that worker/app.ts loads when it
 * is first asked for (docs/decisions/0017-lazy-areas.md).
 */
export type Area = 'start' | 'merchant' | 'content' | 'operator' | 'operate';

type Rows = Record<string, Who>;

const permissions: Partial<Record<Area, Rows>> = {
  start: {
    'GET /': 'anyone',
    'GET /login': 'anyone',
    'GET /logout': 'anyone',
    'GET /oauth': 'anyone',
    'GET /oauth/start': 'anyone',
    'GET /app_url': 'anyone',
    'POST /api/csp-report': 'anyone',
    'GET /api/token/status/:authToken': 'holder of the token itself',
    'GET /api/refresh-access-token': 'holder of the refresh cookie',

    'GET /make/payment/*': 'anyone',
    'GET /make/payment/:payId': 'holder of a pay link',
    'GET /api/invoices/:payId': 'holder of a pay link',
    'GET /api/invoices/:payId/payment': 'holder of a pay link',
    'POST /api/invoices/takePaymentSDK/:payId': 'holder of a pay link',
    'GET /receipt/:receiptId': 'holder of a receipt link',
    'GET /receipt/:receiptId/signature.png': 'holder of a receipt link',

    'GET /analytics': 'staff by cookie',
    'GET /audit': 'staff by cookie',
    'GET /batches': 'staff by cookie',
    'GET /checks': 'staff by cookie',
    'GET /customers': 'staff by cookie',
    'GET /invoice/:crmId': 'staff by cookie',
    'GET /invoices': 'staff by cookie',
    'GET /openInvoices': 'staff by cookie',
    'GET /payments': 'staff by cookie',
    'GET /transactions': 'staff by cookie',
    'GET /userinfo': 'staff by cookie',
  },
  merchant: {
    'GET /api/terminals': 'staff',
    'GET /api/token/get-merchant': 'staff',
    'GET /api/token/get-merchant-data': 'staff',
    'GET /api/token/get-merchant-logs': 'staff',
    'POST /api/token/setup-merchant': 'staff',
    'POST /api/webhooks/boarding/:secret': 'provider webhook',

    'GET /api/customers': 'staff',
    'GET /api/invoices': 'staff',
    'GET /api/invoices/getOpenInvoices': 'staff',
    'GET /api/invoices/getCustomer/:id': 'staff',
    'GET /api/invoices/:id': 'staff or holder of a pay link',
    'POST /api/invoices/:id/link': 'staff',
    'DELETE /api/invoices/:id/link': 'staff',
    'GET /api/invoices/:id/signature': 'staff',
    'PUT /api/invoices/:id/signature': 'staff',
    'DELETE /api/invoices/:id/signature': 'staff',
    'POST /api/invoices/:id/collect-again': 'staff',
    'POST /api/invoices/sendPaymentLink/:id': 'staff',
    'POST /api/invoices/sendPaymentSuccessEmail/:id': 'staff',
    'PUT /api/token/footer-text': 'account admin',

    'GET /api/counter-terminals': 'staff',
    'GET /api/sales/:saleId': 'staff',
    'POST /api/terminals/:terminalId/sales': 'staff',
    'GET /api/terminals/:terminalId/batches': 'staff',
    'GET /api/terminals/:terminalId/batches/:batchId': 'staff',
    'GET /api/terminals/:terminalId/closing': 'staff',
    'PUT /api/terminals/:terminalId/batches/close': 'staff',

    'GET /api/payments/:id/reversal': 'staff',
    'POST /api/payments/:id/reversals': 'account admin',
    'GET /api/matching': 'staff',
    'POST /api/matching': 'staff',
    'GET /api/terminals/:terminalId/batches/:batchId/match': 'staff',
    'POST /api/payments/:id/resolution': 'account admin',
    'POST /api/reversals/:id/resolution': 'account admin',
    'GET /api/analytics/payments': 'staff',
    'GET /api/audit': 'account admin',
    'GET /api/audit/head': 'account admin',
    'PUT /api/audit/mail': 'account admin',
    'POST /api/webhooks/transactions/:secret': 'provider webhook',
    'GET /api/monitor': 'tamper monitor',
    'POST /api/monitor': 'tamper monitor',
    'POST /api/monitor/approvals': 'tamper monitor',
    'GET /api/health': 'anyone',
  },
  content: {
    'POST /api/auth/login': 'anyone',
    'POST /api/auth/register': 'anyone',
    'POST /api/auth/forgot': 'anyone',
    'POST /api/auth/reset': 'anyone',
    'POST /api/auth/invitation': 'anyone',
    'POST /api/auth/logout': 'anyone',
    'POST /api/auth/refresh': 'holder of the refresh cookie',
    'GET /api/auth/me': 'content account, even a waiting one',
    'PUT /api/auth/password': 'editor',

    'GET /cms/login': 'anyone',
    'GET /cms': 'editor by cookie',
    'GET /cms/*': 'editor by cookie',
    'GET /api/cms/posts': 'editor',
    'POST /api/cms/posts': 'editor',
    'GET /api/cms/posts/:id': 'editor',
    'PUT /api/cms/posts/:id': 'editor',
    'DELETE /api/cms/posts/:id': 'editor',
    'GET /api/cms/posts/:id/draft': 'editor',
    'PUT /api/cms/posts/:id/draft': 'editor',
    'DELETE /api/cms/posts/:id/draft': 'editor',
    'GET /api/cms/posts/:id/revisions': 'editor',
    'GET /api/cms/posts/:id/revisions/:version': 'editor',
    'POST /api/cms/posts/:id/revisions/:version/restore': 'editor',
    'POST /api/cms/posts/:id/preview': 'editor',
    'GET /api/cms/pages': 'editor',
    'POST /api/cms/pages': 'editor',
    'GET /api/cms/pages/:id': 'editor',
    'PUT /api/cms/pages/:id': 'editor',
    'DELETE /api/cms/pages/:id': 'editor',
    'GET /api/cms/pages/:id/draft': 'editor',
    'PUT /api/cms/pages/:id/draft': 'editor',
    'DELETE /api/cms/pages/:id/draft': 'editor',
    'GET /api/cms/pages/:id/revisions': 'editor',
    'GET /api/cms/pages/:id/revisions/:version': 'editor',
    'POST /api/cms/pages/:id/revisions/:version/restore': 'editor',
    'POST /api/cms/pages/:id/preview': 'editor',
    'GET /api/cms/media': 'editor',
    'POST /api/cms/media/upload': 'editor',
    'GET /api/cms/media/:id': 'editor',
    'PUT /api/cms/media/:id': 'editor',
    'DELETE /api/cms/media/:id': 'editor',
    'GET /api/cms/publish': 'editor',
    'POST /api/cms/publish': 'editor',
    'GET /api/cms/audit': 'owner',
    'GET /api/cms/audit/head': 'owner',
    'GET /api/cms/users': 'owner',
    'PUT /api/cms/users/:id': 'owner',
    'DELETE /api/cms/users/:id': 'owner',
    'POST /api/cms/users/:id/approve': 'owner',
    'POST /api/cms/users/invitations': 'owner',
    'DELETE /api/cms/users/invitations/:id': 'owner',
    'POST /api/internal/builds/:build': 'site builder',

    'GET /api/public/posts': 'anyone',
    'GET /api/public/posts/:slug': 'anyone',
    'GET /api/public/pages': 'anyone',
    'GET /api/public/pages/:slug': 'anyone',
    'GET /api/public/preview/:token': 'holder of a preview link',
    'GET /preview/:token': 'holder of a preview link',
    'GET /blog/*': 'anyone',
    'GET /blog/:slug': 'anyone',
    'GET /blog/:slug/': 'anyone',
    'GET /pages/*': 'anyone',
    'GET /pages/:slug': 'anyone',
    'GET /pages/:slug/': 'anyone',
    'GET /media/:key': 'anyone',
  },
  operate: {
    'GET /api/operate/clinics': 'operator program',
    'GET /api/operate/clinics/:account': 'operator program',
    'DELETE /api/operate/clinics/:account': 'operator program',
    'GET /api/operate/clinics/:account/export': 'operator program',
    'GET /api/operate/clinics/:account/export/:table': 'operator program',
    'GET /api/operate/clinics/:account/dumps': 'operator program',
    'GET /api/operate/clinics/:account/trail': 'operator program',
    'GET /api/operate/clinics/:account/trail/:rows': 'operator program',
    'POST /api/operate/clinics/:account/person': 'operator program',
    'GET /api/operate/anchor': 'operator program',
    'GET /api/operate/dumps': 'operator program',
    'POST /api/operate/restorations': 'operator program',
    'PUT /api/operate/restorations/:clinic/tables/:table': 'operator program',
    'PUT /api/operate/restorations/:clinic/pieces/:piece': 'operator program',
    'POST /api/operate/restorations/:clinic/end': 'operator program',
    'DELETE /api/operate/restorations/:clinic': 'operator program',
  },
};

/** The others are checked by their handlers, from a secret in the address or a cookie. */
const GUARDED: readonly Who[] = [
  ...(['staff', 'account admin', 'staff or holder of a pay link', 'editor', 'owner'] as const),
  ...(['operator', 'operator who just showed the passkey'] as const),
];

export const isGuarded = (who: Who): boolean => GUARDED.includes(who);

/** The whole table, for what checks it against the routes; one area's rows, for what hands requests on to it. */
export const everyRow = (area?: Area): [route: string, who: Who][] =>
  Object.entries(permissions).flatMap(([name, rows]) => (area && name !== area ? [] : Object.entries(rows)));

const rows: Rows = Object.fromEntries(everyRow());

/** Rows that come with their area, since payers need none of them (operator-permissions.ts). */
export function addRows(area: Area, own: Rows): void {
  permissions[area] = own;
  Object.assign(rows, own);
}

export function whoMay(method: string, path: string): Who {
  const who = rows[`${method} ${path}`];
  if (!who) throw new Error(`${method} ${path} has no row in worker/security/permissions.ts`);
  return who;
}
