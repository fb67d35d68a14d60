import { requestDeps } from '#worker/http/acting';
import { noteRoute } from '#worker/http/middleware/every-request';
import { apiError } from '#worker/http/reply/errors';
import { type App, newApp } from '#worker/http/route';
import { analyticsRoutes } from '#worker/routes/analytics/analytics';
import { auditRoutes } from '#worker/routes/audit/audit';
import { batchRoutes } from '#worker/routes/batches/batches';
import { healthRoutes } from '#worker/routes/health/health';
import { oneInvoiceRoutes } from '#worker/routes/invoices/invoice';
import { customerRoutes } from '#worker/routes/lists/customers';
import { invoiceRoutes } from '#worker/routes/lists/invoices';
import { invoiceMailRoutes } from '#worker/routes/mail/invoice-mails';
import { onboardingRoutes } from '#worker/routes/merchants/onboarding';
import { reconciliationRoutes } from '#worker/routes/reconciliation/reconciliation';
import { reversalRoutes } from '#worker/routes/refunds/reversals';
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
  terminalSaleRoutes(area, deps);
  reversalRoutes(area, deps);
  reconciliationRoutes(area, deps);
  monitorRoutes(area, deps);
  healthRoutes(area, deps);
  area.notFound((c) => apiError(c, 404, 'not-found', 'Not found.'));
  return area;
}
