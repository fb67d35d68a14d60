import type { Context } from 'hono';
import { apiError } from '../middleware/errors.ts';
import { type App, route } from '../middleware/methods.ts';

/** Merchants' paths that are not built yet: without a session each answers 401 before anything is looked up. */
const MERCHANT_PATHS: [string, 'GET' | 'POST' | 'PUT'][] = [
  ['/api/terminals/:terminalId/batches', 'GET'],
  ['/api/terminals/:terminalId/batches/close', 'PUT'],
  ['/api/terminals/:terminalId/batches/:batchId', 'GET'],
];

export function merchantRoutes(app: App): void {
  for (const [path, method] of MERCHANT_PATHS) {
    const refuse = (c: Context) => apiError(c, 401, 'unauthorized', 'Please log in again.');
    route(app, path, { [method]: refuse });
  }
}
