import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { refuseForeignPages } from '../control-guard.ts';
import { crmApp, type HubCredentials, hubs, productScopes } from '../credentials.ts';
import { consentPage, consentProblemPage } from '../pages/consent-page.ts';
import type { SandboxEnv, World } from '../world.ts';
import { hubOf, optionalScopes } from './oauth-tokens.ts';

export type Fields = Record<string, string | undefined>;

/** A checked consent request from the product. */
export type ConsentRequest = {
  redirectUri: string;
  scopes: string[];
  optionalScopes: string[];
  state: string | undefined;
  codeChallenge: string | null;
};

/** An error that is shown on the page itself, without a redirect to an address that may not be the product's. */
export class ConsentProblem extends Error {}

const splitScopes = (text: string | undefined) => (text ?? '').split(/\s+/).filter((scope) => scope !== '');

function checkRedirect(world: World, text: string | undefined): string {
  if (!text) throw new ConsentProblem('The redirect_uri is missing.');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) throw new ConsentProblem('The redirect_uri is not an address.');
  if (/^[\d.]+$|^\[/.test(url.hostname))
    throw new ConsentProblem('The redirect_uri names an IP address. Use localhost for local development.');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && url.hostname === 'localhost'))
    throw new ConsentProblem('The redirect_uri must use https; only localhost may use http.');
  const registeredUri = `${world.productUrl}/oauth`;
  if (text !== registeredUri)
    throw new ConsentProblem(`The redirect_uri is not registered for this app. It must be exactly ${registeredUri}.`);
  return text;
}

/** Throws a ConsentProblem unless the request has all required scopes and no others. */
function checkScopes(fields: Fields): string[] {
  const requestedScopes = splitScopes(fields.scope);
  const requiredScopes: readonly string[] = productScopes;
  const missingScopes = requiredScopes.filter((scope) => !requestedScopes.includes(scope));
  if (missingScopes.length > 0)
    throw new ConsentProblem(`The app requires scopes that were not asked for: ${missingScopes.join(', ')}.`);
  const unknownScopes = requestedScopes.filter((scope) => !requiredScopes.includes(scope));
  if (unknownScopes.length > 0)
    throw new ConsentProblem(`The app does not declare these scopes as required: ${unknownScopes.join(', ')}.`);
  return [...new Set(requestedScopes)];
}

/**
 * [documented] Optional scopes come in a separate field. An undeclared scope makes the authorization fail for every
 * user. Scopes that the user unticked on the page are omitted.
 */
function checkOptionalScopes(fields: Fields): string[] {
  const requestedScopes = [...new Set(splitScopes(fields.optional_scope))];
  const unknownScopes = requestedScopes.filter((scope) => !optionalScopes.includes(scope));
  if (unknownScopes.length > 0)
    throw new ConsentProblem(`The app does not declare these scopes as optional: ${unknownScopes.join(', ')}.`);
  return fields.scopes_chosen === undefined
    ? requestedScopes
    : requestedScopes.filter((scope) => fields[`grant ${scope}`] !== undefined);
}

function checkChallenge(fields: Fields): string | null {
  if (fields.code_challenge === undefined) {
    if (fields.code_challenge_method === undefined) return null;
    throw new ConsentProblem('There is a code_challenge_method without a code_challenge.');
  }
  if (fields.code_challenge_method !== 'S256') throw new ConsentProblem('The code_challenge_method must be S256.');
  if (!/^[\w-]{43}$/.test(fields.code_challenge))
    throw new ConsentProblem('The code_challenge is not a SHA-256 hash in base64url.');
  return fields.code_challenge;
}

/** Reads a consent request; throws a ConsentProblem that names the error in the link. */
export function readConsentRequest(world: World, fields: Fields): ConsentRequest {
  if (fields.client_id !== crmApp.clientId) throw new ConsentProblem('The client_id is missing or belongs to no app.');
  return {
    redirectUri: checkRedirect(world, fields.redirect_uri),
    scopes: checkScopes(fields),
    optionalScopes: checkOptionalScopes(fields),
    state: fields.state,
    codeChallenge: checkChallenge(fields),
  };
}

// [documented] A code works once and expires soon.
// [guessed] The lifetime is one minute.
const CODE_LIFETIME_S = 60;

/** The errors that the product gets when no code is granted. */
const REFUSALS: Record<string, { error: string; description: string }> = {
  deny: { error: 'access_denied', description: 'The user denied access to the app' },
  server_error: { error: 'server_error', description: 'An unexpected error occurred' },
};

