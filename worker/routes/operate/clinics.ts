import type { Context } from 'hono';
import { EraseBody } from '#shared/contracts/operate-request';
import type { Deps, Env } from '#worker/deps';
import { eraseClinic } from '#worker/domain/operate/erase';
import { inspectClinic, viewClinics } from '#worker/domain/operate/view';
import { accountIn, type Handle, notFound, operatorOnly } from '#worker/http/guards/operator-program';
import { readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** The directory of clinics, one of them, and its end. */
export function operateClinicRoutes(app: App, depsOf: (c: C) => Deps): void {
  const own = (handle: Handle) => operatorOnly(depsOf, handle);
  route(app, '/api/operate/clinics', { GET: own(list) });
  route(app, '/api/operate/clinics/:account', { GET: own(inspect), DELETE: own(erase) });
}

const list: Handle = async (c, deps) => {
  const after = c.req.query('after') ?? '0';
  return /^\d{1,15}$/.test(after) ? c.json(await viewClinics(deps, Number(after))) : notFound(c);
};

const inspect: Handle = async (c, deps) => {
  const found = await inspectClinic(deps, accountIn(c));
  return found ? c.json(found) : notFound(c);
};

/** The clinic's name is asked for, so that a wrong number erases nothing. */
const erase: Handle = async (c, deps) => {
  const body = await readJson(c, EraseBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await eraseClinic(deps, accountIn(c), body.data.name);
  switch (outcome.kind) {
    case 'erased':
      return c.json(outcome.erased);
    case 'not-found':
      return notFound(c);
    case 'other-name':
      return apiError(c, 409, 'conflict', `That account’s clinic is “${outcome.name}”. Give this name to erase it.`);
    case 'stands':
      return apiError(c, 409, 'conflict', `The clinic cannot be erased: ${outcome.why.join('; ')}.`);
  }
};
