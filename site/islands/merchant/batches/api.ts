import {
  type Batch,
  type BatchTransaction,
  batchStatuses,
  type CloseBatchReply,
  type ClosingReply,
} from '../../../../shared/contracts/batches.ts';
import type { Device } from '../../../../shared/contracts/session.ts';
import { api } from '../api/api.ts';
import { isRecord, isText, type Reader } from '../api/parse-response.ts';
import { readOffer } from '../refunds/api.ts';

/** Readers of what the Worker answers about batches, and the calls. */

const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
const isDevice = (value: unknown): value is Device =>
  isRecord(value) && isText(value.terminal_id) && isText(value.terminal_name);

const AMOUNTS = ['sales-count', 'sales-total', 'refund-count', 'refund-total', 'net-amount'] as const;

export const isBatch = (value: unknown): value is Batch =>
  isRecord(value) &&
  isText(value.id) &&
  batchStatuses.some((status) => status === value.status) &&
  isText(value.terminal_name) &&
  isText(value['terminal-id']) &&
  AMOUNTS.every((name) => isText(value[name])) &&
  [value['date-opened'], value.settled, value['confirmation-code']].every(isTextOrNull);

const readDevices: Reader<Device[]> = (body) => (Array.isArray(body) && body.every(isDevice) ? body : null);
const readBatches: Reader<Batch[]> = (body) =>
  isRecord(body) && Array.isArray(body.batch) && body.batch.every(isBatch) ? body.batch : null;

const readClose: Reader<CloseBatchReply> = (body) => {
  if (!isRecord(body) || !isText(body.message)) return null;
  const { status, message, batch } = body;
  if (status !== 'closed' && status !== 'processing' && status !== 'unknown') return null;
  return batch === null || isBatch(batch) ? { status, message, batch } : null;
};

const isUnknown = (value: unknown): value is ClosingReply['unknown'][number] =>
  isRecord(value) && isText(value.invoice_number) && isText(value.amount) && isText(value.since);
const isAlike = (value: unknown): value is NonNullable<ClosingReply['duplicates']>[number] =>
  isRecord(value) &&
  isText(value.amount) &&
  isText(value['card-type']) &&
  isText(value.card) &&
  Array.isArray(value.created) &&
  value.created.every(isText);

const readClosing: Reader<ClosingReply> = (body) => {
  if (!isRecord(body) || !Array.isArray(body.unknown) || !body.unknown.every(isUnknown)) return null;
  const { batch, unknown, duplicates } = body;
  if (batch !== null && !isBatch(batch)) return null;
  if (duplicates !== null && !(Array.isArray(duplicates) && duplicates.every(isAlike))) return null;
  return { batch, unknown, duplicates };
};

function paymentOf(value: unknown): BatchTransaction['payment'] | undefined {
  if (value === null) return null;
  if (!isRecord(value)) return undefined;
  const { id, invoice_id, invoice_number } = value;
  const offer = value.offer === null ? null : readOffer(value.offer);
  if (!isText(id) || !isText(invoice_id) || !isText(invoice_number) || offer === undefined) return undefined;
  return { id, invoice_id, invoice_number, offer };
}

function transactionOf(value: unknown): BatchTransaction | null {
  if (!isRecord(value) || !isRecord(value.billing)) return null;
  const { id, amount, type, result, card, created, voided } = value;
  const { 'first-name': first, 'last-name': last } = value.billing;
  const brand = value['card-type'];
  const payment = paymentOf(value.payment);
  const isTexts = isText(id) && isText(type) && isText(result) && isText(card) && isText(brand);
  if (!isTexts || !isTextOrNull(amount) || !isTextOrNull(created) || payment === undefined) return null;
  if (!isText(first) || !isText(last) || typeof voided !== 'boolean') return null;
  const billing = { 'first-name': first, 'last-name': last };
  return { id, amount, type, result, 'card-type': brand, card, billing, created, voided, payment };
}

const readTransactions: Reader<BatchTransaction[]> = (body) => {
  if (!Array.isArray(body)) return null;
  const rows = body.map(transactionOf);
  return rows.every((row) => row !== null) ? rows : null;
};

const of = (terminalId: string) => `/api/terminals/${encodeURIComponent(terminalId)}`;

export const fetchDevices = () => api.call('/api/terminals', readDevices);
export const fetchBatches = (terminalId: string) => api.call(`${of(terminalId)}/batches`, readBatches);
export const fetchClosing = (terminalId: string) => api.call(`${of(terminalId)}/closing`, readClosing);
/** Only the batch that was asked about is closed, however late the press arrives. */
export const closeBatch = (terminalId: string, batchId: string) =>
  api.call(`${of(terminalId)}/batches/close?batch=${encodeURIComponent(batchId)}`, readClose, { method: 'PUT' });
export const fetchTransactions = (terminalId: string, batchId: string) =>
  api.call(`${of(terminalId)}/batches/${encodeURIComponent(batchId)}`, readTransactions);
export const fetchBatchFile = (terminalId: string, batchId: string) =>
  api.call(
    `${of(terminalId)}/batches/${encodeURIComponent(batchId)}?format=csv`,
    (body) => (body instanceof Blob ? body : null),
    { headers: { accept: 'text/csv' } },
  );