/**
 * [documented] Optional scopes that the account or the user may not grant are omitted without an error. Here a user who
 * is not the installer grants none.
 */
function grantedScopes(world: World, request: ConsentRequest, hubId: number, isInstaller: boolean): string[] {
  const { granted_scopes, optional_scopes } = world.settings(hubId);
  if (granted_scopes !== null) return granted_scopes;
  const optional = request.optionalScopes.filter((scope) => isInstaller && (optional_scopes?.includes(scope) ?? true));
  return [...request.scopes, ...optional];
}

function issueCode(world: World, request: ConsentRequest, hubId: number, userId: number): string {
  const code = `na1-${randomUUID()}`;
  const scopes = grantedScopes(world, request, hubId, hubOf(hubId)?.users[0]?.userId === userId);
  world.store.run('DELETE FROM auth_codes WHERE expires_ms < ?', world.now() - 24 * 3_600_000);
  world.store.run(
    'INSERT INTO auth_codes (code, hub_id, user_id, scopes, redirect_uri, code_challenge, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
    code,
    hubId,
    userId,
    scopes.join(' '),
    request.redirectUri,
    request.codeChallenge,
    world.now() + CODE_LIFETIME_S * 1000,
  );
  return code;
}

function redirectUrl(request: ConsentRequest, params: Record<string, string>): string {
  const url = new URL(request.redirectUri);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  if (request.state !== undefined) url.searchParams.set('state', request.state);
  return url.href;
}

/** Lists the accounts to choose from; only one if the address names an account. */
function listChoices(hubId: string | undefined): HubCredentials[] {
  if (hubId === undefined) return hubs;
  const hub = hubs.find((candidate) => String(candidate.hubId) === hubId);
  if (!hub) throw new ConsentProblem('There is no account with the id in the address.');
  return [hub];
}

/** Form fields take precedence over query parameters. */
async function readFields(c: Context<SandboxEnv>): Promise<Fields> {
  const body = c.req.method === 'POST' ? await c.req.parseBody() : {};
  const texts = Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { ...c.req.query(), ...Object.fromEntries(texts) };
}

/** The page on which a user grants the product access to an account. It requires no password. */
export function consentRoutes(world: World): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.onError((error, c) => {
    if (error instanceof ConsentProblem) return c.html(consentProblemPage(world, error.message), 400);
    throw error;
  });

  for (const path of ['/oauth/authorize', '/oauth/:hubId{[0-9]+}/authorize'] as const) {
    // [documented] Takes the client, redirect address, scopes and state. Errors are shown here, without a redirect.
    // [guessed] The visitor chooses the user and account. The real page requires a login first, which is not simulated.
    app.get(path, async (c) => {
      const fields = await readFields(c);
      readConsentRequest(world, fields);
      return c.html(consentPage(listChoices(c.req.param('hubId')), fields, c.req.path));
    });
    // [documented] The redirect address receives a code and the state.
    // [guessed] A refusal is sent as `access_denied`. The quickstart states that nothing is sent at all.
    app.post(path, refuseForeignPages, async (c) => {
      const fields = await readFields(c);
      const request = readConsentRequest(world, fields);
      const refusal = REFUSALS[fields.decision ?? ''];
      if (refusal)
        return c.redirect(redirectUrl(request, { error: refusal.error, error_description: refusal.description }));
      if (fields.decision !== 'grant') throw new ConsentProblem('The decision must be grant or deny.');
      const accounts = listChoices(c.req.param('hubId'));
      const hub = accounts.find((candidate) => String(candidate.hubId) === fields.hub_id);
      if (!hub) throw new ConsentProblem('The hub_id is missing or names none of the accounts.');
      const user = hub.users.find((candidate) => String(candidate.userId) === fields.user_id);
      // Without scripts, the list of users does not follow the account, so send the page again with the right users.
      if (!user) return c.html(consentPage(accounts, fields, c.req.path, hub), 400);
      // [documented] Installing requires a super admin or a user with marketplace permission.
      // [guessed] Other users are also refused if the app is already installed; no document covers this case.
      if (world.settings(hub.hubId).consent === 'installer-only' && user !== hub.users[0])
        throw new ConsentProblem('You do not have the permissions that this app needs. Ask an admin of the account.');
      return c.redirect(redirectUrl(request, { code: issueCode(world, request, hub.hubId, user.userId) }));
    });
  }
  return app;
}
