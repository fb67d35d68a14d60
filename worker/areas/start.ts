import type { Routes } from '#worker/http/routes';
import { cspReportRoutes } from '#worker/routes/csp-report';
import { appPageRoutes } from '#worker/routes/merchants/app-pages';
import { sessionRoutes } from '#worker/routes/merchants/session';
import { payPageRoutes } from '#worker/routes/pay-page/pay-page';
import { payRoutes } from '#worker/routes/payments/pay';

/** Routes for payers, logins and pages, served without loading any further code. */
export const startRouteGroups: readonly Routes[] = [
  cspReportRoutes,
  sessionRoutes,
  appPageRoutes,
  payRoutes,
  payPageRoutes,
];

/** The body limit in bytes. */
export const START_BODY_LIMIT = 10_000;
