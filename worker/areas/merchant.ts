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
import { partRoutes } from '#worker/routes/installments/installments';
import { singleInvoiceRoutes } from '#worker/routes/invoices/invoice';
import { leavingRoutes } from '#worker/routes/leaving/account';
import { customerDataRoutes } from '#worker/routes/lists/customer-data';
import { customerRoutes, invoiceRoutes } from '#worker/routes/lists/lists';
import { invoiceMailRoutes, mailWebhookRoutes, noticeRoutes } from '#worker/routes/mail/mail';
import { mailingRoutes } from '#worker/routes/mailings/mailings';
import { codeLoginRoutes, passkeyLoginRoutes } from '#worker/routes/merchants/login';
import { onboardingRoutes } from '#worker/routes/merchants/onboarding';
import { ownFactorRoutes, ownSessionRoutes } from '#worker/routes/merchants/own-login';
import { proofRoutes } from '#worker/routes/merchants/proofs';
import { supportViewRoutes } from '#worker/routes/merchants/support-view';
import { joinRoutes, teamRoutes } from '#worker/routes/merchants/team';
import { domainAssociationRoutes } from '#worker/routes/pay-page/domain-association';
import { payerLanguageRoutes, payPageSwitchRoutes } from '#worker/routes/pay-page/settings';
import { reconciliationRoutes } from '#worker/routes/reconciliation/reconciliation';
import { reversalRoutes } from '#worker/routes/refunds/reversals';
import { reminderRoutes, stopRoutes } from '#worker/routes/reminders/reminders';
import { takingsRoutes } from '#worker/routes/takings/takings';
import { monitorRoutes } from '#worker/routes/tamper-monitor/monitor';
import { terminalSaleRoutes } from '#worker/routes/terminals/terminal-sales';
import { todayRoutes } from '#worker/routes/today/today';
import { writeBackRoutes } from '#worker/routes/write-back/write-back';
import type { Deps, Env } from '../deps.ts';

/** Routes for staff who are logged in, and for programs that do not serve payers. */
export const merchantRouteGroups: readonly Routes[] = [
  onboardingRoutes,
  analyticsRoutes,
  todayRoutes,
  auditRoutes,
  batchRoutes,
  takingsRoutes,
  invoiceRoutes,
  customerRoutes,
  customerDataRoutes,
  invoiceMailRoutes,
  mailWebhookRoutes,
  singleInvoiceRoutes,
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
  payPageSwitchRoutes,
  domainAssociationRoutes,
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

/** The body limit in bytes. */
const BODY_LIMIT = 10_000;

/** worker/app.ts forwards this area's requests here, and also API calls that match no other route. */
export function createMerchantArea(depsOf: (env: Env) => Deps): App {
  const area = serveArea(merchantRouteGroups, depsOf, { guards: [staffGuard, monitorGuard], bodyLimit: BODY_LIMIT });
  area.all('/api/*', (c) => apiError(c, 404, 'not-found', 'Not found.'));
  return area;
}
