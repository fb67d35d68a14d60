/** The product's entry points for the simulation: its verbs, called as its routes call them. Never deployed. */

import type { TakePaymentBody } from '#shared/contracts/payments/payment-request';
import type { StartSaleBody } from '#shared/contracts/payments/terminals';
import { depsOfCapability } from '#worker/clinic/capability-keys';
import { receiptMailId } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { readSyncState, refreshIfStale } from '#worker/domain/crm-sync/state';
import { sendMail } from '#worker/domain/mail/send';
import type { Merchant } from '#worker/domain/merchants/session';
import { viewLink } from '#worker/domain/pay-page/view-payable';
import { viewPayment } from '#worker/domain/pay-page/view-payment';
import { inquirePaymentStatus } from '#worker/domain/payments/inquire-status';
import { settleAndMail } from '#worker/domain/payments/pay-outcome';
import { takePayment } from '#worker/domain/payments/take-payment';
import { handleTransactionWebhook } from '#worker/domain/reconciliation/handle-transaction-webhook';
import { runTerminalSale, startTerminalSale } from '#worker/domain/terminals/sale';
import { watchSale } from '#worker/domain/terminals/view-sale';

export { depsOfClinic } from '#worker/clinic/capability-keys';
export { remoteD1 } from '#worker/clinic/d1-interface';
export { CLINIC_SCHEMA, clinicMigrations } from '#worker/clinic/migrations';
export { ring } from '#worker/clinic/run-alarm';
export { asD1 } from '#worker/clinic/storage-as-d1';
export { openDb } from '#worker/data/db';
export { createDeps } from '#worker/deps';
export { viewAnalytics } from '#worker/domain/analytics/view-analytics';
export { closeBatch } from '#worker/domain/batches/close';
export { decideParts } from '#worker/domain/installments/decide-installments';
export { closeParts, openParts } from '#worker/domain/installments/open-and-close';
export { viewParts } from '#worker/domain/installments/view-installments';
export { findOrCreateClinic } from '#worker/domain/merchants/clinic-of-account';
export { boardTerminal, connectAccount } from '#worker/domain/merchants/connect';
export { openSession } from '#worker/domain/merchants/session';
export { viewOpenInvoiceSummary } from '#worker/domain/pay-links/open-invoices';
export { issuePayLink } from '#worker/domain/pay-links/pay-link';
export { reconcileAccount } from '#worker/domain/reconciliation/reconcile-accounts';
export { resolvePayment } from '#worker/domain/reconciliation/resolve-payment';
export { resolveReversal } from '#worker/domain/reconciliation/resolve-reversal';
export { decide as decideApproval } from '#worker/domain/refunds/approvals';
export { reversePayment } from '#worker/domain/refunds/refund';
export { reopenInvoice } from '#worker/domain/refunds/reopen-invoice';
export { runSchedule } from '#worker/domain/run-schedule';
export { viewTakings } from '#worker/domain/takings/view-takings';
export { consoleLog } from '#worker/log';

/** Continues work after the response, like the platform's `waitUntil`. */
export type WaitUntil = (name: string, work: () => Promise<unknown>) => void;

/** Resolves the clinic's deps from a capability, as the routes do. */
function clinicDeps(deps: Deps, capability: string): Deps {
  const resolved = depsOfCapability(deps, capability);
  if (!resolved) throw new Error('no clinic has this capability');
  return resolved;
}

export async function pay(
  installationDeps: Deps,
  waitUntil: WaitUntil,
  payId: string,
  body: TakePaymentBody,
  clientIp: string,
) {
  const deps = clinicDeps(installationDeps, payId);
  const outcome = await takePayment(deps, payId, body, { clientIp });
  if (outcome.kind === 'approved') waitUntil('receipt', () => sendMail(deps, receiptMailId(outcome.attempt.id)));
  return outcome;
}

/** Handles the status request of a waiting pay page. */
export async function poll(installationDeps: Deps, waitUntil: WaitUntil, payId: string, attemptKey?: string) {
  const deps = clinicDeps(installationDeps, payId);
  const view = await viewPayment(deps, payId, attemptKey);
  const due = view?.dueCheck;
  if (due) waitUntil('inquiry', () => settleAndMail(deps, due));
  return view?.status ?? null;
}

/** Loads a pay page. */
export async function open(installationDeps: Deps, waitUntil: WaitUntil, payId: string) {
  const deps = clinicDeps(installationDeps, payId);
  const view = await viewLink(deps, payId);
  const due = 'dueCheck' in view ? view.dueCheck : null;
  if (due) waitUntil('inquiry', () => inquirePaymentStatus(deps, due));
  return view;
}

export async function sellAtDesk(
  deps: Deps,
  waitUntil: WaitUntil,
  merchant: Merchant,
  terminalId: string,
  body: StartSaleBody,
) {
  const outcome = await startTerminalSale(deps, merchant, terminalId, body);
  if (outcome.kind === 'started' && outcome.isNew) waitUntil('sale', () => runTerminalSale(deps, outcome.counter));
  return outcome;
}

export async function watchDesk(deps: Deps, waitUntil: WaitUntil, merchant: Merchant, saleId: string) {
  const view = await watchSale(deps, merchant, { id: saleId });
  const due = view?.dueCheck;
  if (due) waitUntil('inquiry', () => settleAndMail(deps, due));
  return view?.sale ?? null;
}

/** Opens a list: it shows synced records while the CRM is refreshed in the background. */
export async function openList(deps: Deps, waitUntil: WaitUntil, accountId: number) {
  const state = await readSyncState(deps, accountId);
  waitUntil('sync', () => refreshIfStale(deps, accountId, state));
}

/** Handles a webhook that arrived at the secret address. */
export async function receiveWebhook(deps: Deps, body: string) {
  const event = deps.gateway.readTransactionEvent(body);
  if (event) await handleTransactionWebhook(deps, event);
}
