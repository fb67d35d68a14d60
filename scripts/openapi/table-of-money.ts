import * as z from 'zod/mini';
import { AnalyticsComparison, PaymentAnalytics } from '#shared/contracts/analytics';
import { timeframes } from '#shared/contracts/analytics-request';
import {
  BatchesReply,
  BatchTransaction,
  CloseBatchReply,
  ClosingReply,
  ReopenInvoiceReply,
  ReversalReply,
  ReversalView,
  ShownReversal,
} from '#shared/contracts/batches';
import { BillLinesSetting } from '#shared/contracts/bill-lines';
import { BillLinesBody } from '#shared/contracts/bill-lines-request';
import { CustomerReply } from '#shared/contracts/customer';
import { FooterTextBody, SignatureBody } from '#shared/contracts/invoice-request';
import { ItemisedReceiptBody } from '#shared/contracts/itemised-receipt-request';
import { customerRules, invoiceRules, openInvoiceRules } from '#shared/contracts/list-request';
import { CustomersReply, InvoiceItem, OpenInvoiceItem, SendMailReply } from '#shared/contracts/lists';
import { CustomersError, InvoiceCustomerReply } from '#shared/contracts/lists-answers';
import { MailingReply } from '#shared/contracts/mailings';
import { MailingBody } from '#shared/contracts/mailings-request';
import { Owed } from '#shared/contracts/owed';
import { InvoiceParts, PartsSetting } from '#shared/contracts/parts';
import { DecidePartsBody, OpenPartsBody, PartsSettingBody } from '#shared/contracts/parts-request';
import { PayLinkReply } from '#shared/contracts/pay-link';
import { PayerLanguageSetting } from '#shared/contracts/payer-language';
import { PayerLanguageBody } from '#shared/contracts/payer-language-request';
import { FooterTextReply, InvoicePreviewReply, SignatureReply } from '#shared/contracts/preview';
import { Approvals, WaitingReply } from '#shared/contracts/proof';
import { DecidedReply } from '#shared/contracts/proof-answers';
import { AskApprovalBody, DecisionBody } from '#shared/contracts/proof-request';
import {
  BatchReconciliation,
  ReconciliationView,
  ResolutionReply,
  ReversalResolutionReply,
} from '#shared/contracts/reconciliation';
import { ResolutionBody, ReversalResolutionBody } from '#shared/contracts/reconciliation-request';
import { ReversalBody } from '#shared/contracts/reversal-request';
import { Takings } from '#shared/contracts/takings';
import { SaleReply, TerminalsReply } from '#shared/contracts/terminals';
import { BusyReply } from '#shared/contracts/terminals-answers';
import { StartSaleBody } from '#shared/contracts/terminals-request';
import { Today } from '#shared/contracts/today';
import { WriteBack } from '#shared/contracts/write-back';
import { ByHandBody, WriteBackBody, WriteBackQuery } from '#shared/contracts/write-back-request';
import { csv, nothing, png, type Table } from './row.ts';

const text = z.optional(z.string());
const timeframe = z.object({ timeframe: z.optional(z.enum(timeframes)) });
const mailed = { 200: SendMailReply, 202: SendMailReply, fails: [409, 429, 503] } as const;
const reversed = {
  ...{ 200: ReversalReply, 202: [ReversalReply, WaitingReply], fails: [402, 409, 503] },
  beside: { 402: z.object({ reversal: ShownReversal }), 409: z.object({ reversal: ShownReversal }) },
} as const;

