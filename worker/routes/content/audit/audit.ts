import { AuditHeadFile, AuditView } from '#shared/contracts/staff/audit';
import { AuditQuery } from '#shared/contracts/staff/audit-request';
import { localDay } from '#shared/text/local-day';
import {
  exportInstallationTrail,
  readInstallationHead,
  viewInstallationTrail,
} from '#worker/domain/audit/account-trail';
import { streamCsv } from '#worker/http/reply/list';
import { csv, type MemberRequest, type Routes, route } from '#worker/http/routes';

/** Routes that show owners of the content area the installation's own audit trail. */
export const cmsAuditRoutes: Routes = {
  'GET /api/cms/audit': route({
    access: 'owner',
    summary: 'Show the audit trail of the installation',
    query: AuditQuery,
    ignoresBlanks: true,
    answers: { 200: [AuditView, csv] },
    handle: getTrail,
  }),
  'GET /api/cms/audit/head': route({
    access: 'owner',
    summary: 'Show the latest seal of the audit trail of the installation',
    answers: { 200: AuditHeadFile },
    handle: getHead,
  }),
};

async function getTrail({ c, deps, query }: MemberRequest<unknown, typeof AuditQuery>): Promise<Response> {
  // The installation has no time zone of its own.
  const day = localDay(deps.now(), 'UTC');
  if (query.format === 'csv') return streamCsv(c, exportInstallationTrail(deps, query), 'audit-trail', day);
  return c.json(await viewInstallationTrail(deps, query));
}

async function getHead({ c, deps }: MemberRequest): Promise<Response> {
  return c.json(await readInstallationHead(deps));
}
