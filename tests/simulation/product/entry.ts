/** The product's entry points for the simulation: its verbs, called as its routes call them. Never deployed. */

import type { TakePaymentBody } from '#shared/contracts/payments/payment-request';
import type { StartSaleBody } from '#shared/contracts/payments/terminals';
import { ofCapability } from '#worker/clinic/capability-keys';
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

export { ofClinic } from '#worker/clinic/capability-keys';
export { remoteD1 } from '#worker/clinic/facade';
export { CLINIC_SCHEMA, clinicMigrations } from '#worker/clinic/migrations';
export { ring } from '#worker/clinic/ring';
export { asD1 } from '#worker/clinic/storage-as-d1';
export { openDb } from '#worker/data/db';
export { createDeps } from '#worker/deps';
export { viewAnalytics } from '#worker/domain/analytics/view-analytics';
export { closeBatch } from '#worker/domain/batches/close';
export { foundClinic } from '#worker/domain/merchants/clinic-of-account';
export { boardTerminal, connectAccount } from '#worker/domain/merchants/connect';
export { openSession } from '#worker/domain/merchants/session';
export { decideParts } from '#worker/domain/parts/decide-parts';
export { closeParts, openParts } from '#worker/domain/parts/open-and-close';
export { viewParts } from '#worker/domain/parts/view-parts';
export { viewOwed } from '#worker/domain/pay-links/open-invoices';
export { issuePayLink } from '#worker/domain/pay-links/pay-link';
export { resolvePayment } from '#worker/domain/reconciliation/resolve-payment';
export { resolveReversal } from '#worker/domain/reconciliation/resolve-reversal';
export { reconcileAccount } from '#worker/domain/reconciliation/run';
export { decide as decideApproval } from '#worker/domain/refunds/approvals';
export { reversePayment } from '#worker/domain/refunds/refund';
export { reopenInvoice } from '#worker/domain/refunds/reopen-invoice';
export { runSchedule } from '#worker/domain/run-schedule';
export { viewTakings } from '#worker/domain/takings/view-takings';
export { consoleLog } from '#worker/log';

/** Continues work after the response, like `waitUntil`. */
export type GoOn = (what: string, work: () => Promise<unknown>) => void;

/** Deps of the clinic that a capability names, as the routes resolve it. */
function reached(deps: Deps, capability: string): Deps {
  const own = ofCapability(deps, capability);
  if (!own) throw new Error('this capability is nobody’s');
  return own;
}

export async function pay(any: Deps, goOn: GoOn, payId: string, body: TakePaymentBody, clientIp: string) {
  const deps = reached(any, payId);
  const outcome = await takePayment(deps, payId, body, { clientIp });
  if (outcome.kind === 'approved') goOn('receipt', () => sendMail(deps, receiptMailId(outcome.attempt.id)));
  return outcome;
}

/** The status request of a waiting pay page. */
export async function poll(any: Deps, goOn: GoOn, payId: string, attemptKey?: string) {
  const deps = reached(any, payId);
  const found = await viewPayment(deps, payId, attemptKey);
  const due = found?.dueCheck;
  if (due) goOn('inquiry', () => settleAndMail(deps, due));
  return found?.status ?? null;
}

/** The load of a pay page. */
export async function open(any: Deps, goOn: GoOn, payId: string) {
  const deps = reached(any, payId);
  const found = await viewLink(deps, payId);
  const due = 'dueCheck' in found ? found.dueCheck : null;
  if (due) goOn('inquiry', () => inquirePaymentStatus(deps, due));
  return found;
}

export async function sellAtDesk(deps: Deps, goOn: GoOn, merchant: Merchant, terminalId: string, body: StartSaleBody) {
  const outcome = await startTerminalSale(deps, merchant, terminalId, body);
  if (outcome.kind === 'started' && outcome.isNew) goOn('sale', () => runTerminalSale(deps, outcome.counter));
  return outcome;
}

export async function watchDesk(deps: Deps, goOn: GoOn, merchant: Merchant, saleId: string) {
  const found = await watchSale(deps, merchant, { id: saleId });
  const due = found?.dueCheck;
  if (due) goOn('inquiry', () => settleAndMail(deps, due));
  return found?.sale ?? null;
}

/** Opens a list: it shows synced records while the CRM is refreshed in the background. */
export async function look(deps: Deps, goOn: GoOn, accountId: number) {
  const state = await readSyncState(deps, accountId);
  goOn('sync', () => refreshIfStale(deps, accountId, state));
}

/** A webhook that came to the right address. */
export async function receiveWebhook(deps: Deps, body: string) {
  const event = deps.gateway.readTransactionEvent(body);
  if (event) await handleTransactionWebhook(deps, event);
}