/** Calls of staff about invoices, payments and what became of them. */
export const tableOfMoney: Table = {
  'GET /api/customers': {
    query: customerRules,
    ...{ isList: true, 200: [CustomersReply, csv] },
    ...{ failure: CustomersError, fails: [401, 422] },
  },
  'GET /api/customers/:id': { 200: CustomerReply },
  'GET /api/invoices': { query: invoiceRules, isList: true, 200: [z.array(InvoiceItem), csv] },
  'GET /api/invoices/getOpenInvoices': { query: openInvoiceRules, isList: true, 200: [z.array(OpenInvoiceItem), csv] },
  'GET /api/invoices/getCustomer/:id': { 200: InvoiceCustomerReply },
  'GET /api/invoices/:id': { 200: InvoicePreviewReply, fails: [503] },
  'POST /api/invoices/:id/link': { 200: PayLinkReply, 202: PayLinkReply, fails: [409, 503] },
  'DELETE /api/invoices/:id/link': { 200: PayLinkReply, 202: PayLinkReply, fails: [409, 503] },
  'DELETE /api/invoices/:id/link/revocation': { 200: PayLinkReply, 202: PayLinkReply, fails: [409, 503] },
  'GET /api/invoices/:id/signature': { 200: png },
  'PUT /api/invoices/:id/signature': { body: SignatureBody, 200: SignatureReply, fails: [503] },
  'DELETE /api/invoices/:id/signature': { 200: SignatureReply },
  'POST /api/invoices/:id/collect-again': { 200: ReopenInvoiceReply, fails: [409] },
  'POST /api/invoices/sendPaymentLink/:id': { ...mailed, fails: [409, 422, 429, 503] },
  'POST /api/invoices/sendPaymentSuccessEmail/:id': { ...mailed, fails: [409, 422, 429, 503] },
  'POST /api/invoices/:id/itemised-receipt': { body: ItemisedReceiptBody, ...mailed },
  'GET /api/owed': { 200: Owed },
  'GET /api/mailings': { 200: MailingReply },
  'POST /api/mailings': { body: MailingBody, 200: MailingReply, fails: [409] },
  'DELETE /api/mailings/:id': { 200: MailingReply },
  'PUT /api/token/footer-text': { body: FooterTextBody, 200: FooterTextReply, fails: [409] },

  'GET /api/bill-lines': { 200: BillLinesSetting },
  'PUT /api/bill-lines': { body: BillLinesBody, 200: BillLinesSetting },
  'GET /api/parts': { 200: PartsSetting },
  'PUT /api/parts': { body: PartsSettingBody, 200: PartsSetting },
  'GET /api/invoices/:id/parts': { 200: InvoiceParts },
  'PUT /api/invoices/:id/parts': { body: OpenPartsBody, 200: InvoiceParts, fails: [409, 503] },
  'DELETE /api/invoices/:id/parts': { 200: InvoiceParts, fails: [409] },
  'POST /api/invoices/:id/parts/decision': { body: DecidePartsBody, 200: InvoiceParts, fails: [409, 503] },
  'GET /api/payer-language': { 200: PayerLanguageSetting },
  'PUT /api/payer-language': { body: PayerLanguageBody, 200: PayerLanguageSetting },
  'GET /api/write-back': { query: WriteBackQuery, 200: [WriteBack, csv] },
  'PUT /api/write-back': { body: WriteBackBody, 200: WriteBack },
  'PUT /api/write-back/payments/:id': { body: ByHandBody, 200: WriteBack, fails: [409] },

  'GET /api/counter-terminals': { 200: TerminalsReply },
  'GET /api/sales/:saleId': { query: z.object({ invoice: text }), 200: SaleReply },
  'POST /api/terminals/:terminalId/sales': {
    body: StartSaleBody,
    ...{ 200: { media: 'application/x-ndjson' }, 202: SaleReply, fails: [409, 503], beside: { 409: BusyReply } },
  },
  'GET /api/terminals/:terminalId/batches': { 200: BatchesReply, fails: [503] },
  'GET /api/terminals/:terminalId/batches/:batchId': {
    query: z.object({ format: text }),
    ...{ 200: [z.array(BatchTransaction), csv], fails: [503] },
  },
  'GET /api/terminals/:terminalId/closing': { 200: ClosingReply, fails: [503] },
  'PUT /api/terminals/:terminalId/batches/close': {
    query: z.object({ batch: text }),
    ...{ 200: CloseBatchReply, 202: CloseBatchReply, fails: [409, 502, 503] },
  },

  'GET /api/payments/:id/reversal': { 200: ReversalView, fails: [503] },
  'POST /api/payments/:id/reversals': { body: ReversalBody, ...reversed },
  'GET /api/approvals': { 200: Approvals },
  'POST /api/approvals': { body: AskApprovalBody, ...reversed },
  'POST /api/approvals/:id': { body: DecisionBody, ...reversed, 200: [ReversalReply, DecidedReply] },
  'GET /api/matching': { 200: ReconciliationView },
  'POST /api/matching': { 200: ReconciliationView },
  'GET /api/terminals/:terminalId/batches/:batchId/match': { 200: BatchReconciliation, fails: [503] },
  'POST /api/payments/:id/resolution': { body: ResolutionBody, 200: ResolutionReply, fails: [409, 503] },
  'POST /api/reversals/:id/resolution': {
    body: ReversalResolutionBody,
    ...{ 200: ReversalResolutionReply, fails: [409, 503] },
  },
  'GET /api/analytics/payments': { query: timeframe, 200: PaymentAnalytics },
  'GET /api/analytics/comparison': { query: timeframe, 200: AnalyticsComparison },
  'GET /api/today': { 200: Today },
  'GET /api/takings': { query: z.object({ date: text }), 200: Takings },
  'POST /api/webhooks/transactions/:secret': { body: { media: 'application/json' }, 204: nothing },
};
