import type * as z from 'zod/mini';
import { ReopenInvoiceReply, ReversalReply, ReversalView } from '../../../../shared/contracts/batches.ts';
import type { ReversalBody } from '../../../../shared/contracts/reversal-request.ts';
import { readWith } from '../../ui/api/read-with.ts';
import { api, sendJson } from '../api/api.ts';

const readView = readWith(ReversalView);
const readReply = readWith(ReversalReply);
const readReopened = readWith(ReopenInvoiceReply);

const of = (paymentId: string) => `/api/payments/${encodeURIComponent(paymentId)}`;

export const fetchReversal = (paymentId: string) => api.call(`${of(paymentId)}/reversal`, readView);
export const askReversal = (paymentId: string, asked: z.input<typeof ReversalBody>) =>
  api.call(`${of(paymentId)}/reversals`, readReply, sendJson('POST', asked));
export const askReopenInvoice = (invoiceId: string) =>
  api.call(`/api/invoices/${encodeURIComponent(invoiceId)}/collect-again`, readReopened, { method: 'POST' });
