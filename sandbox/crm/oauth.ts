import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { crmApp } from '../credentials.ts';
import type { SandboxEnv, World } from '../world.ts';
import { findAccessToken, requireCaller } from './access.ts';
import {
  ACCESS_TOKEN_S,
  describeAccessToken,
  findRefreshToken,
  hubOf,
  issueAccessToken,
  issueRefreshToken,
  revokeRefreshToken,
  userOf,
} from './oauth-tokens.ts';
import { CrmProblem, OauthProblem } from './problem.ts';

type Form = Record<string, string>;

async function readForm(c: Context<SandboxEnv>): Promise<Form> {
  const type = c.req.header('content-type') ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded'))
    throw new OauthProblem('invalid_request', 'BAD_REQUEST', 'form body expected');
  return Object.fromEntries(new URLSearchParams(await c.req.text()));
}

function requireApp(form: Form) {
  // [guessed] Older codes accompany the error. Only BAD_REFRESH_TOKEN is documented.
  if (form.client_id !== crmApp.clientId)
    throw new OauthProblem('invalid_client', 'BAD_CLIENT_ID', 'missing or unknown client id');
  if (form.client_secret !== crmApp.clientSecret)
    throw new OauthProblem('invalid_client', 'BAD_CLIENT_SECRET', 'missing or invalid client secret');
}

type Grant = { hub_id: number; user_id: number; scopes: string };
type CodeRow = Grant & { redirect_uri: string; code_challenge: string | null; expires_ms: number; used: number };

function redeemCode(world: World, form: Form): Grant {
  const badCode = () => new OauthProblem('invalid_grant', 'BAD_AUTH_CODE', 'missing or unknown auth code');
  const code = world.store.get<CodeRow>(
    'SELECT hub_id, user_id, scopes, redirect_uri, code_challenge, expires_ms, used FROM auth_codes WHERE code = ?',
    form.code ?? '',
  );
  if (!code || code.used || code.expires_ms <= world.now()) throw badCode();
  if (code.redirect_uri !== form.redirect_uri)
    throw new OauthProblem('invalid_grant', 'BAD_REDIRECT_URI', 'missing or mismatched redirect uri');
  // [documented] `code_verifier` is accepted here; no page states that the consent page accepts the challenge.
  if (code.code_challenge !== null) {
    const challenge = createHash('sha256')
      .update(form.code_verifier ?? '')
      .digest('base64url');
    if (challenge !== code.code_challenge)
      throw new OauthProblem('invalid_grant', 'BAD_CODE_VERIFIER', 'code verifier does not match');
  }
  world.store.run('UPDATE auth_codes SET used = 1 WHERE code = ?', form.code ?? '');
  return { hub_id: code.hub_id, user_id: code.user_id, scopes: code.scopes };
}

function redeem(world: World, form: Form): { grant: Grant; refreshToken: string } {
  if (form.grant_type === 'authorization_code') {
    const grant = redeemCode(world, form);
    return { grant, refreshToken: issueRefreshToken(world, grant) };
  }
  if (form.grant_type !== 'refresh_token')
    throw new OauthProblem('unsupported_grant_type', 'BAD_GRANT_TYPE', 'missing or unknown grant type');
  const storedToken = findRefreshToken(world, form.refresh_token ?? '');
  if (!storedToken) throw new OauthProblem('invalid_grant', 'BAD_REFRESH_TOKEN', 'missing or invalid refresh token');
  // [documented] Each response contains a refresh token.
  // [guessed] The token may differ from the previous one.
  if (!world.settings(storedToken.hub_id).rotate_refresh)
    return { grant: storedToken, refreshToken: storedToken.token };
  revokeRefreshToken(world, storedToken.token);
  return { grant: storedToken, refreshToken: issueRefreshToken(world, storedToken) };
}

/** Version 1 omits the hub, scopes and token use. Later versions include them. */
function tokenAnswer(world: World, version: string, form: Form) {
  const { grant, refreshToken } = world.store.transaction(() => redeem(world, form));
  const baseFields = {
    token_type: 'bearer',
    refresh_token: refreshToken,
    access_token: issueAccessToken(world, grant),
    expires_in: ACCESS_TOKEN_S,
  };
  if (version === 'v1') return baseFields;
  return {
    ...baseFields,
    hub_id: grant.hub_id,
    user_id: grant.user_id,
    scopes: grant.scopes.split(' '),
    token_use: 'access_token',
  };
}

