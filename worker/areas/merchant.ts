import { monitorGuard } from '#worker/http/guards/program-secret';
import { staffGuard } from '#worker/http/guards/require-merchant';
import { apiError } from '#worker/http/reply/errors';
import type { Routes } from '#worker/http/routes';
import { type App, serveArea } from '#worker/http/serve-routes';
import { analyticsRoutes } from '#worker/routes/analytics/analytics';
import { auditRoutes } from '#worker/routes/audit/audit';
import { batchRoutes } from '#worker/routes/batches/batches';
import { firstHourRoutes } from '#worker/routes/first-hour/first-hour';
import { healthRoutes } from '#worker/routes/health/health';
import { oneInvoiceRoutes } from '#worker/routes/invoices/invoice';
import { leavingRoutes } from '#worker/routes/leaving/account';
import { customerRoutes } from '#worker/routes/lists/customers';
import { invoiceRoutes } from '#worker/routes/lists/invoices';
import { invoiceMailRoutes } from '#worker/routes/mail/invoice-mails';
import { mailWebhookRoutes } from '#worker/routes/mail/mail-webhooks';
import { noticeRoutes } from '#worker/routes/mail/notices';
import { mailingRoutes } from '#worker/routes/mailings/mailings';
import { codeLoginRoutes } from '#worker/routes/merchants/code-login';
import { joinRoutes } from '#worker/routes/merchants/join';
import { onboardingRoutes } from '#worker/routes/merchants/onboarding';
import { ownFactorRoutes } from '#worker/routes/merchants/own-factors';
import { ownSessionRoutes } from '#worker/routes/merchants/own-sessions';
import { passkeyLoginRoutes } from '#worker/routes/merchants/passkey-login';
import { proofRoutes } from '#worker/routes/merchants/proofs';
import { supportViewRoutes } from '#worker/routes/merchants/support-view';
import { teamRoutes } from '#worker/routes/merchants/team';
import { partRoutes } from '#worker/routes/parts/parts';
import { billLineRoutes } from '#worker/routes/pay-page/bill-lines';
import { payerLanguageRoutes } from '#worker/routes/pay-page/payer-language';
import { reconciliationRoutes } from '#worker/routes/reconciliation/reconciliation';
import { reversalRoutes } from '#worker/routes/refunds/reversals';
import { reminderRoutes } from '#worker/routes/reminders/reminders';
import { stopRoutes } from '#worker/routes/reminders/stop';
import { takingsRoutes } from '#worker/routes/takings/takings';
import { monitorRoutes } from '#worker/routes/tamper-monitor/monitor';
import { terminalSaleRoutes } from '#worker/routes/terminals/terminal-sales';
import { todayRoutes } from '#worker/routes/today/today';
import { writeBackRoutes } from '#worker/routes/write-back/write-back';
import type { Deps, Env } from '../deps.ts';

/** Of logged-in staff, and of programs that are no payer's. */
export const merchantRooms: readonly Routes[] = [
  onboardingRoutes,
  analyticsRoutes,
  todayRoutes,
  auditRoutes,
  batchRoutes,
  takingsRoutes,
  invoiceRoutes,
  customerRoutes,
  invoiceMailRoutes,
  mailWebhookRoutes,
  oneInvoiceRoutes,
  codeLoginRoutes,
  passkeyLoginRoutes,
  proofRoutes,
  ownFactorRoutes,
  joinRoutes,
  teamRoutes,
  ownSessionRoutes,
  leavingRoutes,
  firstHourRoutes,
  mailingRoutes,
  reminderRoutes,
  noticeRoutes,
  writeBackRoutes,
  billLineRoutes,
  partRoutes,
  payerLanguageRoutes,
  stopRoutes,
  supportViewRoutes,
  terminalSaleRoutes,
  reversalRoutes,
  reconciliationRoutes,
  monitorRoutes,
  healthRoutes,
];

/** In bytes. */
const BODY_LIMIT = 10_000;

/** worker/app.ts forwards its requests here, and calls that nobody serves. */
export function createMerchantArea(depsOf: (env: Env) => Deps): App {
  const area = serveArea(merchantRooms, depsOf, { guards: [staffGuard, monitorGuard], bodyLimit: BODY_LIMIT });
  area.all('/api/*', (c) => apiError(c, 404, 'not-found', 'Not found.'));
  return area;
}
