import type {
  ReopenInvoiceReply,
  ReversalOffer,
  ReversalReply,
  ReversalState,
  ReversalView,
  ShownReversal,
} from '../../../../shared/contracts/batches.ts';
import { api, sendJson } from '../api/api.ts';
import { isRecord, isText, type Reader } from '../api/parse-response.ts';

const STATES: ReversalState[] = ['under-way', 'done', 'refused', 'not-done', 'needs-a-person'];

/** Undefined: it is no offer. */
export function readOffer(value: unknown): ReversalOffer | undefined {
  if (!isRecord(value) || !isText(value.left)) return undefined;
  const { kind, left, why } = value;
  if (kind !== null && kind !== 'void' && kind !== 'refund') return undefined;
  return why === null || isText(why) ? { kind, left, why } : undefined;
}

function reversalOf(value: unknown): ShownReversal | null {
  if (!isRecord(value)) return null;
  const { id, kind, amount, reason, message, at } = value;
  const state = STATES.find((one) => one === value.state);
  if ((kind !== 'void' && kind !== 'refund') || !state) return null;
  if (!isText(id) || !isText(amount) || !isText(reason) || !isText(message) || !isText(at)) return null;
  return { id, kind, amount, state, reason, message, at };
}

const readView: Reader<ReversalView> = (body) => {
  if (!isRecord(body) || !isRecord(body.payment) || !Array.isArray(body.reversals)) return null;
  const { id, invoice_id, invoice_number, amount, card, paid_at } = body.payment;
  const offer = readOffer(body.offer);
  const reversals = body.reversals.map(reversalOf);
  if (!isText(id) || !isText(invoice_id) || !isText(invoice_number) || !isText(amount)) return null;
  if (!isText(card) || !isText(paid_at) || !offer || !reversals.every((one) => one !== null)) return null;
  return { payment: { id, invoice_id, invoice_number, amount, card, paid_at }, offer, reversals };
};

const readReply: Reader<ReversalReply> = (body) => {
  const reversal = isRecord(body) ? reversalOf(body.reversal) : null;
  return reversal && isRecord(body) && isText(body.message) ? { reversal, message: body.message } : null;
};

const readCollection: Reader<ReopenInvoiceReply> = (body) => {
  if (!isRecord(body) || typeof body.collection !== 'number') return null;
  const { collection, notice } = body;
  return notice === null || isText(notice) ? { collection, notice } : null;
};

const of = (paymentId: string) => `/api/payments/${encodeURIComponent(paymentId)}`;

export type AskedReversal = { kind: 'void' | 'refund'; amount?: string; reason: string; requestId: string };

export const fetchReversal = (paymentId: string) => api.call(`${of(paymentId)}/reversal`, readView);
export const askReversal = (paymentId: string, asked: AskedReversal) =>
  api.call(`${of(paymentId)}/reversals`, readReply, sendJson('POST', asked));
export const askReopenInvoice = (invoiceId: string) =>
  api.call(`/api/invoices/${encodeURIComponent(invoiceId)}/collect-again`, readCollection, { method: 'POST' });
