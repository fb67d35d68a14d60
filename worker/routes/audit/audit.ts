import { AuditHeadFile, AuditMailReply, AuditView } from '#shared/contracts/staff/audit';
import { AuditMailBody, AuditQuery } from '#shared/contracts/staff/audit-request';
import { exportOwnTrail, readOwnHead, switchWeeklyMail, viewTrail } from '#worker/domain/audit/account-trail';
import { clinicDay } from '#worker/domain/merchants/clinic-day';
import { streamCsv } from '#worker/http/reply/list';
import { csv, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes that show the audit trail of an account to its administrators and bookkeepers. */
export const auditRoutes: Routes = {
  'GET /api/audit': route({
    access: 'staff: audit',
    summary: 'Show the audit trail',
    query: AuditQuery,
    ignoresBlanks: true,
    answers: { 200: [AuditView, csv] },
    handle: getTrail,
  }),
  'GET /api/audit/head': route({
    access: 'staff: audit',
    summary: 'Show the latest seal of the audit trail',
    answers: { 200: AuditHeadFile },
    handle: getHead,
  }),
  'PUT /api/audit/mail': route({
    access: 'staff: administer',
    summary: 'Turn your weekly audit email on or off',
    body: AuditMailBody,
    answers: { 200: AuditMailReply },
    handle: putMail,
  }),
};

async function getTrail({ c, deps, merchant, query }: StaffRequest<unknown, typeof AuditQuery>): Promise<Response> {
  return query.format === 'csv'
    ? streamCsv(c, exportOwnTrail(deps, merchant, query), 'audit-trail', await clinicDay(deps, merchant.accountId))
    : c.json(await viewTrail(deps, merchant, query));
}

async function getHead({ c, deps, merchant }: StaffRequest): Promise<Response> {
  return c.json(await readOwnHead(deps, merchant));
}

async function putMail({ c, deps, merchant, body }: StaffRequest<typeof AuditMailBody>): Promise<Response> {
  const { weekly } = body;
  await switchWeeklyMail(deps, merchant, weekly);
  return c.json({ weekly } satisfies AuditMailReply);
}
