import {
  BatchReconciliation,
  ReconciliationView,
  type ResolutionBody,
  ResolutionReply,
  type ReversalResolutionBody,
  ReversalResolutionReply,
  type SetAsideBody,
  SetAsideReply,
} from '#shared/contracts/payments/reconciliation';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { api, sendJson } from '../api/api.ts';

const readReconciliation = readWith(ReconciliationView);
const readBatchReconciliation = readWith(BatchReconciliation);
const readResolution = readWith(ResolutionReply, ({ message }) => message);
const readReversalResolution = readWith(ReversalResolutionReply, ({ message }) => message);
const readSetAside = readWith(SetAsideReply, ({ message }) => message);

export const fetchReconciliation = () => api.call('/api/matching', readReconciliation);
export const checkNow = () => api.call('/api/matching', readReconciliation, sendJson('POST', {}));
export const fetchBatchReconciliation = (terminalId: string, batchId: string) =>
  api.call(
    `/api/terminals/${encodeURIComponent(terminalId)}/batches/${encodeURIComponent(batchId)}/match`,
    readBatchReconciliation,
  );
export const resolvePayment = (paymentId: string, verdict: ResolutionBody['verdict'], note: string) =>
  api.call(
    `/api/payments/${encodeURIComponent(paymentId)}/resolution`,
    readResolution,
    sendJson<ResolutionBody>('POST', { verdict, note }),
  );
export const resolveReversal = (reversalId: string, verdict: ReversalResolutionBody['verdict'], note: string) =>
  api.call(
    `/api/reversals/${encodeURIComponent(reversalId)}/resolution`,
    readReversalResolution,
    sendJson<ReversalResolutionBody>('POST', { verdict, note }),
  );
export const markNotDuplicates = (paymentIds: string[], note: string) =>
  api.call('/api/look-alikes', readSetAside, sendJson<SetAsideBody>('POST', { payment_ids: paymentIds, note }));
