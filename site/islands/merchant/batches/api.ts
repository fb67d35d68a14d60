import * as z from 'zod/mini';
import { BatchesReply, BatchTransaction, CloseBatchReply, ClosingReply } from '#shared/contracts/payments/batches';
import { Device } from '#shared/contracts/staff/session';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { api } from '../api/api.ts';

const readTerminals = readWith(z.array(Device));
const readBatches = readWith(BatchesReply, ({ batch }) => batch);
const readClosing = readWith(ClosingReply);
const readCloseReply = readWith(CloseBatchReply);
const readTransactions = readWith(z.array(BatchTransaction));

const terminalPath = (terminalId: string) => `/api/terminals/${encodeURIComponent(terminalId)}`;

export const fetchTerminals = () => api.call('/api/terminals', readTerminals);
export const fetchBatches = (terminalId: string) => api.call(`${terminalPath(terminalId)}/batches`, readBatches);
export const fetchClosing = (terminalId: string) => api.call(`${terminalPath(terminalId)}/closing`, readClosing);
/** The request names the batch, so that a late click never closes the next one. */
export const closeBatch = (terminalId: string, batchId: string) =>
  api.call(`${terminalPath(terminalId)}/batches/close?batch=${encodeURIComponent(batchId)}`, readCloseReply, {
    method: 'PUT',
  });
export const fetchTransactions = (terminalId: string, batchId: string) =>
  api.call(`${terminalPath(terminalId)}/batches/${encodeURIComponent(batchId)}`, readTransactions);
export const fetchBatchFile = (terminalId: string, batchId: string) =>
  api.call(
    `${terminalPath(terminalId)}/batches/${encodeURIComponent(batchId)}?format=csv`,
    (body) => (body instanceof Blob ? body : null),
    { headers: { accept: 'text/csv' } },
  );

/** Returns the URL of a terminal's transactions, by default those of its newest batch. */
export const transactionsAddress = (terminalId: string, batchId?: string): string =>
  `/transactions?${new URLSearchParams({ terminal: terminalId, ...(batchId ? { batch: batchId } : {}) })}`;
