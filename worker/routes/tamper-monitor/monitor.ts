import {
  ApprovalBody,
  Approved,
  MonitorNoted,
  MonitorReportBody,
  MonitorState,
} from '#shared/contracts/operators/monitor';
import { monitorLimits } from '#shared/limits';
import { approveScript, saveMonitorReport, viewMonitor } from '#worker/domain/tamper-monitor/report';
import { apiError } from '#worker/http/reply/errors';
import { type PublicRequest, type Routes, route } from '#worker/http/routes';

/** Routes for `npm run monitor`, which sends the monitor's secret with each call. */
export const monitorRoutes: Routes = {
  'GET /api/monitor': route({
    access: 'tamper monitor',
    summary: 'Show the state of the tamper monitor',
    answers: { 200: MonitorState },
    handle: getState,
  }),
  'POST /api/monitor': route({
    access: 'tamper monitor',
    summary: 'Report a check of the payment page',
    bodyLimit: monitorLimits.report,
    tooLarge: 'The report is too large.',
    body: MonitorReportBody,
    answers: { 201: MonitorNoted },
    handle: postReport,
  }),
  'POST /api/monitor/approvals': route({
    access: 'tamper monitor',
    summary: 'Approve a version of the card provider script',
    tooLarge: 'The report is too large.',
    body: ApprovalBody,
    answers: { 200: Approved },
    errors: [409],
    handle: postApproval,
  }),
};

async function getState({ c, deps }: PublicRequest): Promise<Response> {
  return c.json(await viewMonitor(deps));
}

async function postReport({ c, deps, body }: PublicRequest<typeof MonitorReportBody>): Promise<Response> {
  const result = await saveMonitorReport(deps, body);
  return result === 'wrong-body'
    ? apiError(c, 422, 'invalid', 'A script does not have the hash that the report says.', { fields: ['versions'] })
    : c.json(result, 201);
}

async function postApproval({ c, deps, body }: PublicRequest<typeof ApprovalBody>): Promise<Response> {
  const outcome = await approveScript(deps, body);
  switch (outcome.kind) {
    case 'approved':
      return c.json({ closedFindings: outcome.closedFindings } satisfies Approved);
    case 'already-approved': {
      const approvedAt = new Date(outcome.at).toISOString();
      return apiError(c, 409, 'conflict', `${outcome.by} approved this version already, at ${approvedAt}.`);
    }
    case 'not-found':
      return apiError(c, 404, 'not-found', 'No version of the script with that hash was seen.');
  }
}
