import { ChooseClinic } from '#shared/contracts/team';
import { CodeLoginBody, LoginCodeBody } from '#shared/contracts/team-request';
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
import { browserOf } from '#worker/http/read/browser';
import { tooMany } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type C, nothing, type PublicRequest, type Routes, route } from '#worker/http/routes';

/** Who logs in is known once the code was looked at. */
const NOBODY = { kind: 'user', id: '', sessionId: '' } as const;

/** Login of staff without the CRM, by a code that is mailed to them. */
export const codeLoginRoutes: Routes = {
  'POST /api/session': route({
    who: 'anyone',
    summary: 'Log in with an emailed code',
    body: CodeLoginBody,
    answers: { 200: ChooseClinic, 204: nothing },
    errors: [401, 429],
    handle: postSession,
  }),
  'POST /api/session/code': route({
    who: 'anyone',
    summary: 'Request a login code by email',
    body: LoginCodeBody,
    answers: { 202: nothing },
    errors: [429],
    handle: postCode,
  }),
};

const callerOf = (c: C) => ({ clientIp: c.req.header('cf-connecting-ip') ?? null });

async function postCode({ c, deps, body }: PublicRequest<typeof LoginCodeBody>): Promise<Response> {
  const asked = await askForCode(deps, body.email, callerOf(c));
  if (asked.kind === 'too-many') return tooMany(c, asked.retryAfterS);
  const mail = async () => {
    const mailId = await asked.mail();
    if (mailId) await sendMail(deps, mailId);
  };
  runToCompletion(c, mail());
  setLoginCode(c, deps, asked.browser, CODE_MS / 1000);
  return c.body(null, 202);
}

async function postSession({ c, deps, body }: PublicRequest<typeof CodeLoginBody>): Promise<Response> {
  const acting = await actingAs(c, deps, NOBODY);
  const outcome = await logInByCode(acting, body, loginCodeOf(c, deps), callerOf(c), browserOf(c));
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
