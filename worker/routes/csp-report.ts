import type { Context } from 'hono';
import { limitBody } from '#worker/http/middleware/limit-body';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';
import type { Deps, Env } from '../deps.ts';

/** Browsers report violations of a page's policy here; the handler is loaded on the first one. */
export function cspReportRoutes(app: App, depsOf: (c: Context<{ Bindings: Env }>) => Deps): void {
  app.use(
    '/api/csp-report',
    limitBody(20_000, (c) => apiError(c, 413, 'too-large', 'The request is too large.')),
  );
  route(app, '/api/csp-report', {
    POST: async (c) => {
      const { handleCspReport } = await import('#worker/domain/handle-csp-report');
      handleCspReport(depsOf(c), await c.req.text());
      return c.body(null, 204);
    },
  });
}
