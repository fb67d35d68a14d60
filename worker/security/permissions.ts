import { type StaffRole, staffRoles } from '#shared/contracts/team-values';

/** Who may use each address, and which area serves it. Guards decide by the row; a route without one is refused. */
export type Who =
  | 'anyone'
  /** The address contains a secret that only they received. */
  | 'holder of a pay link'
  | 'holder of a receipt link'
  | 'holder of a preview link'
  | 'holder of an invitation'
  | 'holder of a stop link'
  /**
   * Staff of a merchant of at least this role, by their access token. A write from a browser needs the refresh cookie
   * too. Who may do more may do this as well.
   */
  | StaffRole
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

/** What serves a route: the Worker's start, or an area that is loaded when first asked for (docs/decisions/0017-lazy-areas.md). */
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
    'POST /api/invoices/:payId/opened': 'holder of a pay link',
    'POST /api/invoices/takePaymentSDK/:payId': 'holder of a pay link',
    'GET /receipt/:receiptId': 'holder of a receipt link',
    'GET /receipt/:receiptId/signature.png': 'holder of a receipt link',

    'GET /account/:part': 'staff by cookie',
    'GET /analytics': 'staff by cookie',
    'GET /audit': 'staff by cookie',
    'GET /batches': 'staff by cookie',
    'GET /checks': 'staff by cookie',
    'GET /customers': 'staff by cookie',
    'GET /customers/:id': 'staff by cookie',
    'GET /invoice/:crmId': 'staff by cookie',
    'GET /invoices': 'staff by cookie',
    'GET /openInvoices': 'staff by cookie',
    'GET /payments': 'staff by cookie',
    'GET /takings': 'staff by cookie',
    'GET /transactions': 'staff by cookie',
    'GET /help': 'staff by cookie',
    'GET /userinfo': 'staff by cookie',
  },
  merchant: {
    'GET /api/terminals': 'reader',
    'GET /api/token/get-merchant': 'reader',
    'GET /api/token/get-merchant-data': 'reader',
    'GET /api/token/get-merchant-logs': 'reader',
    'POST /api/token/setup-merchant': 'admin',
    'POST /api/webhooks/boarding/:secret': 'provider webhook',

    'GET /api/customers': 'reader',
    'GET /api/customers/:id': 'reader',
    'GET /api/invoices': 'reader',
    'GET /api/invoices/getOpenInvoices': 'reader',
    'GET /api/invoices/getCustomer/:id': 'reader',
    'GET /api/invoices/:id': 'staff or holder of a pay link',
    'POST /api/invoices/:id/link': 'desk',
    'DELETE /api/invoices/:id/link': 'desk',
    'DELETE /api/invoices/:id/link/revocation': 'desk',
    'GET /api/invoices/:id/signature': 'reader',
    'PUT /api/invoices/:id/signature': 'desk',
    'DELETE /api/invoices/:id/signature': 'desk',
    'POST /api/invoices/:id/collect-again': 'desk',
    'POST /api/invoices/sendPaymentLink/:id': 'desk',
    'POST /api/invoices/sendPaymentSuccessEmail/:id': 'desk',
    'POST /api/invoices/:id/itemised-receipt': 'desk',
    'GET /api/owed': 'reader',
    'GET /api/mailings': 'reader',
    'POST /api/mailings': 'desk',
    'DELETE /api/mailings/:id': 'desk',
    'PUT /api/token/footer-text': 'admin',
    'GET /api/reminders': 'manager',
    'PUT /api/reminders': 'manager',
    'GET /api/reminders/forecast': 'manager',
    'POST /api/reminders/test': 'manager',
    'GET /api/invoices/:id/reminders': 'reader',
    'PUT /api/invoices/:id/reminders': 'manager',
    'GET /api/payment-notices': 'reader',
    'PUT /api/payment-notices': 'reader',
    'GET /api/bill-lines': 'manager',
    'PUT /api/bill-lines': 'manager',
    'GET /api/parts': 'manager',
    'PUT /api/parts': 'manager',
    'GET /api/invoices/:id/parts': 'reader',
    'PUT /api/invoices/:id/parts': 'manager',
    'DELETE /api/invoices/:id/parts': 'manager',
    'POST /api/invoices/:id/parts/decision': 'manager',
    'GET /api/payer-language': 'manager',
    'PUT /api/payer-language': 'manager',
    'GET /api/write-back': 'manager',
    'PUT /api/write-back': 'admin',
    'PUT /api/write-back/payments/:id': 'manager',
    'GET /mail/stop/:token': 'holder of a stop link',
    'POST /mail/stop/:token': 'holder of a stop link',

    'GET /api/counter-terminals': 'reader',
    'GET /api/sales/:saleId': 'reader',
    'POST /api/terminals/:terminalId/sales': 'desk',
    'GET /api/terminals/:terminalId/batches': 'reader',
    'GET /api/terminals/:terminalId/batches/:batchId': 'reader',
    'GET /api/terminals/:terminalId/closing': 'reader',
    'PUT /api/terminals/:terminalId/batches/close': 'manager',

    'GET /api/payments/:id/reversal': 'reader',
    'POST /api/payments/:id/reversals': 'manager',
    'GET /api/approvals': 'manager',
    'POST /api/approvals': 'manager',
    'POST /api/approvals/:id': 'manager',
    'GET /api/matching': 'reader',
    'POST /api/matching': 'manager',
    'GET /api/terminals/:terminalId/batches/:batchId/match': 'reader',
    'POST /api/payments/:id/resolution': 'admin',
    'POST /api/reversals/:id/resolution': 'admin',
    'GET /api/analytics/payments': 'reader',
    'GET /api/today': 'reader',
    'GET /api/analytics/comparison': 'reader',
    'GET /api/takings': 'reader',
    'GET /api/audit': 'admin',
    'GET /api/audit/head': 'admin',
    'PUT /api/audit/mail': 'admin',
    'POST /api/session': 'anyone',
    'POST /api/session/code': 'anyone',
    'GET /join/:secret': 'anyone',
    'POST /api/session/passkey/options': 'anyone',
    'POST /api/session/passkey': 'anyone',
    'POST /api/session/proof/options': 'reader',
    'POST /api/session/proof': 'reader',
    'GET /api/support-view': 'reader',
    'POST /api/support-view': 'admin',
    'DELETE /api/support-view': 'admin',
    'GET /api/session/factors': 'reader',
    'POST /api/session/factors/code': 'reader',
    'POST /api/session/passkeys/options': 'reader',
    'POST /api/session/passkeys': 'reader',
    'DELETE /api/session/passkeys/:id': 'reader',
    'PUT /api/session/pin': 'reader',
    'DELETE /api/session/pin': 'reader',
    'GET /api/session/people': 'reader',
    'POST /api/session/switch': 'reader',
    'GET /api/join/:secret': 'holder of an invitation',
    'POST /api/join/:secret': 'holder of an invitation',
    'GET /api/team': 'admin',
    'POST /api/team/invitations': 'admin',
    'PUT /api/team/refund-limit': 'admin',
    'PUT /api/team/second-person': 'admin',
    'PATCH /api/team/:id': 'admin',
    'DELETE /api/team/:id': 'admin',
    'DELETE /api/team/:id/factors': 'admin',
    'GET /api/account/archive': 'admin',
    'POST /api/account/archive': 'admin',
    'GET /api/account/archive/:id/parts/:part': 'admin',
    'GET /api/account/closing': 'reader',
    'PUT /api/account/closing': 'admin',
    'DELETE /api/account/closing': 'admin',
    'GET /api/sessions': 'reader',
    'DELETE /api/sessions': 'reader',
    'DELETE /api/sessions/:id': 'reader',
    'GET /api/first-hour': 'reader',
    'PUT /api/first-hour': 'admin',
    'GET /api/first-hour/mails': 'reader',
    'POST /api/first-hour/test-link': 'admin',
    'POST /api/webhooks/transactions/:secret': 'provider webhook',
    'POST /api/webhooks/mail': 'provider webhook',
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
    'POST /api/auth/second': 'anyone',
    'GET /api/auth/passkeys': 'editor',
    'POST /api/auth/passkeys': 'editor',
    'POST /api/auth/passkeys/options': 'editor',
    'DELETE /api/auth/passkeys/:id': 'editor',
    'POST /api/auth/recovery-codes': 'editor',

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
    'POST /api/cms/posts/:id/bring-back': 'editor',
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
    'POST /api/cms/pages/:id/bring-back': 'editor',
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
};

