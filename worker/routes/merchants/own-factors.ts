import type { Context } from 'hono';
import type { StaffPasskeyOptions } from '#shared/contracts/proof';
import { NewPasskeyBody, NewPinBody } from '#shared/contracts/proof-request';
import type { Deps, Env } from '#worker/deps';
import type { Refused } from '#worker/domain/content/accounts/rate-limit';
import { sendMail } from '#worker/domain/mail/send';
import type { LoggedIn } from '#worker/domain/merchants/session';
import { askForFactorCode } from '#worker/domain/proofs/factor-code';
import {
  addOwnPasskey,
  askForOwnPasskey,
  type ChangeOutcome,
  type NotAllowed,
  removeOwnPasskey,
  removeOwnPin,
  setOwnPin,
  takeFactors,
  viewOwnFactors,
} from '#worker/domain/proofs/own-factors';
import { refreshTokenOf, setAsked, takeAskedCookie } from '#worker/http/cookies/session-cookies';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { invalid, readJson, tooMany } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { stepUpNeeded } from '#worker/http/reply/step-up';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** What a person proves themselves by: their passkeys and their PIN. */
export function ownFactorRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/session/factors', {
    GET: merchantOnly(depsOf, async (c, deps, you) => c.json(await viewOwnFactors(deps, you))),
  });
  route(app, '/api/session/factors/code', { POST: merchantOnly(depsOf, postCode) });
  route(app, '/api/session/passkeys/options', { POST: merchantOnly(depsOf, postPasskeyOptions) });
  route(app, '/api/session/passkeys', { POST: merchantOnly(depsOf, postPasskey) });
  route(app, '/api/session/passkeys/:id', { DELETE: merchantOnly(depsOf, deletePasskey) });
  route(app, '/api/session/pin', { PUT: merchantOnly(depsOf, putPin), DELETE: merchantOnly(depsOf, deletePin) });
  route(app, '/api/team/:id/factors', { DELETE: merchantOnly(depsOf, deleteFactors) });
}

/** A code is good in the browser that asked for it, which a program without the cookie is not. */
const needsBrowser = (c: C) =>
  apiError(c, 409, 'conflict', 'Please do this in the browser in which you are logged in.');

function notAllowed(c: C, outcome: NotAllowed): Response {
  return outcome.kind === 'step-up-needed'
    ? stepUpNeeded(c, outcome.ways)
    : invalid(c, { code: 'This code is not right, or it has ended. Ask for a new one.' });
}

const wrongPasskey = (c: C) => apiError(c, 409, 'conflict', 'This passkey was not accepted. Please try again.');

async function postCode(c: C, deps: Deps, you: LoggedIn): Promise<Response> {
  const refreshToken = refreshTokenOf(c, deps);
  if (!refreshToken) return needsBrowser(c);
  const outcome = await askForFactorCode(deps, you, refreshToken);
  switch (outcome.kind) {
    case 'asked':
      runToCompletion(c, sendMail(deps, outcome.mailId));
      return c.body(null, 202);
    case 'no-address':
      return apiError(
        c,
        409,
        'conflict',
        'There is no email address for you. Ask an administrator to invite you again.',
      );
    case 'too-many':
      return tooMany(c, outcome.retryAfterS);
  }
}

async function postPasskeyOptions(c: C, deps: Deps, you: LoggedIn): Promise<Response> {
  const outcome = await askForOwnPasskey(deps, you);
  switch (outcome.kind) {
    case 'asked':
      setAsked(c, deps, outcome.asked);
      return c.json({ options: outcome.options } satisfies StaffPasskeyOptions);
    case 'wrong':
      return wrongPasskey(c);
    default:
      return notAllowed(c, outcome);
  }
}

async function postPasskey(c: C, deps: Deps, you: LoggedIn): Promise<Response> {
  const body = await readJson(c, NewPasskeyBody);
  if ('refusal' in body) return body.refusal;
  const { label, response, code } = body.data;
  const brought = { code, refreshToken: refreshTokenOf(c, deps) ?? '' };
  const outcome = await addOwnPasskey(deps, you, { label, response, asked: takeAskedCookie(c, deps) }, brought);
  switch (outcome.kind) {
    case 'added':
      runToCompletion(c, sendMail(deps, outcome.mailId));
      return c.json(outcome.passkey, 201);
    case 'wrong':
      return wrongPasskey(c);
    default:
      return notAllowed(c, outcome);
  }
}

async function putPin(c: C, deps: Deps, you: LoggedIn): Promise<Response> {
  const body = await readJson(c, NewPinBody);
  if ('refusal' in body) return body.refusal;
  const brought = { code: body.data.code, refreshToken: refreshTokenOf(c, deps) ?? '' };
  return changed(c, deps, await setOwnPin(deps, you, body.data.pin, brought));
}

const deletePasskey = async (c: C, deps: Deps, you: LoggedIn): Promise<Response> =>
  changed(c, deps, await removeOwnPasskey(deps, you, c.req.param('id') ?? ''));

const deletePin = async (c: C, deps: Deps, you: LoggedIn): Promise<Response> =>
  changed(c, deps, await removeOwnPin(deps, you));

function changed(c: C, deps: Deps, outcome: ChangeOutcome | Refused): Response {
  switch (outcome.kind) {
    case 'done':
      runToCompletion(c, sendMail(deps, outcome.mailId));
      return c.body(null, 204);
    case 'not-found':
      return apiError(c, 404, 'not-found', 'You have no such passkey or PIN.');
    case 'too-many':
      return tooMany(c, outcome.retryAfterS);
    default:
      return notAllowed(c, outcome);
  }
}

async function deleteFactors(c: C, deps: Deps, you: LoggedIn): Promise<Response> {
  const id = c.req.param('id') ?? '';
  const taken = /^[1-9]\d{0,14}$/.test(id) ? await takeFactors(deps, you, Number(id)) : null;
  if (!taken) return apiError(c, 404, 'not-found', 'There is no such person in this team with a passkey or a PIN.');
  runToCompletion(c, sendMail(deps, taken.mailId));
  return c.body(null, 204);
}