function introspect(world: World, form: Form) {
  // The reference names the field `token`, the guide `access_token` or `refresh_token`, so accept all three.
  const token = form.token ?? form.access_token ?? form.refresh_token ?? '';
  const accessRow = form.token_type_hint === 'refresh_token' ? undefined : findAccessToken(world, token);
  if (accessRow && accessRow.expires_ms > world.now()) {
    const metadata = describeAccessToken(world, token, accessRow);
    return {
      active: true,
      ...metadata,
      client_id: crmApp.clientId,
      is_private_distribution: false,
      token_use: 'access_token',
      token_type: 'Bearer',
    };
  }
  const refreshRow = findRefreshToken(world, token);
  if (!refreshRow) return { active: false };
  return { active: true, ...describeRefreshToken(refreshRow), token_use: 'refresh_token', token_type: 'Bearer' };
}

function describeRefreshToken(row: { token: string; hub_id: number; user_id: number; scopes: string }) {
  return {
    token: row.token,
    hub_id: row.hub_id,
    user_id: row.user_id,
    client_id: crmApp.clientId,
    user: userOf(row.hub_id, row.user_id)?.email,
    hub_domain: hubOf(row.hub_id)?.domain,
    scopes: row.scopes.split(' '),
  };
}

/** Token endpoints of all API versions: the official client uses v1, other callers use the later ones. */
export function oauthRoutes(world: World): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  // [documented] Returns the user, account and scopes of a token, but no role. `user` and `hub_domain` may be missing.
  // [guessed] Returns 404 for an expired token.
  app.get('/oauth/v1/access-tokens/:token', (c) => {
    const row = findAccessToken(world, c.req.param('token'));
    if (!row || row.expires_ms <= world.now())
      throw new CrmProblem(404, 'access token not found', { category: 'OBJECT_NOT_FOUND' });
    return c.json({ ...describeAccessToken(world, c.req.param('token'), row), token_type: 'access' });
  });
  // [documented] Returns the same for a refresh token.
  // [guessed] Returns 404 for an unknown token.
  app.get('/oauth/v1/refresh-tokens/:token', (c) => {
    const row = findRefreshToken(world, c.req.param('token'));
    if (!row) throw new CrmProblem(404, 'refresh token not found', { category: 'OBJECT_NOT_FOUND' });
    return c.json({ ...describeRefreshToken(row), token_type: 'refresh' });
  });
  // [documented] Returns 204. Access tokens stay valid, and the app stays installed.
  app.delete('/oauth/v1/refresh-tokens/:token', (c) => {
    revokeRefreshToken(world, c.req.param('token'));
    return c.body(null, 204);
  });

  const versionedPath = '/oauth/:version{v1|v3|2025-09|2026-03|2026-09}';
  // [documented] Exchanges a code or a refresh token for tokens; 400 with `invalid_grant` if it is not valid.
  app.post(`${versionedPath}/token`, async (c) => {
    const form = await readForm(c);
    requireApp(form);
    return c.json(tokenAnswer(world, c.req.param('version'), form));
  });
  // [documented] Returns token metadata for a POST with the app's secret.
  // [guessed] Returns 200 with `active: false` for an expired token.
  app.post(`${versionedPath}/token/introspect`, async (c) => {
    const form = await readForm(c);
    requireApp(form);
    const answer = introspect(world, form);
    // The newest version's reference names only `active`.
    const account = 'hub_id' in answer ? answer.hub_id : null;
    const isBare = c.req.param('version') === '2026-09' && world.settings(account).introspection === 'bare';
    return c.json(isBare ? { active: answer.active } : answer);
  });
  // [documented] Revokes a refresh token; access tokens stay valid.
  // [guessed] Returns 200 and an empty object, because the reference names no status.
  app.post(`${versionedPath}/token/revoke`, async (c) => {
    const form = await readForm(c);
    requireApp(form);
    revokeRefreshToken(world, form.token ?? '');
    return c.json({});
  });

  // [documented] Returns 204. Uninstalls the app: every grant of the account ends, without a notification.
  app.delete('/appinstalls/:version/external-install', (c) => {
    const { hubId } = requireCaller(world, c);
    world.store.run('UPDATE refresh_tokens SET revoked = 1 WHERE hub_id = ?', hubId);
    world.store.run('DELETE FROM access_tokens WHERE hub_id = ?', hubId);
    return c.body(null, 204);
  });
  return app;
}
