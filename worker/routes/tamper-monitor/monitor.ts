import type { Context } from 'hono';
import type { Approved } from '#shared/contracts/monitor';
import { ApprovalBody, MonitorReportBody } from '#shared/contracts/monitor-request';
import { monitorLimits } from '#shared/limits';
import type { Deps, Env } from '#worker/deps';
import { approveScript, noteReport, viewMonitor } from '#worker/domain/tamper-monitor/report';
import { hasSecret } from '#worker/http/guards/program-secret';
import { limitBody } from '#worker/http/middleware/limit-body';
import { readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;
type Handle = (c: C, deps: Deps) => Promise<Response>;

/** Calls of `npm run monitor`, each with the monitor's secret. */
export function monitorRoutes(app: App, depsOf: (c: C) => Deps): void {
  const tooLarge = (c: Context) => apiError(c, 413, 'too-large', 'The report is too large.');
  app.use('/api/monitor', limitBody(monitorLimits.report, tooLarge));
  app.use('/api/monitor/approvals', limitBody(10_000, tooLarge));
  const monitorOnly = (handle: Handle) => async (c: C) => {
    const deps = depsOf(c);
    return (await hasSecret(c, deps, deps.settings.MONITOR_SECRET))
      ? handle(c, deps)
      : apiError(c, 401, 'unauthorized', 'Only the tamper monitor may do that.');
  };
  route(app, '/api/monitor', { GET: monitorOnly(view), POST: monitorOnly(note) });
  route(app, '/api/monitor/approvals', { POST: monitorOnly(approve) });
}

const view: Handle = async (c, deps) => c.json(await viewMonitor(deps));

const note: Handle = async (c, deps) => {
  const body = await readJson(c, MonitorReportBody);
  if ('refusal' in body) return body.refusal;
  const noted = await noteReport(deps, body.data);
  return noted === 'wrong-body'
    ? apiError(c, 422, 'invalid', 'A script does not have the hash that the report says.', { fields: ['versions'] })
    : c.json(noted, 201);
};

const approve: Handle = async (c, deps) => {
  const body = await readJson(c, ApprovalBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await approveScript(deps, body.data);
  switch (outcome.kind) {
    case 'approved':
      return c.json({ closedFindings: outcome.closedFindings } satisfies Approved);
    case 'already-approved': {
      const when = new Date(outcome.at).toISOString();
      return apiError(c, 409, 'conflict', `${outcome.by} approved this version already, at ${when}.`);
    }
    case 'not-found':
      return apiError(c, 404, 'not-found', 'No version of the script with that hash was seen.');
  }
};
