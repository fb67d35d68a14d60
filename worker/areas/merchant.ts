import { requestDeps } from '#worker/http/acting';
import { noteRoute } from '#worker/http/middleware/every-request';
import { apiError } from '#worker/http/reply/errors';
import { type App, newApp } from '#worker/http/route';
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
import { codeLoginRoutes } from '#worker/routes/merchants/code-login';
import { joinRoutes } from '#worker/routes/merchants/join';
import { onboardingRoutes } from '#worker/routes/merchants/onboarding';
import { ownFactorRoutes } from '#worker/routes/merchants/own-factors';
import { ownSessionRoutes } from '#worker/routes/merchants/own-sessions';
import { passkeyLoginRoutes } from '#worker/routes/merchants/passkey-login';
import { proofRoutes } from '#worker/routes/merchants/proofs';
import { supportViewRoutes } from '#worker/routes/merchants/support-view';
import { teamRoutes } from '#worker/routes/merchants/team';
import { reconciliationRoutes } from '#worker/routes/reconciliation/reconciliation';
import { reversalRoutes } from '#worker/routes/refunds/reversals';
import { reminderRoutes } from '#worker/routes/reminders/reminders';
import { stopRoutes } from '#worker/routes/reminders/stop';
import { monitorRoutes } from '#worker/routes/tamper-monitor/monitor';
import { terminalSaleRoutes } from '#worker/routes/terminals/terminal-sales';
import type { Deps, Env } from '../deps.ts';

/** Routes of logged-in merchants, and of programs that are no payer's; worker/app.ts forwards its requests here. */
export function createMerchantArea(depsOf: (env: Env) => Deps): App {
  const area = newApp();
  const deps = requestDeps(depsOf);
  area.use(noteRoute);
  // app.ts answers and logs errors, since it knows the request's id.
  area.onError((cause) => {
    throw cause;
  });
  onboardingRoutes(area, deps);
  analyticsRoutes(area, deps);
  auditRoutes(area, deps);
  batchRoutes(area, deps);
  invoiceRoutes(area, deps);
  customerRoutes(area, deps);
  invoiceMailRoutes(area, deps);
  oneInvoiceRoutes(area, deps);
  codeLoginRoutes(area, deps);
  passkeyLoginRoutes(area, deps);
  proofRoutes(area, deps);
  ownFactorRoutes(area, deps);
  joinRoutes(area, deps);
  teamRoutes(area, deps);
  ownSessionRoutes(area, deps);
  leavingRoutes(area, deps);
  firstHourRoutes(area, deps);
  reminderRoutes(area, deps);
  stopRoutes(area, deps);
  supportViewRoutes(area, deps);
  terminalSaleRoutes(area, deps);
  reversalRoutes(area, deps);
  reconciliationRoutes(area, deps);
  monitorRoutes(area, deps);
  healthRoutes(area, deps);
  area.notFound((c) => apiError(c, 404, 'not-found', 'Not found.'));
  return area;
}
