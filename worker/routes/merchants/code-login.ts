import type { Context } from 'hono';
import type { ChooseClinic } from '#shared/contracts/team';
import { CodeLoginBody, LoginCodeBody } from '#shared/contracts/team-request';
import type { Deps, Env } from '#worker/deps';
import { askForCode, CODE_MS, logInByCode } from '#worker/domain/clinics/code-login';
import { sendMail } from '#worker/domain/mail/send';
import { endReplacedSession } from '#worker/domain/merchants/session';
import { actingAs } from '#worker/http/acting';
import {
  clearLoginCode,
  loginCodeOf,
  refreshTokenOf,
  setLoginCode,
  setSession,
} from '#worker/http/cookies/session-cookies';
import { limitBody } from '#worker/http/middleware/limit-body';
import { browserOf } from '#worker/http/read/browser';
import { readJson, tooMany } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Who logs in is known once the code was looked at. */
const NOBODY = { kind: 'user', id: '', sessionId: '' } as const;

/** Login of staff without the CRM, by a code that is mailed to them. */
export function codeLoginRoutes(app: App, depsOf: (c: C) => Deps): void {
  const limit = limitBody(10_000, (c) => apiError(c, 413, 'too-large', 'The request is too large.'));
  app.use('/api/session', limit);
  app.use('/api/session/*', limit);
  route(app, '/api/session', { POST: (c) => postSession(c, depsOf(c)) });
  route(app, '/api/session/code', { POST: (c) => postCode(c, depsOf(c)) });
}

const callerOf = (c: C) => ({ clientIp: c.req.header('cf-connecting-ip') ?? null });

async function postCode(c: C, deps: Deps): Promise<Response> {
  const body = await readJson(c, LoginCodeBody);
  if ('refusal' in body) return body.refusal;
  const asked = await askForCode(deps, body.data.email, callerOf(c));
  if (asked.kind === 'too-many') return tooMany(c, asked.retryAfterS);
  const mail = async () => {
    const mailId = await asked.mail();
    if (mailId) await sendMail(deps, mailId);
  };
  runToCompletion(c, mail());
  setLoginCode(c, deps, asked.browser, CODE_MS / 1000);
  return c.body(null, 202);
}

async function postSession(c: C, deps: Deps): Promise<Response> {
  const body = await readJson(c, CodeLoginBody);
  if ('refusal' in body) return body.refusal;
  const acting = await actingAs(c, deps, NOBODY);
  const outcome = await logInByCode(acting, body.data, loginCodeOf(c, deps), callerOf(c), browserOf(c));
  switch (outcome.kind) {
    case 'logged-in':
      clearLoginCode(c, deps);
      await endReplacedSession(deps, refreshTokenOf(c, deps));
      setSession(c, deps, outcome.session);
      return c.body(null, 204);
    case 'choose':
      return c.json({ clinics: outcome.clinics } satisfies ChooseClinic);
    case 'wrong':
      return apiError(c, 401, 'unauthorized', 'This code is not right, or it has ended. Ask for a new one.');
    case 'too-many':
      return tooMany(c, outcome.retryAfterS);
  }
}
