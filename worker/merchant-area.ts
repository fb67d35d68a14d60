import type { Deps, Env } from './deps.ts';
import { apiError } from './middleware/errors.ts';
import { noteRoute } from './middleware/every-request.ts';
import { type App, newApp } from './middleware/methods.ts';
import { analyticsRoutes } from './routes/analytics.ts';
import { batchRoutes } from './routes/batches.ts';
import { customerRoutes } from './routes/customers.ts';
import { oneInvoiceRoutes } from './routes/invoice.ts';
import { invoiceMailRoutes } from './routes/invoice-mails.ts';
import { invoiceRoutes } from './routes/invoices.ts';
import { matchingRoutes } from './routes/matching.ts';
import { reversalRoutes } from './routes/reversals.ts';
import { terminalSaleRoutes } from './routes/terminal-sales.ts';

/** What a merchant works with once logged in; worker/app.ts hands its requests on to here. */
export function createMerchantArea(depsOf: (env: Env) => Deps): App {
  const area = newApp();
  const deps = (c: { env: Env }) => depsOf(c.env);
  area.use(noteRoute);
  // Whoever handed the request on knows what to answer and under which id to log it.
  area.onError((cause) => {
    throw cause;
  });
  analyticsRoutes(area, deps);
  batchRoutes(area, deps);
  invoiceRoutes(area, deps);
  customerRoutes(area, deps);
  invoiceMailRoutes(area, deps);
  oneInvoiceRoutes(area, deps);
  terminalSaleRoutes(area, deps);
  reversalRoutes(area, deps);
  matchingRoutes(area, deps);
  area.notFound((c) => apiError(c, 404, 'not-found', 'Not found.'));
  return area;
}
