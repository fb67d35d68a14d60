import { AuditHeadFile, AuditView } from '#shared/contracts/staff/audit';
import { OperatorAuditQuery } from '#shared/contracts/staff/audit-request';
import { localDay } from '#shared/text/local-day';
import {
  exportInstallationTrail,
  readInstallationHead,
  viewInstallationTrail,
} from '#worker/domain/audit/account-trail';
import { streamCsv } from '#worker/http/reply/list';
import { csv, type OperatorRequest, type Routes, route } from '#worker/http/routes';

/** Routes that show operators the audit trail of the installation. */
export const operatorAuditRoutes: Routes = {
  'GET /api/operator/audit': route({
    access: 'operator',
    summary: 'Show the audit trail of the installation by clinic, person and action',
    query: OperatorAuditQuery,
    ignoresBlanks: true,
    answers: { 200: [AuditView, csv] },
    handle: getTrail,
  }),
  'GET /api/operator/audit/head': route({
    access: 'operator',
    summary: 'Show the latest seal of the audit trail to an operator',
    answers: { 200: AuditHeadFile },
    handle: getHead,
  }),
};

async function getTrail({ c, deps, query }: OperatorRequest<unknown, typeof OperatorAuditQuery>): Promise<Response> {
  // The installation has no time zone of its own.
  const day = localDay(deps.now(), 'UTC');
  if (query.format === 'csv') return streamCsv(c, exportInstallationTrail(deps, query), 'audit-trail', day);
  return c.json(await viewInstallationTrail(deps, query));
}

async function getHead({ c, deps }: OperatorRequest): Promise<Response> {
  return c.json(await readInstallationHead(deps));
}
