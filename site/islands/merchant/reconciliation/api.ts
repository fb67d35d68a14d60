import type {
  BatchReconciliation,
  ReconciliationLine,
  ReconciliationSum,
  ReconciliationVerdict,
  ReconciliationView,
} from '../../../../shared/contracts/reconciliation.ts';
import { api, sendJson } from '../api/api.ts';
import { isRecord, isText, type Reader } from '../api/parse-response.ts';

const VERDICTS: ReconciliationVerdict[] = ['matched', 'only-gateway', 'only-ours', 'amount-differs', 'earlier', 'none'];
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
const isInvoice = (value: unknown): value is ReconciliationLine['invoice'] =>
  value === null || (isRecord(value) && isText(value.id) && isText(value.number));

const isLine = (value: unknown): value is ReconciliationLine =>
  isRecord(value) &&
  VERDICTS.some((verdict) => verdict === value.verdict) &&
  [value.id, value.type, value.card, value.payer, value.customer].every(isText) &&
  [value.at, value.amount, value.ours].every(isTextOrNull) &&
  isInvoice(value.invoice);
const isSum = (value: unknown): value is ReconciliationSum =>
  isRecord(value) &&
  (value.what === 'sales' || value.what === 'refunds' || value.what === 'net') &&
  isText(value.lines) &&
  isText(value.batch) &&
  typeof value.agrees === 'boolean';

const readBatchMatch: Reader<BatchReconciliation> = (body) =>
  isRecord(body) &&
  Array.isArray(body.lines) &&
  body.lines.every(isLine) &&
  Array.isArray(body.sums) &&
  body.sums.every(isSum)
    ? { lines: body.lines, sums: body.sums }
    : null;

const isUndecided = (value: unknown): value is ReconciliationView['undecided'][number] =>
  isRecord(value) &&
  [value.payment_id, value.invoice_id, value.invoice_number, value.customer, value.amount, value.since].every(isText);
const isUndecidedReversal = (value: unknown): value is ReconciliationView['undecided_reversals'][number] =>
  isRecord(value) &&
  (value.kind === 'void' || value.kind === 'refund') &&
  [value.reversal_id, value.invoice_id, value.invoice_number, value.customer, value.amount].every(isText) &&
  [value.paid, value.given_back, value.reason, value.by, value.since, value.why].every(isText);
const ABOUT = ['payment', 'void', 'refund'];
const DECISIONS = ['charged', 'not-charged', 'happened', 'not-happened'];
const isResolution = (value: unknown): value is ReconciliationView['resolved'][number] =>
  isRecord(value) &&
  ABOUT.some((about) => about === value.about) &&
  DECISIONS.some((decision) => decision === value.verdict) &&
  [value.invoice_number, value.amount, value.note, value.by, value.at].every(isText);

const readMatching: Reader<ReconciliationView> = (body) => {
  if (!isRecord(body)) return null;
  const { checked_at, failing_since, differences, undecided, undecided_reversals, resolved } = body;
  if (!isTextOrNull(checked_at) || !isTextOrNull(failing_since)) return null;
  if (!Array.isArray(differences) || !differences.every(isLine)) return null;
  if (!Array.isArray(undecided) || !undecided.every(isUndecided)) return null;
  if (!Array.isArray(undecided_reversals) || !undecided_reversals.every(isUndecidedReversal)) return null;
  if (!Array.isArray(resolved) || !resolved.every(isResolution)) return null;
  return { checked_at, failing_since, differences, undecided, undecided_reversals, resolved };
};

const readSaid: Reader<string> = (body) => (isRecord(body) && isText(body.message) ? body.message : null);

export const fetchReconciliation = () => api.call('/api/matching', readMatching);
export const checkNow = () => api.call('/api/matching', readMatching, sendJson('POST', {}));
export const fetchBatchReconciliation = (terminalId: string, batchId: string) =>
  api.call(
    `/api/terminals/${encodeURIComponent(terminalId)}/batches/${encodeURIComponent(batchId)}/match`,
    readBatchMatch,
  );
export const resolvePayment = (paymentId: string, verdict: 'charged' | 'not-charged', note: string) =>
  api.call(`/api/payments/${encodeURIComponent(paymentId)}/resolution`, readSaid, sendJson('POST', { verdict, note }));
export const resolveReversal = (reversalId: string, verdict: 'happened' | 'not-happened', note: string) =>
  api.call(
    `/api/reversals/${encodeURIComponent(reversalId)}/resolution`,
    readSaid,
    sendJson('POST', { verdict, note }),
  );
