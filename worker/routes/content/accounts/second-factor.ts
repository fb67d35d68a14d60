import type { Context } from 'hono';
import type { NewPasskeyOptions, RecoveryCodes, SecondFactors } from '#shared/contracts/content/second-factor-reply';
import { AddPasskeyBody, NewPasskeyBody, SecondBody } from '#shared/contracts/content/second-factor-request';
import type { Deps, Env } from '#worker/deps';
import {
  addPasskey,
  askForNewPasskey,
  finishLogin,
  makeRecoveryCodes,
  removePasskey,
  viewSecondFactors,
} from '#worker/domain/content/accounts/second-factor';
import type { ContentSession, Member } from '#worker/domain/content/accounts/session';
import { actingAs } from '#worker/http/acting';
import { setAsked, takeAskedCookie } from '#worker/http/cookies/session-cookies';
import { memberOnly } from '#worker/http/guards/require-editor';
import { invalid, readJson, tooMany } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;
/** What a login that is done answers. */
type Enter = (c: C, deps: Deps, session: ContentSession) => Promise<Response>;

/** The second factor of content accounts: passkeys, and codes for the day on which they are lost. */
export function secondFactorRoutes(app: App, depsOf: (c: C) => Deps, enter: Enter): void {
  const stranger = (c: C) => actingAs(c, depsOf(c), { kind: 'content', id: '', sessionId: '' });
  route(app, '/api/auth/second', { POST: async (c) => postSecond(c, await stranger(c), enter) });
  route(app, '/api/auth/passkeys', {
    GET: memberOnly(depsOf, getPasskeys),
    POST: memberOnly(depsOf, postPasskey),
  });
  route(app, '/api/auth/passkeys/options', { POST: memberOnly(depsOf, postOptions) });
  route(app, '/api/auth/passkeys/:id', { DELETE: memberOnly(depsOf, deletePasskey) });
  route(app, '/api/auth/recovery-codes', { POST: memberOnly(depsOf, postCodes) });
}

const notShown = (c: C) =>
  apiError(c, 403, 'forbidden', 'Log in again with your passkey to change how this account is protected.');

async function postSecond(c: C, deps: Deps, enter: Enter): Promise<Response> {
  const body = await readJson(c, SecondBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await finishLogin(deps, body.data, takeAskedCookie(c, deps));
  switch (outcome.kind) {
    case 'logged-in':
      return enter(c, deps, outcome.session);
    case 'wrong':
      return apiError(c, 401, 'unauthorized', 'Login failed');
    case 'too-many':
      return tooMany(c, outcome.retryAfterS);
  }
}

const iso = (at: number) => new Date(at).toISOString();

async function getPasskeys(c: C, deps: Deps, member: Member): Promise<Response> {
  const { passkeys, codes } = await viewSecondFactors(deps, member);
  return c.json({
    passkeys: passkeys.map(({ id, label, createdAt, usedAt }) => ({
      ...{ id, label, created_at: iso(createdAt), used_at: usedAt === null ? null : iso(usedAt) },
    })),
    recovery_codes_left: codes,
  } satisfies SecondFactors);
}

async function postOptions(c: C, deps: Deps, member: Member): Promise<Response> {
  const body = await readJson(c, NewPasskeyBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await askForNewPasskey(deps, member, body.data.password);
  switch (outcome.kind) {
    case 'asked':
      setAsked(c, deps, outcome.asked);
      return c.json({ options: outcome.options } satisfies NewPasskeyOptions);
    case 'wrong':
      return invalid(c, { password: 'This is not your present password.' });
    case 'not-shown':
      return notShown(c);
    case 'too-many':
      return tooMany(c, outcome.retryAfterS);
  }
}

async function postPasskey(c: C, deps: Deps, member: Member): Promise<Response> {
  const body = await readJson(c, AddPasskeyBody);
  if ('refusal' in body) return body.refusal;
  const added = await addPasskey(deps, member, body.data, takeAskedCookie(c, deps));
  if (!added) return apiError(c, 409, 'conflict', 'This passkey was not accepted. Please try again.');
  return c.json({ recovery_codes: added.codes } satisfies RecoveryCodes, 201);
}

async function deletePasskey(c: C, deps: Deps, member: Member): Promise<Response> {
  switch (await removePasskey(deps, member, c.req.param('id') ?? '')) {
    case 'removed':
      return c.body(null, 204);
    case 'not-shown':
      return notShown(c);
    case 'not-removed':
      return apiError(c, 409, 'conflict', 'This passkey is gone already, or is the only one of an owner.');
  }
}

async function postCodes(c: C, deps: Deps, member: Member): Promise<Response> {
  const codes = await makeRecoveryCodes(deps, member);
  return codes ? c.json({ recovery_codes: codes } satisfies RecoveryCodes, 201) : notShown(c);
}
