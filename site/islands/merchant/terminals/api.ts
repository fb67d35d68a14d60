import type { CustomerItem, OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { PaymentStatus } from '#shared/contracts/payments/payment-answers';
import { SaleReply, type StartSaleBody, type TerminalSale, TerminalsReply } from '#shared/contracts/payments/terminals';
import { listLimits } from '#shared/limits';
import { paymentStatusApi } from '#shared/paths';
import { failed, readWith, UNREACHABLE } from '#site/islands/ui/api/parse-response.ts';
import { type ListPage, readPage } from '#site/islands/ui/table/list-view.ts';
import { type Answer, api, sendJson } from '../api/api.ts';
import { readCustomers } from '../lists/customers.ts';
import { openInvoiceSource } from '../pay-links/open-invoices.ts';

/** A sale whose answer is still open: as it was started, and what came of it. */
export type OpenLine = {
  started: TerminalSale;
  /** Null: the line was cut, so somebody has to ask. */
  outcome: Promise<TerminalSale | null>;
};

const readLineSale = readWith(SaleReply, ({ sale }) => sale);
/** Of this page. A sale of another tab, or from before a reload, has none here. */
const open = new Map<string, OpenLine>();

export const lineOf = (saleId: string): OpenLine | undefined => open.get(saleId);

/** Reads the answer to its first line and keeps it open for the last one. Null: it was cut before. */
export async function openLine({ body }: Response): Promise<TerminalSale | null> {
  const lines = linesOf(body);
  const started = await next(lines);
  if (!started) return null;
  const outcome = next(lines).finally(() => open.delete(started.id));
  open.set(started.id, { started, outcome });
  return started;
}

/** The next line that says something. An empty one only keeps proxies from cutting a line that is quiet. */
async function next(lines: AsyncIterator<string>): Promise<TerminalSale | null> {
  try {
    for (;;) {
      const { done, value } = await lines.next();
      if (done) return null;
      if (value !== '') return readLineSale(JSON.parse(value));
    }
  } catch {
    return null;
  }
}

/** Whole lines: what stands behind the last line break was cut. */
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
