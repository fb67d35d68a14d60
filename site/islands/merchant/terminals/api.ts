import type { CustomerItem, OpenInvoiceItem } from '#shared/contracts/lists';
import { PaymentStatus } from '#shared/contracts/payment-status';
import { SaleReply, TerminalsReply } from '#shared/contracts/terminals';
import type { StartSaleBody } from '#shared/contracts/terminals-request';
import { listLimits } from '#shared/limits';
import { paymentStatusApi } from '#shared/paths';
import { failed, UNREACHABLE } from '#site/islands/ui/api/parse-response.ts';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { type ListPage, readPage } from '#site/islands/ui/table/list-page.ts';
import { type Answer, api, sendJson } from '../api/api.ts';
import { readCustomers } from '../lists/customers.ts';
import { openInvoiceSource } from '../pay-links/open-invoices.ts';
import { openLine } from './open-line.ts';

const readTerminals = readWith(TerminalsReply);
const readSale = readWith(SaleReply);
const readStatus = readWith(PaymentStatus);

export const askTerminals = (): Promise<Answer<TerminalsReply>> => api.call('/api/counter-terminals', readTerminals);
export const askSale = (id: string): Promise<Answer<SaleReply>> =>
  api.call(`/api/sales/${encodeURIComponent(id)}`, readSale);

/** The sale that a press has started; 404: none, or it is still on its way. */
export const askPress = ({ key, invoiceId }: { key: string; invoiceId: string }): Promise<Answer<SaleReply>> =>
  api.call(`/api/sales/${encodeURIComponent(key)}?invoice=${encodeURIComponent(invoiceId)}`, readSale);

/** The answer stays open until the card reader is done, which keeps the provider's call alive; `lineOf` has its end. */
export async function startSale(terminalId: string, body: StartSaleBody): Promise<Answer<SaleReply>> {
  const init = sendJson('POST', body);
  const headers = { ...init.headers, accept: 'application/x-ndjson' };
  // A press that is repeated finds its sale, whose line is another's.
  const read = (reply: unknown) => (reply instanceof Response ? reply : readSale(reply));
  const path = `/api/terminals/${encodeURIComponent(terminalId)}/sales`;
  const answer = await api.call(path, read, { ...init, headers });
  if (!answer.ok) return answer;
  if (!(answer.value instanceof Response)) return { ok: true, value: answer.value };
  const sale = await openLine(answer.value);
  return sale ? { ok: true, value: { sale } } : failed(UNREACHABLE);
}

/** Customers per search. */
export const OFFERED = 8;

/** Customers with an open invoice whose name, e-mail address or company matches the words. */
export const searchCustomers = (words: string): Promise<Answer<ListPage<CustomerItem>>> =>
  api.call(`/api/customers?open=1&size=${OFFERED}&q=${encodeURIComponent(words)}`, readPage(readCustomers, 1));

/** A customer's open invoices, earliest due first. */
export const openInvoicesOf = (customerId: string): Promise<Answer<ListPage<OpenInvoiceItem>>> =>
  api.call(
    `/api/invoices/getOpenInvoices?contact=${encodeURIComponent(customerId)}&status=open&sort=due_date&size=${listLimits.rows}`,
    readPage(openInvoiceSource.readRows, 1),
  );

/** The desk has made no press of its own: of an invoice in parts, earlier parts are then no answer. */
const NO_PRESS = 'none-of-mine';

/** How far the payer of a link is. */
export const askPayer = (payId: string): Promise<Answer<PaymentStatus>> =>
  api.call(paymentStatusApi(payId, NO_PRESS), readStatus);
