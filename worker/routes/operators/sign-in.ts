import type { Context } from 'hono';
import type { OperatorMe, PasskeyOptions } from '#shared/contracts/operator';
import { EnrolmentBody, EnrolmentOptionsBody, PasskeyBody } from '#shared/contracts/operator-request';
import type { Deps, Env } from '#worker/deps';
import { askForNewPasskey, enrol } from '#worker/domain/operators/enrol';
import { endOperatorSession, type Operator } from '#worker/domain/operators/session';
import { askForPasskey, askForProof, prove, signIn } from '#worker/domain/operators/sign-in';
import { actingAs } from '#worker/http/acting';
import { clearOperator, setAsked, setOperator, takeAskedCookie } from '#worker/http/cookies/operator-cookies';
import { operatorOnly } from '#worker/http/guards/require-operator';
import { invalid, readJson, tooMany } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Who acts is known once the passkey has been looked at. */
const NOBODY = { kind: 'operator', id: '', sessionId: '' } as const;

/** Enrolment by a code, sign-in by a passkey, and its repetition before an act. */
export function operatorSignInRoutes(app: App, depsOf: (c: C) => Deps): void {
  const acting = (c: C) => actingAs(c, depsOf(c), NOBODY);
  route(app, '/api/operator/enrolment/options', { POST: async (c) => postEnrolmentOptions(c, await acting(c)) });
  route(app, '/api/operator/enrolment', { POST: async (c) => postEnrolment(c, await acting(c)) });
  route(app, '/api/operator/session/options', { POST: (c) => postSessionOptions(c, depsOf(c)) });
  route(app, '/api/operator/session', {
    POST: async (c) => postSession(c, await acting(c)),
    DELETE: operatorOnly(depsOf, deleteSession),
  });
  route(app, '/api/operator/me', { GET: operatorOnly(depsOf, getMe) });
  route(app, '/api/operator/proof/options', { POST: operatorOnly(depsOf, postProofOptions) });
  route(app, '/api/operator/proof', { POST: operatorOnly(depsOf, postProof) });
}

const callerOf = (c: C) => ({ clientIp: c.req.header('cf-connecting-ip') ?? null });

const refused = (c: C) => apiError(c, 401, 'unauthorized', 'This passkey was not accepted. Please try again.');
const wrongCode = (c: C) => invalid(c, { code: 'This code is not valid. Codes work once.' });

function answerAsked(c: C, deps: Deps, { options, asked }: { options: object; asked: string }): Response {
  setAsked(c, deps, asked);
  return c.json({ options } satisfies PasskeyOptions);
}

async function postEnrolmentOptions(c: C, deps: Deps): Promise<Response> {
  const body = await readJson(c, EnrolmentOptionsBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await askForNewPasskey(deps, body.data, callerOf(c));
  switch (outcome.kind) {
    case 'asked':
      return answerAsked(c, deps, outcome);
    case 'wrong-code':
      return wrongCode(c);
    case 'too-many':
      return tooMany(c, outcome.retryAfterS);
  }
}

async function postEnrolment(c: C, deps: Deps): Promise<Response> {
  const body = await readJson(c, EnrolmentBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await enrol(deps, body.data, takeAskedCookie(c, deps));
  switch (outcome.kind) {
    case 'enrolled':
      setOperator(c, deps, outcome.token);
      return c.json({ id: outcome.operatorId, name: body.data.name } satisfies OperatorMe, 201);
    case 'wrong-code':
      return wrongCode(c);
    case 'wrong':
      return refused(c);
  }
}

const postSessionOptions = async (c: C, deps: Deps) => answerAsked(c, deps, await askForPasskey(deps));

async function postSession(c: C, deps: Deps): Promise<Response> {
  const body = await readJson(c, PasskeyBody);
  if ('refusal' in body) return body.refusal;
  const answer = { credential: body.data.credential, asked: takeAskedCookie(c, deps) };
  const outcome = await signIn(deps, answer, callerOf(c));
  switch (outcome.kind) {
    case 'signed-in':
      setOperator(c, deps, outcome.token);
      return c.body(null, 204);
    case 'wrong':
      return refused(c);
    case 'too-many':
      return tooMany(c, outcome.retryAfterS);
  }
}

const getMe = (c: C, _: Deps, { operatorId, name }: Operator) => c.json({ id: operatorId, name } satisfies OperatorMe);

async function deleteSession(c: C, deps: Deps, operator: Operator): Promise<Response> {
  await endOperatorSession(deps, operator);
  clearOperator(c, deps);
  return c.body(null, 204);
}

const postProofOptions = async (c: C, deps: Deps, operator: Operator) =>
  answerAsked(c, deps, await askForProof(deps, operator));

async function postProof(c: C, deps: Deps, operator: Operator): Promise<Response> {
  const body = await readJson(c, PasskeyBody);
  if ('refusal' in body) return body.refusal;
  const answer = { credential: body.data.credential, asked: takeAskedCookie(c, deps) };
  // Not 401: the session stands, only this proof does not.
  if (!(await prove(deps, operator, answer)))
    return apiError(c, 403, 'proof-needed', 'This passkey was not accepted. Please try again.');
  return c.body(null, 204);
}
