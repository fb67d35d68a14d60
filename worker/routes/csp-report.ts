import { handleCspReport } from '#worker/domain/tamper-monitor/report';
import { anyMedia, noBody, type Routes, route } from '#worker/http/routes';

/** Browsers report violations of a page's policy here. */
export const cspReportRoutes: Routes = {
  'POST /api/csp-report': route({
    access: 'anyone',
    summary: 'Report a violation of the content security policy',
    body: anyMedia,
    bodyLimit: 20_000,
    answers: { 204: noBody },
    handle: async ({ c, deps }) => {
      handleCspReport(deps, await c.req.text());
      return c.body(null, 204);
    },
  }),
};
