import type { Context } from 'hono';
import type { Deps, Env } from '../deps.ts';
import { apiError } from '../middleware/errors.ts';
import { limitBody } from '../middleware/limit-body.ts';
import { type App, route } from '../middleware/methods.ts';

/** Where browsers report what a page's policy stopped; loaded when one does. */
export function cspReportRoutes(app: App, depsOf: (c: Context<{ Bindings: Env }>) => Deps): void {
  app.use(
    '/api/csp-report',
    limitBody(20_000, (c) => apiError(c, 413, 'too-large', 'The request is too large.')),
  );
  route(app, '/api/csp-report', {
    POST: async (c) => {
      const { hearViolation } = await import('../domain/hear-violation.ts');
      hearViolation(depsOf(c), await c.req.text());
      return c.body(null, 204);
    },
  });
}
