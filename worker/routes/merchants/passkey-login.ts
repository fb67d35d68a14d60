import { StaffPasskeyOptions } from '#shared/contracts/proof';
import { PasskeyLoginBody } from '#shared/contracts/proof-request';
import { endReplacedSession } from '#worker/domain/merchants/session';
import { askForLogin, logInByPasskey } from '#worker/domain/proofs/passkey-login';
import { actingAs } from '#worker/http/acting';
import { refreshTokenOf, setAsked, setSession, takeAskedCookie } from '#worker/http/cookies/session-cookies';
import { browserOf } from '#worker/http/read/browser';
import { tooMany } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { nothing, type PublicRequest, type Routes, route } from '#worker/http/routes';

/** Who logs in is known once the passkey was looked at. */
const NOBODY = { kind: 'user', id: '', sessionId: '' } as const;

/** Login of staff without the CRM, by a passkey. */
export const passkeyLoginRoutes: Routes = {
  'POST /api/session/passkey/options': route({
    who: 'anyone',
    summary: 'Start a login with a passkey',
    answers: { 200: StaffPasskeyOptions },
    handle: postOptions,
  }),
  'POST /api/session/passkey': route({
    who: 'anyone',
    summary: 'Log in with a passkey',
    body: PasskeyLoginBody,
    answers: { 204: nothing },
    errors: [401, 429],
    handle: postPasskey,
  }),
};

async function postOptions({ c, deps }: PublicRequest): Promise<Response> {
  const { options, asked } = await askForLogin(deps);
  setAsked(c, deps, asked);
  return c.json({ options } satisfies StaffPasskeyOptions);
}

async function postPasskey({ c, deps, body }: PublicRequest<typeof PasskeyLoginBody>): Promise<Response> {
  const acting = await actingAs(c, deps, NOBODY);
  const answer = { response: body.response, asked: takeAskedCookie(c, deps) };
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
