import * as z from 'zod/mini';
import { ReopenInvoiceReply, ReversalReply, ReversalView } from '#shared/contracts/batches';
import { WaitingReply } from '#shared/contracts/proof';
import type { ReversalBody } from '#shared/contracts/reversal-request';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { api, sendJson } from '../api/api.ts';

const readView = readWith(ReversalView);
const readAsked = readWith(z.union([WaitingReply, ReversalReply]));
const readReopened = readWith(ReopenInvoiceReply);

/** What became of an asked reversal: the gateway's answer, or that it waits for a second person. */
export type Asked = ReversalReply | WaitingReply;

const of = (paymentId: string) => `/api/payments/${encodeURIComponent(paymentId)}`;

export const fetchReversal = (paymentId: string) => api.call(`${of(paymentId)}/reversal`, readView);
export const reversalsOf = (paymentId: string) => `${of(paymentId)}/reversals`;
export const askReversal = (paymentId: string, asked: z.input<typeof ReversalBody>) =>
  api.call<Asked>(reversalsOf(paymentId), readAsked, sendJson('POST', asked));
export const askReopenInvoice = (invoiceId: string) =>
  api.call(`/api/invoices/${encodeURIComponent(invoiceId)}/collect-again`, readReopened, { method: 'POST' });
