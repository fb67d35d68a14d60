import type { CustomerItem, OpenInvoiceItem } from '../../../../shared/contracts/lists.ts';
import type { PaidTransaction, PaymentStatus } from '../../../../shared/contracts/payment.ts';
import type {
  CounterTerminal,
  SaleReply,
  SaleState,
  TerminalSale,
  TerminalsReply,
} from '../../../../shared/contracts/terminals.ts';
import type { StartSaleBody } from '../../../../shared/contracts/terminals-request.ts';
import { paymentStatusApi } from '../../../../shared/paths.ts';
import { isRecord, isText, isTextOrNull, type Reader } from '../../ui/api/parse-response.ts';
import { type ListPage, readPage } from '../../ui/table/list-page.ts';
import { type Answer, api, sendJson } from '../api/api.ts';
import { readCustomers } from '../lists/customers.tsx';
import { openInvoiceSource } from '../pay-links/open-invoices.ts';

/** Each state that the Worker may name. */
export const saleStates: SaleState[] = [
  'waiting',
  'approved',
  'declined',
  'cancelled',
  'timed-out',
  'offline',
  'busy',
  'refused',
  'unknown',
  'not-charged',
  'needs-a-person',
  'voided',
  'refunded',
];

const isTransaction = (value: unknown): value is PaidTransaction =>
  isRecord(value) && [value.id, value.amount, value.card, value['authorization-code'], value.result].every(isText);

export function isSale(value: unknown): value is TerminalSale {
  if (!isRecord(value)) return false;
  const { id, terminal_id, terminal_name, invoice_id, invoice_number, customer, amount, currency } = value;
  const { started_by, started_at, ends_by, message, provider, is_own, transaction } = value;
  const texts = [id, terminal_id, terminal_name, invoice_id, invoice_number, customer, amount, currency];
  return (
    [...texts, started_by, started_at, ends_by, message, provider].every(isText) &&
    [value.ended_at, value.asked_at, value.last_heard, value.receipt_url].every(isTextOrNull) &&
    typeof is_own === 'boolean' &&
    (transaction === null || isTransaction(transaction)) &&
    saleStates.some((state) => state === value.state)
  );
}

const isDesk = (value: unknown): value is CounterTerminal =>
  isRecord(value) &&
  isText(value.terminal_id) &&
  isText(value.terminal_name) &&
  isTextOrNull(value.last_heard) &&
  (value.sale === null || isSale(value.sale));

const readDesk: Reader<TerminalsReply> = (body) =>
  isRecord(body) && Array.isArray(body.desks) && body.desks.every(isDesk) ? { desks: body.desks } : null;
const readSale: Reader<SaleReply> = (body) => (isRecord(body) && isSale(body.sale) ? { sale: body.sale } : null);

export const askTerminals = (): Promise<Answer<TerminalsReply>> => api.call('/api/counter-terminals', readDesk);
export const askSale = (id: string): Promise<Answer<SaleReply>> =>
  api.call(`/api/sales/${encodeURIComponent(id)}`, readSale);

/** The line stays open until the card reader is done: whoever listens keeps the call at the provider alive. */
export function startSale(terminalId: string, body: StartSaleBody): Promise<Answer<SaleReply>> {
  const init = sendJson('POST', body);
  const headers = { ...init.headers, accept: 'application/x-ndjson' };
  return api.call(`/api/terminals/${encodeURIComponent(terminalId)}/sales`, readSale, { ...init, headers });
}

/** How many customers the box offers at once. */
export const OFFERED = 8;

/** Customers with an open invoice whose name, address or company has these words. */
export const searchCustomers = (words: string): Promise<Answer<ListPage<CustomerItem>>> =>
  api.call(`/api/customers?open=1&size=${OFFERED}&q=${encodeURIComponent(words)}`, readPage(readCustomers, 1));

/** What a customer has to pay, what is due first before the rest. */
export const openInvoicesOf = (customerId: string): Promise<Answer<ListPage<OpenInvoiceItem>>> =>
  api.call(
    `/api/invoices/getOpenInvoices?contact=${encodeURIComponent(customerId)}&status=open&sort=due_date&size=100`,
    readPage(openInvoiceSource.readRows, 1),
  );

const payStates: PaymentStatus['state'][] = ['none', 'pending', 'submitted', 'paid', 'declined', 'desk'];

const readStatus: Reader<PaymentStatus> = (body) => {
  const state = isRecord(body) ? payStates.find((name) => name === body.state) : undefined;
  if (!isRecord(body) || !state) return null;
  return {
    state,
    ...(isTransaction(body.transaction) ? { transaction: body.transaction } : {}),
    ...(isText(body.receiptUrl) ? { receiptUrl: body.receiptUrl } : {}),
  };
};

/** How far the payer of a link is. */
export const askPayer = (payId: string): Promise<Answer<PaymentStatus>> =>
  api.call(paymentStatusApi(payId), readStatus);
