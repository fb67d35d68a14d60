import type { Context } from 'hono';
import type { HandedOver } from '#shared/contracts/operate';
import { EraseBody, HandOverBody } from '#shared/contracts/operate-request';
import type { Deps, Env } from '#worker/deps';
import { sendMail } from '#worker/domain/mail/send';
import { eraseClinic } from '#worker/domain/operate/erase';
import { handOverClinic } from '#worker/domain/operate/hand-over';
import { unlockContentAccount } from '#worker/domain/operate/unlock-owner';
import { unlockStaff } from '#worker/domain/operate/unlock-staff';
import { inspectClinic, viewClinics } from '#worker/domain/operate/view';
import { accountIn, type Handle, notFound, operatorOnly } from '#worker/http/guards/operator-program';
import { readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** The directory of clinics, one of them, and its end. */
export function operateClinicRoutes(app: App, depsOf: (c: C) => Deps): void {
  const own = (handle: Handle) => operatorOnly(depsOf, handle);
  route(app, '/api/operate/clinics', { GET: own(list) });
  route(app, '/api/operate/clinics/:account/hand-over', { POST: own(handOver) });
  route(app, '/api/operate/clinics/:account/unlock', { POST: own(unlockPerson) });
  route(app, '/api/operate/content/unlock', { POST: own(unlock) });
  route(app, '/api/operate/clinics/:account', { GET: own(inspect), DELETE: own(erase) });
}

const sendAll = async (own: Deps, mailIds: string[]) => {
  for (const id of mailIds) await sendMail(own, id);
};

const list: Handle = async (c, deps) => {
  const after = c.req.query('after') ?? '0';
  return /^\d{1,15}$/.test(after) ? c.json(await viewClinics(deps, Number(after))) : notFound(c);
};

const inspect: Handle = async (c, deps) => {
  const found = await inspectClinic(deps, accountIn(c));
  return found ? c.json(found) : notFound(c);
};

const handOver: Handle = async (c, deps) => {
  const body = await readJson(c, HandOverBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await handOverClinic(deps, accountIn(c), body.data.email);
  switch (outcome.kind) {
    case 'not-found':
      return notFound(c);
    case 'too-many':
      return apiError(c, 409, 'conflict', 'Too many invitations of this clinic are open.');
    default:
      runToCompletion(c, sendAll(outcome.own, outcome.mailIds));
      return c.json({ kind: outcome.kind, others: outcome.others } satisfies HandedOver);
  }
};

/** Passkeys and PIN of a clinic's person are lost, and nobody of the clinic can take them away. */
const unlockPerson: Handle = async (c, deps) => {
  const body = await readJson(c, HandOverBody);
  if ('refusal' in body) return body.refusal;
  const unlocked = await unlockStaff(deps, accountIn(c), body.data.email);
  if (!unlocked) return notFound(c);
  runToCompletion(c, sendAll(unlocked.own, unlocked.mailIds));
  return c.body(null, 204);
};

/** A content account's passkeys and recovery codes are lost. */
const unlock: Handle = async (c, deps) => {
  const body = await readJson(c, HandOverBody);
  if ('refusal' in body) return body.refusal;
  return (await unlockContentAccount(deps, body.data.email)) ? c.body(null, 204) : notFound(c);
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
