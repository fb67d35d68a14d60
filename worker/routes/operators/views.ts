import {
  ClinicsQuery,
  MailsQuery,
  OperatorBuilds,
  OperatorClinic,
  OperatorClinics,
  OperatorDumps,
  OperatorHealth,
  OperatorMails,
  OperatorOverview,
  Runbook,
} from '#shared/contracts/operators/operator';
import { depsOfClinic } from '#worker/clinic/capability-keys';
import { viewMails } from '#worker/domain/operators/mails';
import { viewRunbook } from '#worker/domain/operators/runbook';
import { viewBuilds, viewOperatorHealth, viewRestore } from '#worker/domain/operators/upkeep';
import { viewClinic, viewClinics, viewOverview } from '#worker/domain/operators/view';
import { clinicNotFound, clinicNumberOf } from '#worker/http/guards/require-operator';
import { sendBuiltPage } from '#worker/http/reply/page-template';
import { htmlPage, type OperatorRequest, type PublicRequest, type Routes, route } from '#worker/http/routes';

/** Routes for the read-only views of the operator. */
export const operatorViewRoutes: Routes = {
  'GET /operator': route({
    access: 'anyone',
    summary: 'Open the operator area',
    answers: { 200: htmlPage },
    handle: openPage,
  }),
  'GET /operator/*': route({
    access: 'anyone',
    summary: 'Open a page of the operator area',
    answers: { 200: htmlPage },
    handle: openPage,
  }),
  'GET /api/operator/overview': route({
    access: 'operator',
    summary: 'Show an overview of the installation',
    isPolled: true,
    answers: { 200: OperatorOverview },
    handle: getOverview,
  }),
  'GET /api/operator/clinics': route({
    access: 'operator',
    summary: 'Search clinics',
    query: ClinicsQuery,
    ignoresBlanks: true,
    answers: { 200: OperatorClinics },
    handle: getClinics,
  }),
  'GET /api/operator/clinics/:number': route({
    access: 'operator',
    summary: 'Show a clinic',
    answers: { 200: OperatorClinic },
    handle: getClinic,
  }),
  'GET /api/operator/clinics/:number/dumps': route({
    access: 'operator',
    summary: 'List the backups from which a clinic can be restored',
    isPolled: true,
    answers: { 200: OperatorDumps },
    handle: getDumps,
  }),
  'GET /api/operator/mails': route({
    access: 'operator',
    summary: 'List unsent and sent mails',
    query: MailsQuery,
    ignoresBlanks: true,
    answers: { 200: OperatorMails },
    handle: getMails,
  }),
  'GET /api/operator/builds': route({
    access: 'operator',
    summary: 'List builds of the public site',
    isPolled: true,
    answers: { 200: OperatorBuilds },
    handle: getBuilds,
  }),
  'GET /api/operator/health': route({
    access: 'operator',
    summary: 'Show the health of the installation',
    isPolled: true,
    answers: { 200: OperatorHealth },
    handle: getHealth,
  }),
  'GET /api/operator/runbook': route({
    access: 'operator',
    summary: 'Show the runbook',
    answers: { 200: Runbook },
    handle: getRunbook,
  }),
};

/** Sends an empty shell, which requests its own data and so learns whether an operator is signed in. */
function openPage({ c }: PublicRequest): Promise<Response> {
  return sendBuiltPage(c, '/operator/shell', { headers: { 'cache-control': 'no-store' } });
}

async function getOverview({ c, deps }: OperatorRequest): Promise<Response> {
  return c.json(await viewOverview(deps));
}

async function getClinics({ c, deps, query }: OperatorRequest<unknown, typeof ClinicsQuery>): Promise<Response> {
  return c.json(await viewClinics(deps, query));
}

async function getClinic({ c, deps }: OperatorRequest): Promise<Response> {
  const number = clinicNumberOf(c);
  if (number === 0) return clinicNotFound(c);
  const clinic = await viewClinic(deps, depsOfClinic(deps, number), number);
  return clinic ? c.json(clinic) : clinicNotFound(c);
}

async function getDumps({ c, deps }: OperatorRequest): Promise<Response> {
  // 0 is the installation, and an invalid number is no clinic.
  const number = c.req.param('number') === '0' ? 0 : clinicNumberOf(c) || null;
  const restore = number === null ? null : await viewRestore(deps, number);
  return restore ? c.json(restore) : clinicNotFound(c);
}

async function getMails({ c, deps, query }: OperatorRequest<unknown, typeof MailsQuery>): Promise<Response> {
  const { clinic } = query;
  const view = await viewMails(deps, clinic === 0 ? deps : depsOfClinic(deps, clinic), clinic);
  return view ? c.json(view) : clinicNotFound(c);
}

async function getBuilds({ c, deps }: OperatorRequest): Promise<Response> {
  return c.json(await viewBuilds(deps));
}

async function getHealth({ c, deps }: OperatorRequest): Promise<Response> {
  return c.json(await viewOperatorHealth(deps));
}

function getRunbook({ c }: OperatorRequest): Response {
  return c.json(viewRunbook());
}
