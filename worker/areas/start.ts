import type { Routes } from '#worker/http/routes';
import { cspReportRoutes } from '#worker/routes/csp-report';
import { appPageRoutes } from '#worker/routes/merchants/app-pages';
import { sessionRoutes } from '#worker/routes/merchants/session';
import { payPageRoutes } from '#worker/routes/pay-page/pay-page';
import { payRoutes } from '#worker/routes/payments/pay';

/** Of payers, of logins and of pages: served without loading anything more. */
export const startRooms: readonly Routes[] = [cspReportRoutes, sessionRoutes, appPageRoutes, payRoutes, payPageRoutes];

/** In bytes. */
export const START_BODY_LIMIT = 10_000;
