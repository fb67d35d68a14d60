import type { Context } from 'hono';
import type { StaffPasskeyOptions, WrongPin } from '#shared/contracts/proof';
import { ProofBody, SwitchBody } from '#shared/contracts/proof-request';
import type { Deps, Env } from '#worker/deps';
import type { Refused } from '#worker/domain/content/accounts/rate-limit';
import type { LoggedIn } from '#worker/domain/merchants/session';
import { askForProof, provePasskey, provePin } from '#worker/domain/proofs/prove';
import { switchPerson, viewDeskPeople } from '#worker/domain/proofs/switch-person';
import { setAsked, setSession, takeAskedCookie } from '#worker/http/cookies/session-cookies';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { browserOf } from '#worker/http/read/browser';
import { readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Proofs that it is still the same person, and the change of person at a desk. */
export function proofRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/session/proof/options', { POST: merchantOnly(depsOf, postOptions) });
  route(app, '/api/session/proof', { POST: merchantOnly(depsOf, postProof) });
  route(app, '/api/session/people', {
    GET: merchantOnly(depsOf, async (c, deps, you) => c.json(await viewDeskPeople(deps, you))),
  });
  route(app, '/api/session/switch', { POST: merchantOnly(depsOf, postSwitch) });
}

async function postOptions(c: C, deps: Deps, you: LoggedIn): Promise<Response> {
  const { options, asked } = await askForProof(deps, you);
  setAsked(c, deps, asked);
  return c.json({ options } satisfies StaffPasskeyOptions);
}

/** Not 401: the session stands. */
function wrongPin(c: C, triesLeft: number): Response {
  const more = { tries_left: triesLeft } satisfies WrongPin;
  return apiError(c, 422, 'invalid', 'This PIN is not right.', { fields: ['pin'], ...more });
}

function pinLocked(c: C, { retryAfterS }: Refused): Response {
  c.header('retry-after', String(retryAfterS));
  const minutes = Math.ceil(retryAfterS / 60);
  const message = `This PIN is locked for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  return apiError(c, 429, 'too-many', message);
}

async function postProof(c: C, deps: Deps, you: LoggedIn): Promise<Response> {
  const body = await readJson(c, ProofBody);
  if ('refusal' in body) return body.refusal;
  if (body.data.kind === 'passkey') {
    const { response } = body.data;
    const isProved = await provePasskey(deps, you, { response, asked: takeAskedCookie(c, deps) });
    return isProved
      ? c.body(null, 204)
      : apiError(c, 409, 'conflict', 'This passkey was not accepted. Please try again.');
  }
  const outcome = await provePin(deps, you, body.data.pin);
  switch (outcome.kind) {
    case 'right':
      return c.body(null, 204);
    case 'wrong':
      return wrongPin(c, outcome.triesLeft);
    case 'too-many':
      return pinLocked(c, outcome);
  }
}

async function postSwitch(c: C, deps: Deps, you: LoggedIn): Promise<Response> {
  const body = await readJson(c, SwitchBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await switchPerson(deps, you, { userId: body.data.id, pin: body.data.pin }, browserOf(c));
  switch (outcome.kind) {
    case 'switched':
      setSession(c, deps, outcome.session);
      return c.body(null, 204);
    case 'wrong':
      return wrongPin(c, outcome.triesLeft);
    case 'too-many':
      return pinLocked(c, outcome);
  }
}
