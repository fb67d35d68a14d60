import { LoginReply } from '#shared/contracts/content/content';
import { AddPasskeyBody, NewPasskeyBody, SecondBody } from '#shared/contracts/content/content-request';
import { NewPasskeyOptions, RecoveryCodes, SecondFactors } from '#shared/contracts/content/second-factor-reply';
import {
  addPasskey,
  finishLogin,
  makeRecoveryCodes,
  removePasskey,
  requestNewPasskey,
  viewSecondFactors,
} from '#worker/domain/content/accounts/second-factor';
import { setPasskeyChallenge, takePasskeyChallenge } from '#worker/http/cookies/cookies';
import { refuseInvalid, refuseTooMany } from '#worker/http/read/json';
import { answerLogin } from '#worker/http/reply/content-login';
import { apiError } from '#worker/http/reply/errors';
import { type C, type MemberRequest, noBody, type PublicRequest, type Routes, route } from '#worker/http/routes';

/** Routes for the second factor of content accounts: passkeys, and recovery codes in case they are lost. */
export const secondFactorRoutes: Routes = {
  'POST /api/auth/second': route({
    access: 'anyone',
    summary: 'Complete a content login with a second factor',
    body: SecondBody,
    bodyLimit: 10_000,
    answers: { 200: LoginReply },
    errors: [401, 429],
    actor: 'content',
    handle: postSecond,
  }),
  'GET /api/auth/passkeys': route({
    access: 'editor',
    summary: 'List the passkeys of your content account',
    answers: { 200: SecondFactors },
    handle: getPasskeys,
  }),
  'POST /api/auth/passkeys': route({
    access: 'editor',
    summary: 'Add a passkey to your content account',
    body: AddPasskeyBody,
    bodyLimit: 10_000,
    answers: { 201: RecoveryCodes },
    errors: [409],
    handle: postPasskey,
  }),
  'POST /api/auth/passkeys/options': route({
    access: 'editor',
    summary: 'Start adding a passkey to your content account',
    body: NewPasskeyBody,
    bodyLimit: 10_000,
    answers: { 200: NewPasskeyOptions },
    errors: [429],
    handle: postOptions,
  }),
  'DELETE /api/auth/passkeys/:id': route({
    access: 'editor',
    summary: 'Remove a passkey from your content account',
    answers: { 204: noBody },
    errors: [409],
    handle: deletePasskey,
  }),
  'POST /api/auth/recovery-codes': route({
    access: 'editor',
    summary: 'Generate new recovery codes',
    answers: { 201: RecoveryCodes },
    handle: postCodes,
  }),
};

const refuseWithoutPasskey = (c: C) =>
  apiError(c, 403, 'forbidden', 'Log in again with your passkey to change how this account is protected.');

async function postSecond({ c, deps, body }: PublicRequest<typeof SecondBody>): Promise<Response> {
  const outcome = await finishLogin(deps, body, takePasskeyChallenge(c, deps));
  switch (outcome.kind) {
    case 'logged-in':
      return answerLogin(c, deps, outcome.session);
    case 'wrong':
      return apiError(c, 401, 'unauthorized', 'Login failed');
    case 'too-many':
      return refuseTooMany(c, outcome.retryAfterS);
  }
}

const toIso = (at: number) => new Date(at).toISOString();

async function getPasskeys({ c, deps, member }: MemberRequest): Promise<Response> {
  const { passkeys, codes } = await viewSecondFactors(deps, member);
  return c.json({
    passkeys: passkeys.map(({ id, label, createdAt, usedAt }) => ({
      id,
      label,
      created_at: toIso(createdAt),
      used_at: usedAt === null ? null : toIso(usedAt),
    })),
    recovery_codes_left: codes,
  } satisfies SecondFactors);
}

async function postOptions({ c, deps, member, body }: MemberRequest<typeof NewPasskeyBody>): Promise<Response> {
  const outcome = await requestNewPasskey(deps, member, body.password);
  switch (outcome.kind) {
    case 'asked':
      setPasskeyChallenge(c, deps, outcome.challengeToken);
      return c.json({ options: outcome.options } satisfies NewPasskeyOptions);
    case 'wrong':
      return refuseInvalid(c, { password: 'This is not your current password.' });
    case 'not-shown':
      return refuseWithoutPasskey(c);
    case 'too-many':
      return refuseTooMany(c, outcome.retryAfterS);
  }
}

async function postPasskey({ c, deps, member, body }: MemberRequest<typeof AddPasskeyBody>): Promise<Response> {
  const added = await addPasskey(deps, member, body, takePasskeyChallenge(c, deps));
  if (!added) return apiError(c, 409, 'conflict', 'This passkey was not accepted. Please try again.');
  return c.json({ recovery_codes: added.codes } satisfies RecoveryCodes, 201);
}

async function deletePasskey({ c, deps, member }: MemberRequest): Promise<Response> {
  switch (await removePasskey(deps, member, c.req.param('id') ?? '')) {
    case 'removed':
      return c.body(null, 204);
    case 'not-shown':
      return refuseWithoutPasskey(c);
    case 'not-removed':
      return apiError(c, 409, 'conflict', 'This passkey was already removed, or it is the only one of an owner.');
  }
}

async function postCodes({ c, deps, member }: MemberRequest): Promise<Response> {
  const codes = await makeRecoveryCodes(deps, member);
  return codes ? c.json({ recovery_codes: codes } satisfies RecoveryCodes, 201) : refuseWithoutPasskey(c);
}
