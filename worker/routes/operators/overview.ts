import type { Context } from 'hono';
import type { Done } from '#shared/contracts/operator';
import { AcknowledgeBody, ClinicsQuery, PaymentsBody, SendAgainBody } from '#shared/contracts/operator-request';
import { ofClinic } from '#worker/clinic/of-clinic';
import type { Deps, Env } from '#worker/deps';
import { openSupportView } from '#worker/domain/merchants/support-view';
import { acknowledge, sendAgain, startBuild, switchPayments, wakeClinic } from '#worker/domain/operators/act';
import type { Operator } from '#worker/domain/operators/session';
import { accountOfClinic, viewClinic, viewClinics, viewOverview } from '#worker/domain/operators/view';
import { setSession } from '#worker/http/cookies/session-cookies';
import { operatorOnly } from '#worker/http/guards/require-operator';
import { parsed, readJson } from '#worker/http/read/json';
import { givenOf } from '#worker/http/read/query';
import { apiError } from '#worker/http/reply/errors';
import { sendBuiltPage } from '#worker/http/reply/page-template';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** What the operator sees, and the few things that they may do. */
export function operatorAreaRoutes(app: App, depsOf: (c: C) => Deps): void {
  // The page holds nothing; what it shows it asks for, and so learns whether an operator is signed in.
  const page = (c: C) => sendBuiltPage(c, '/operator/shell', { headers: { 'cache-control': 'no-store' } });
  route(app, '/operator', { GET: page });
  route(app, '/operator/*', { GET: page });
  route(app, '/api/operator/overview', { GET: operatorOnly(depsOf, getOverview, { keepsAwake: false }) });
  route(app, '/api/operator/clinics', { GET: operatorOnly(depsOf, getClinics) });
  route(app, '/api/operator/clinics/:number', { GET: operatorOnly(depsOf, getClinic) });
  route(app, '/api/operator/clinics/:number/wake', { POST: operatorOnly(depsOf, postWake) });
  route(app, '/api/operator/clinics/:number/view', { POST: operatorOnly(depsOf, postView) });
  route(app, '/api/operator/alerts/acknowledgement', { POST: operatorOnly(depsOf, postAcknowledgement) });
  route(app, '/api/operator/mails/again', { POST: operatorOnly(depsOf, postAgain) });
  route(app, '/api/operator/builds', { POST: operatorOnly(depsOf, postBuild) });
  route(app, '/api/operator/payments', { PUT: operatorOnly(depsOf, putPayments) });
}

const done = (c: C, text: string) => c.json({ done: text } satisfies Done);
const conflict = (c: C, message: string) => apiError(c, 409, 'conflict', message);
const noClinic = (c: C) => apiError(c, 404, 'not-found', 'Clinic not found');
/** 0 names no clinic. */
const numberOf = (c: C) => Number(/^[1-9]\d{0,9}$/.exec(c.req.param('number') ?? '')?.[0] ?? 0);

const getOverview = async (c: C, deps: Deps) => c.json(await viewOverview(deps));

async function getClinics(c: C, deps: Deps): Promise<Response> {
  const query = parsed(c, ClinicsQuery, givenOf(c));
  if ('refusal' in query) return query.refusal;
  return c.json(await viewClinics(deps, query.data));
}

async function getClinic(c: C, deps: Deps): Promise<Response> {
  const number = numberOf(c);
  if (number === 0) return noClinic(c);
  const clinic = await viewClinic(deps, ofClinic(deps, number), number);
  return clinic ? c.json(clinic) : noClinic(c);
}

async function postWake(c: C, deps: Deps): Promise<Response> {
  const number = numberOf(c);
  if (number === 0 || !(await wakeClinic(deps, ofClinic(deps, number), number))) return noClinic(c);
  return done(c, `Clinic ${number} was woken. Look again in a minute.`);
}

/** The clinic as its staff see it: this browser gets a session there, in which nothing can be changed. */
async function postView(c: C, deps: Deps): Promise<Response> {
  const number = numberOf(c);
  const account = number === 0 ? null : await accountOfClinic(deps, number);
  if (account === null) return noClinic(c);
  const session = await openSupportView(deps, ofClinic(deps, number), account);
  if (!session) return conflict(c, 'The clinic does not let support look now. An administrator there allows it.');
  setSession(c, deps, session);
  return done(c, 'You see the clinic now.');
}

async function postAcknowledgement(c: C, deps: Deps, operator: Operator): Promise<Response> {
  const body = await readJson(c, AcknowledgeBody);
  if ('refusal' in body) return body.refusal;
  if (await acknowledge(deps, operator, body.data.key)) return done(c, 'The alert is yours.');
  return conflict(c, 'This alert is over, or has been acknowledged already.');
}

async function postAgain(c: C, deps: Deps): Promise<Response> {
  const body = await readJson(c, SendAgainBody);
  if ('refusal' in body) return body.refusal;
  const { clinic, mail } = body.data;
  const account = clinic === 0 ? null : await accountOfClinic(deps, clinic);
  if (clinic !== 0 && account === null) return noClinic(c);
  const at = clinic === 0 ? deps : ofClinic(deps, clinic);
  switch (await sendAgain(deps, { at, clinic, account, mail })) {
    case 'sent':
      return done(c, 'The mail was sent.');
    case 'queued':
      return done(c, 'The mail service does not take it now. It is tried again by itself.');
    case 'refused':
      return conflict(c, 'The mail service refused this mail. Its address may be wrong.');
    case 'nothing':
      return conflict(c, 'This mail was sent meanwhile, or there is nothing left to send.');
  }
}

async function postBuild(c: C, deps: Deps): Promise<Response> {
  if (await startBuild(deps)) return done(c, 'A build was asked for.');
  return conflict(c, 'Nothing builds this site: no deploy hook is set.');
}

async function putPayments(c: C, deps: Deps, operator: Operator): Promise<Response> {
  const body = await readJson(c, PaymentsBody);
  if ('refusal' in body) return body.refusal;
  const { state } = body.data;
  if (await switchPayments(deps, operator, body.data))
    return done(c, state === 'paused' ? 'Online payments are paused.' : 'Online payments are open.');
  return conflict(c, state === 'paused' ? 'Online payments are paused already.' : 'Online payments are open already.');
}