/**
 * Acts of staff that take a proof of the last 15 minutes (worker/domain/proofs/standing.ts), whatever the age of the
 * session: what gives money back, prints under invoices, decides who may what or look, takes all records along, or ends
 * the account. Changes of one's own passkeys and PIN take more (worker/domain/proofs/own-factors.ts). Why the other acts
 * take none: docs/security-rules.md, "Acts without a proof".
 */
const PROVED: ReadonlySet<string> = new Set([
  'POST /api/payments/:id/reversals',
  'POST /api/approvals/:id',
  'PUT /api/token/footer-text',
  'POST /api/team/invitations',
  'PUT /api/team/refund-limit',
  'PUT /api/team/second-person',
  'PATCH /api/team/:id',
  'DELETE /api/team/:id',
  'DELETE /api/team/:id/factors',
  'POST /api/support-view',
  'POST /api/account/archive',
  'GET /api/account/archive/:id/parts/:part',
  'PUT /api/account/closing',
]);

/** Whether a route needs its person to have proved lately who they are. */
export const takesProof = (method: string, path: string): boolean => PROVED.has(`${method} ${path}`);

/** Beside staff. The others are checked by their handlers, from a secret in the address or a cookie. */
const GUARDED: readonly Who[] = ['staff or holder of a pay link', 'editor', 'owner', 'operator'];

export const isStaffRole = (who: Who): who is StaffRole => staffRoles.some((role) => role === who);

export const isGuarded = (who: Who): boolean =>
  isStaffRole(who) || GUARDED.includes(who) || who === 'operator who just showed the passkey';

/** The whole table, for what checks it against the routes; one area's rows, for what hands requests on to it. */
export const everyRow = (area?: Area): [route: string, who: Who][] =>
  Object.entries(permissions).flatMap(([name, rows]) => (area && name !== area ? [] : Object.entries(rows)));

const rows: Rows = Object.fromEntries(everyRow());

/** Rows that come with their area, since payers need none of them (operator-permissions.ts, operate-permissions.ts). */
export function addRows(area: Area, own: Rows): void {
  permissions[area] = own;
  Object.assign(rows, own);
}

export function whoMay(method: string, path: string): Who {
  const who = rows[`${method} ${path}`];
  if (!who) throw new Error(`${method} ${path} has no row in worker/security/permissions.ts`);
  return who;
}
