import type { CustomerItem, OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { PaymentStatus } from '#shared/contracts/payments/payment-answers';
import { SaleReply, type StartSaleBody, type TerminalSale } from '#shared/contracts/payments/terminals';
import { listLimits } from '#shared/limits';
import { paymentStatusApi } from '#shared/paths';
import { failedAnswer, readWith, UNREACHABLE_ERROR } from '#site/islands/ui/api/parse-response.ts';
import { type ListPage, readPage } from '#site/islands/ui/table/list-view.ts';
import { type Answer, api, sendJson } from '../api/api.ts';
import { readCustomers } from '../lists/customers.ts';
import { openInvoiceSource } from '../pay-links/open-invoices.ts';

/** The first state and the outcome of a sale whose reply is still streaming. */
export type SaleStream = {
  started: TerminalSale;
  /** Null if the connection was lost. The caller must then poll. */
  outcome: Promise<TerminalSale | null>;
};

const readStreamedSale = readWith(SaleReply, ({ sale }) => sale);
/** The streams that this page has opened since it was loaded. */
const streams = new Map<string, SaleStream>();

export const streamOf = (saleId: string): SaleStream | undefined => streams.get(saleId);

/** Reads the first line of the reply, and keeps the stream open for the last line. Null if there is no first line. */
export async function openStream({ body }: Response): Promise<TerminalSale | null> {
  const lines = linesOf(body);
  const started = await readNextSale(lines);
  if (!started) return null;
  const outcome = readNextSale(lines).finally(() => streams.delete(started.id));
  streams.set(started.id, { started, outcome });
  return started;
}

/** Reads the next line that is not empty. Empty lines only prevent proxies from closing an idle connection. */
async function readNextSale(lines: AsyncIterator<string>): Promise<TerminalSale | null> {
  try {
    for (;;) {
      const { done, value } = await lines.next();
      if (done) return null;
      if (value !== '') return readStreamedSale(JSON.parse(value));
    }
  } catch {
    return null;
  }
}

/** Yields complete lines. Text after the last line break is incomplete and is ignored. */
async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let text = '';
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) return;
    const lines = (text + part.value).split('\n');
    text = lines.pop() ?? '';
    yield* lines;
  }
}

const readSale = readWith(SaleReply);
const readPaymentStatus = readWith(PaymentStatus);

export const fetchSale = (id: string): Promise<Answer<SaleReply>> =>
  api.call(`/api/sales/${encodeURIComponent(id)}`, readSale);

/** Fetches the sale that a submission started. A 404 means that there is none, or that the request is on its way. */
export const fetchSaleOfSubmission = ({
  key,
  invoiceId,
}: {
  key: string;
  invoiceId: string;
}): Promise<Answer<SaleReply>> =>
  api.call(`/api/sales/${encodeURIComponent(key)}?invoice=${encodeURIComponent(invoiceId)}`, readSale);

/**
 * Starts a sale. The reply streams until the card reader is done, which keeps the provider's call alive. `streamOf`
 * returns the stream with the outcome.
 */
export async function startSale(terminalId: string, body: StartSaleBody): Promise<Answer<SaleReply>> {
  const init = sendJson('POST', body);
  const headers = { ...init.headers, accept: 'application/x-ndjson' };
  // A repeated request gets its existing sale as plain JSON, since the first request has the stream.
  const readResponse = (reply: unknown) => (reply instanceof Response ? reply : readSale(reply));
  const path = `/api/terminals/${encodeURIComponent(terminalId)}/sales`;
  const answer = await api.call(path, readResponse, { ...init, headers });
  if (!answer.ok) return answer;
  if (!(answer.value instanceof Response)) return { ok: true, value: answer.value };
  const sale = await openStream(answer.value);
  return sale ? { ok: true, value: { sale } } : failedAnswer(UNREACHABLE_ERROR);
}

/** The maximum number of customers per search. */
export const MAX_RESULTS = 8;

/**
 * Finds customers with an open invoice whose name, email address, phone or company matches the query. Matches by name
 * come first.
 */
export const searchCustomers = (query: string): Promise<Answer<ListPage<CustomerItem>>> =>
  api.call(`/api/customers?open=1&size=${MAX_RESULTS}&q=${encodeURIComponent(query)}`, readPage(readCustomers, 1));

/** Fetches a customer's open invoices, those with the earliest due date first. */
export const fetchOpenInvoicesOf = (customerId: string): Promise<Answer<ListPage<OpenInvoiceItem>>> =>
  api.call(
    `/api/invoices/getOpenInvoices?contact=${encodeURIComponent(customerId)}&status=open&sort=due_date&size=${listLimits.rows}`,
    readPage(openInvoiceSource.readRows, 1),
  );

/** A placeholder for an attempt id. Without an id, earlier parts of the invoice would count as the payment. */
const NO_ATTEMPT = 'none-of-mine';

/** Fetches the status of an invoice's payment by pay link. */
export const fetchPaymentStatus = (payId: string): Promise<Answer<PaymentStatus>> =>
  api.call(paymentStatusApi(payId, NO_ATTEMPT), readPaymentStatus);
