import { consoleLog } from '../log.ts';
import { apiError } from '../middleware/errors.ts';
import { limitBody } from '../middleware/limit-body.ts';
import { type App, route } from '../middleware/methods.ts';

/** Browsers report here what the pay page's policy stopped; the operator sees a line, without the page's address. */
export function cspReportRoutes(app: App): void {
  app.use(
    '/api/csp-report',
    limitBody(20_000, (c) => apiError(c, 413, 'too-large', 'The request is too large.')),
  );
  route(app, '/api/csp-report', {
    POST: async (c) => {
      const text = await c.req.text();
      const directive = /"(?:effective-?[dD]irective|violated-directive)"\s*:\s*"([\w-]{1,40})/.exec(text)?.[1] ?? '';
      const blocked = /"blocked-?(?:URL|uri)"\s*:\s*"([^"?#]{1,100})/.exec(text)?.[1] ?? '';
      consoleLog.alert('csp-violation', { directive, blocked });
      return c.body(null, 204);
    },
  });
}
