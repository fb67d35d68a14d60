import * as z from 'zod/mini';
import { OpenedBody } from '#shared/contracts/opened-request';
import { PublicInvoice, TakePaymentReply } from '#shared/contracts/payment-answers';
import { TakePaymentBody } from '#shared/contracts/payment-request';
import { PaymentStatus } from '#shared/contracts/payment-status';
import { RefreshedToken, TokenStatus } from '#shared/contracts/session';
import { AppAddress } from '#shared/contracts/session-answers';
import { anything, nothing, page, png, type Row, type Table } from './row.ts';

const text = z.optional(z.string());
const appPage: Row = { 200: page, 303: nothing };

/** Login, the pages of staff, and what a payer's link leads to. */
export const tableOfPayers: Table = {
  'GET /': { 200: page },
  'GET /login': { query: z.object({ login: text }), 200: page, 303: nothing },
  'GET /logout': { 303: nothing },
  'GET /oauth': {
    query: z.object({ code: text, state: text, error: text }),
    ...{ 303: nothing, 400: page, 403: page, 502: page, 503: page },
  },
  'GET /oauth/start': { query: z.object({ payments: text }), 303: nothing },
  'GET /app_url': { 200: AppAddress },
  'POST /api/csp-report': { body: anything, 204: nothing },
  'GET /api/token/status/:authToken': { 200: TokenStatus, fails: [401] },
  'GET /api/refresh-access-token': { 200: RefreshedToken, fails: [401, 403] },

  'GET /make/payment/*': { 404: page },
  'GET /make/payment/:payId': { 200: page, 302: nothing, 404: page, 410: page, 503: page },
  'GET /api/invoices/:payId': { 200: PublicInvoice, fails: [409, 410, 503] },
  'GET /api/invoices/:payId/payment': { query: z.object({ attempt: text }), 200: PaymentStatus },
  'POST /api/invoices/:payId/opened': { body: OpenedBody, 204: nothing },
  'POST /api/invoices/takePaymentSDK/:payId': {
    body: TakePaymentBody,
    ...{ 200: TakePaymentReply, 202: TakePaymentReply },
    ...{ failure: TakePaymentReply, fails: [400, 402, 403, 404, 409, 410, 413, 415, 422, 429, 503] },
  },
  'GET /receipt/:receiptId': { 200: page, 404: page, 503: page },
  'GET /receipt/:receiptId/signature.png': { 200: png, 404: page },

  'GET /account/:part': appPage,
  'GET /analytics': appPage,
  'GET /audit': appPage,
  'GET /batches': appPage,
  'GET /checks': appPage,
  'GET /customers': appPage,
  'GET /customers/:id': appPage,
  'GET /invoice/:crmId': appPage,
  'GET /invoices': appPage,
  'GET /openInvoices': appPage,
  'GET /payments': appPage,
  'GET /takings': appPage,
  'GET /transactions': appPage,
  'GET /help': appPage,
  'GET /userinfo': appPage,
};
