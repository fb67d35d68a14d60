import type { Context } from 'hono';
import type { StaffPasskeyOptions } from '#shared/contracts/proof';
import { PasskeyLoginBody } from '#shared/contracts/proof-request';
import type { Deps, Env } from '#worker/deps';
import { endReplacedSession } from '#worker/domain/merchants/session';
import { askForLogin, logInByPasskey } from '#worker/domain/proofs/passkey-login';
import { actingAs } from '#worker/http/acting';
import { refreshTokenOf, setAsked, setSession, takeAskedCookie } from '#worker/http/cookies/session-cookies';
import { browserOf } from '#worker/http/read/browser';
import { readJson, tooMany } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Who logs in is known once the passkey was looked at. */
const NOBODY = { kind: 'user', id: '', sessionId: '' } as const;

/** Login of staff without the CRM, by a passkey. */
export function passkeyLoginRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/session/passkey/options', { POST: (c) => postOptions(c, depsOf(c)) });
  route(app, '/api/session/passkey', { POST: (c) => postPasskey(c, depsOf(c)) });
}

async function postOptions(c: C, deps: Deps): Promise<Response> {
  const { options, asked } = await askForLogin(deps);
  setAsked(c, deps, asked);
  return c.json({ options } satisfies StaffPasskeyOptions);
}

async function postPasskey(c: C, deps: Deps): Promise<Response> {
  const body = await readJson(c, PasskeyLoginBody);
  if ('refusal' in body) return body.refusal;
  const acting = await actingAs(c, deps, NOBODY);
  const answer = { response: body.data.response, asked: takeAskedCookie(c, deps) };
  const caller = { clientIp: c.req.header('cf-connecting-ip') ?? null };
  const outcome = await logInByPasskey(acting, answer, caller, browserOf(c));
  switch (outcome.kind) {
    case 'logged-in':
      await endReplacedSession(deps, refreshTokenOf(c, deps));
      setSession(c, deps, outcome.session);
      return c.body(null, 204);
    case 'wrong':
      return apiError(
        c,
        401,
        'unauthorized',
        'This passkey was not accepted. Please try again, or log in another way.',
      );
    case 'too-many':
      return tooMany(c, outcome.retryAfterS);
  }
}
