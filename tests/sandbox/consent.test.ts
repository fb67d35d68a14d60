import { createHash, randomBytes } from 'node:crypto';
import { Client } from '@hubspot/api-client';
import { beforeEach, expect, test } from 'vitest';
import { crmApp, type HubCredentials, productScopes } from '#sandbox/credentials';
import { dental, physio, startSandbox, vet } from './start.ts';

const world = await startSandbox();
const redirectUri = 'http://localhost:8787/oauth';
const query = {
  client_id: crmApp.clientId,
  redirect_uri: redirectUri,
  scope: productScopes.join(' '),
  state: 's+/ä 1',
};
type Fields = Record<string, string>;

beforeEach(async () => {
  await world.control('settings', { granted_scopes: null, rotate_refresh: false });
});

const open = (change: Fields = {}, path = '/oauth/authorize') =>
  world.get(`${path}?${new URLSearchParams({ ...query, ...change })}`);
const send = (fields: Fields, path = '/oauth/authorize') =>
  world.call(path, { method: 'POST', body: new URLSearchParams(fields) });

/** Decides as a user of a hub and returns the address that the browser is sent to. */
async function decide(hub: HubCredentials, decision: string, change: Fields = {}, user = 0) {
  const person = { hub_id: String(hub.hubId), user_id: String(hub.users[user]?.userId) };
  const answer = await send({ ...query, ...change, ...person, decision });
  expect(answer.status).toBe(302);
  return new URL(answer.headers.get('location') ?? '');
}
const codeFor = async (...args: [HubCredentials, Fields?, number?]) =>
  (await decide(args[0], 'grant', args[1], args[2])).searchParams.get('code') ?? '';
const redeem = (code: string, fields: Fields = {}) =>
  world.token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...fields });

test('the page shows a radio button per account, its users in their own group, and two buttons', async () => {
  const { status, text } = await open();
  expect(status).toBe(200);
  expect(text.match(/type="radio"/g)).toHaveLength(3);
  expect(text.match(/ checked/g)).toHaveLength(1);
  for (const hub of [dental, physio, vet]) {
    expect(text).toContain(`>${hub.name}</span>`);
    const group = new RegExp(`<optgroup label="${hub.name}"[^]*?</optgroup>`).exec(text)?.[0];
    for (const user of hub.users) expect(group).toContain(`value="${user.userId}"`);
  }
  expect(text).toContain('>Grant access</button>');
  expect(text).toContain('>Deny</button>');
  expect((await world.get('/_sandbox/consent.js')).status).toBe(200);
});

test('the form carries the fields of the link unchanged and escaped', async () => {
  const { text } = await open({ state: '"><script>alert(1)</script>' });
  expect(text).toContain('name="state" value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  for (const name of ['client_id', 'redirect_uri', 'scope']) expect(text).toContain(`name="${name}"`);
  expect(text).not.toContain('name="code_challenge"');
});

test('granting redirects with a code and the same state, and the code yields that user’s tokens', async () => {
  const returnUrl = await decide(physio, 'grant', {}, 1);
  expect(returnUrl.origin + returnUrl.pathname).toBe(redirectUri);
  expect([...returnUrl.searchParams.keys()]).toEqual(['code', 'state']);
  expect(returnUrl.searchParams.get('state')).toBe(query.state);
  const { status, json } = await redeem(returnUrl.searchParams.get('code') ?? '');
  expect(status).toBe(200);
  expect(json).toMatchObject({ hub_id: physio.hubId, scopes: productScopes, expires_in: 1800, token_type: 'bearer' });
  const info = await world.call<Fields>('/oauth/2026-09/token/introspect', {
    method: 'POST',
    body: new URLSearchParams({
      client_id: crmApp.clientId,
      client_secret: crmApp.clientSecret,
      token_type_hint: 'access_token',
      token: json.access_token ?? '',
    }),
  });
  expect(info.json).toMatchObject({
    active: true,
    user: physio.users[1]?.email,
    user_id: physio.users[1]?.userId,
    hub_domain: physio.domain,
    hub_id: physio.hubId,
    scopes: productScopes,
  });
});

test('the newest introspection can be limited to the fields in its reference', async () => {
  const { json } = await redeem((await decide(dental, 'grant')).searchParams.get('code') ?? '');
  const { clientId: client_id, clientSecret: client_secret } = crmApp;
  const introspect = async (version: string) => {
    const body = new URLSearchParams({ client_id, client_secret, token: json.access_token ?? '' });
    return (await world.call<Fields>(`/oauth/${version}/token/introspect`, { method: 'POST', body })).json;
  };
  await world.control('settings', { introspection: 'bare' });
  try {
    expect(await introspect('2026-09')).toEqual({ active: true });
    expect(await introspect('2026-03')).toMatchObject({ active: true, hub_id: dental.hubId });
  } finally {
    await world.control('settings', { introspection: 'full' });
  }
});

test.each([
  ['deny', 'access_denied'],
  ['server_error', 'server_error'],
])('%s redirects with %s, a description and the state, but no code', async (decision, error) => {
  const returnUrl = await decide(dental, decision);
  expect([...returnUrl.searchParams.keys()]).toEqual(['error', 'error_description', 'state']);
  expect([returnUrl.searchParams.get('error'), returnUrl.searchParams.get('state')]).toEqual([error, query.state]);
});

test('a request without a state gets none back', async () => {
  const { state: _, ...stateless } = query;
  const fields = { ...stateless, hub_id: String(dental.hubId), user_id: String(dental.users[0]?.userId) };
  const location = (await send({ ...fields, decision: 'grant' })).headers.get('location') ?? '';
  expect(new URL(location).searchParams.has('state')).toBe(false);
});

test.each<[string, Fields, string]>([
  ['an unknown app', { client_id: 'nobody' }, 'client_id'],
  ['another path', { redirect_uri: 'http://localhost:8787/oauth/' }, 'not registered'],
  ['another host', { redirect_uri: 'https://evil.example/oauth' }, 'not registered'],
  ['http beyond localhost', { redirect_uri: 'http://shop.example/oauth' }, 'https'],
  ['an IP address', { redirect_uri: 'http://127.0.0.1:8787/oauth' }, 'IP address'],
  ['no address', { redirect_uri: 'oauth' }, 'not an address'],
  ['a missing scope', { scope: productScopes.slice(1).join(' ') }, 'scopes that were not asked for: oauth'],
  ['an unknown scope', { scope: `${query.scope} crm.everything` }, 'crm.everything'],
  ['a plain challenge', { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }, 'S256'],
])('%s is rejected on the page itself, whether opened or posted', async (_, change, words) => {
  const form = { ...query, ...change, hub_id: String(dental.hubId), user_id: String(dental.users[0]?.userId) };
  for (const answer of [await open(change), await send({ ...form, decision: 'grant' })]) {
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(answer.text).toContain(words);
  }
});

test('a user of another account is rejected, and the page returns with the chosen account', async () => {
  const fields = { ...query, hub_id: String(vet.hubId), user_id: String(dental.users[0]?.userId) };
  const answer = await send({ ...fields, decision: 'grant' });
  expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  expect(answer.text).toContain(`does not belong to ${vet.name}`);
  expect(answer.text).toMatch(new RegExp(`value="${vet.users[0]?.userId}" selected`));
});

test('an address with an account id offers only that account', async () => {
  const path = `/oauth/${physio.hubId}/authorize`;
  const { text } = await open({}, path);
  expect(text).toContain(`action="${path}"`);
  expect([text.includes(physio.name), text.includes(dental.name)]).toEqual([true, false]);
  const otherUser = { ...query, hub_id: String(dental.hubId), user_id: String(dental.users[0]?.userId) };
  expect((await send({ ...otherUser, decision: 'grant' }, path)).status).toBe(400);
  expect((await open({}, '/oauth/1/authorize')).status).toBe(400);
});

test('a code works once, for a short time, and only with its redirect address', async () => {
  const badCode = { status: 400, json: { error: 'invalid_grant', status: 'BAD_AUTH_CODE' } };
  const usedCode = await codeFor(dental);
  expect((await redeem(usedCode, { redirect_uri: 'http://localhost:8787/other' })).json.status).toBe(
    'BAD_REDIRECT_URI',
  );
  expect((await redeem(usedCode)).status).toBe(200);
  expect(await redeem(usedCode)).toMatchObject(badCode);
  const expiredCode = await codeFor(dental);
  await world.control('clock', { add_s: 61 });
  expect(await redeem(expiredCode)).toMatchObject(badCode);
  expect(await redeem('na1-unknown')).toMatchObject(badCode);
});

test('a code with a challenge needs its verifier, and a code without one needs none', async () => {
  const verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const code = await codeFor(dental, { code_challenge, code_challenge_method: 'S256' });
  expect((await redeem(code)).json.status).toBe('BAD_CODE_VERIFIER');
  expect((await redeem(code, { code_verifier: `${verifier}x` })).json.status).toBe('BAD_CODE_VERIFIER');
  expect((await redeem(code, { code_verifier: verifier })).status).toBe(200);
  expect((await redeem(await codeFor(dental), { code_verifier: verifier })).status).toBe(200);
});

test('a grant may have fewer scopes than requested, and calls beyond them are refused', async () => {
  await world.control('settings', { granted_scopes: ['oauth', 'crm.objects.contacts.read'] });
  const { json } = await redeem(await codeFor(dental));
  expect(json.scopes).toEqual(['oauth', 'crm.objects.contacts.read']);
  const headers = { authorization: `Bearer ${json.access_token}` };
  expect((await world.get('/crm/objects/2026-09/contacts', headers)).status).toBe(200);
  expect((await world.get<Fields>('/crm/objects/2026-09/invoices', headers)).json.category).toBe('MISSING_SCOPES');
});

const [READ, WRITE] = ['crm.objects.commercepayments.read', 'crm.objects.commercepayments.write'];
const scopesOf = async (code: string) => (await redeem(code)).json.scopes;

test('optional scopes are granted unless the account or the user may not grant them', async () => {
  const optional_scope = `${READ} ${WRITE}`;
  expect(await scopesOf(await codeFor(dental, { optional_scope }))).toEqual([...productScopes, READ, WRITE]);
  expect(await scopesOf(await codeFor(dental, { optional_scope }, 1))).toEqual([...productScopes]);
  await world.control(`hubs/${dental.hubId}/settings`, { optional_scopes: [READ] });
  try {
    expect(await scopesOf(await codeFor(dental, { optional_scope }))).toEqual([...productScopes, READ]);
  } finally {
    await world.call(`/_sandbox/hubs/${dental.hubId}/settings`, { method: 'DELETE' });
  }
});

test('the consent page has a checkbox per optional scope, and an unticked scope is not granted', async () => {
  const optional_scope = `${READ} ${WRITE}`;
  const page = await world.get(`/oauth/authorize?${new URLSearchParams({ ...query, optional_scope })}`);
  expect(page.text).toContain(`type="checkbox" name="grant ${WRITE}"`);
  const tickedFields = { optional_scope, scopes_chosen: '1', [`grant ${READ}`]: 'on' };
  expect(await scopesOf(await codeFor(dental, tickedFields))).toEqual([...productScopes, READ]);
});

test('an optional scope that the app does not declare makes the authorization fail', async () => {
  const optional_scope = `${READ} crm.unknown.read`;
  const page = await world.get(`/oauth/authorize?${new URLSearchParams({ ...query, optional_scope })}`);
  expect([page.status, page.text.includes('crm.unknown.read')]).toEqual([400, true]);
});

test('a granted refresh token stays valid, and is replaced when token rotation is on', async () => {
  const refresh = (refresh_token: string) => world.token({ grant_type: 'refresh_token', refresh_token });
  const { json } = await redeem(await codeFor(vet, {}, 1));
  const repeated = await refresh(json.refresh_token ?? '');
  expect(repeated.json).toMatchObject({ refresh_token: json.refresh_token, hub_id: vet.hubId });
  await world.control('settings', { rotate_refresh: true });
  const rotated = await refresh(json.refresh_token ?? '');
  expect(rotated.json.refresh_token).not.toBe(json.refresh_token);
  expect((await refresh(json.refresh_token ?? '')).json.status).toBe('BAD_REFRESH_TOKEN');
  expect((await refresh(rotated.json.refresh_token ?? '')).status).toBe(200);
});

test('HubSpot’s own client exchanges the code and reports a used code', async () => {
  const client = new Client({ basePath: world.url });
  const code = await codeFor(dental, {}, 1);
  const exchange = () =>
    client.oauth.tokensApi.create('authorization_code', code, redirectUri, crmApp.clientId, crmApp.clientSecret);
  const tokens = await exchange();
  expect(tokens).toMatchObject({ expiresIn: 1800, tokenType: 'bearer' });
  const info = await client.oauth.accessTokensApi.get(tokens.accessToken);
  expect(info).toMatchObject({ hubId: dental.hubId, user: dental.users[1]?.email, hubDomain: dental.domain });
  await expect(exchange()).rejects.toMatchObject({ code: 400, body: { status: 'BAD_AUTH_CODE' } });
});

test('a page on another site cannot grant access through a visitor’s browser', async () => {
  const body = new URLSearchParams({ ...query, hub_id: '1', user_id: '1', decision: 'grant' });
  const answer = await world.call('/oauth/authorize', {
    method: 'POST',
    body,
    headers: { origin: 'https://evil.example' },
  });
  expect(answer.status).toBe(403);
});

test('consent can be limited to the installer of an account, and others stay on the CRM’s page', async () => {
  await world.control(`hubs/${dental.hubId}/settings`, { consent: 'installer-only' });
  try {
    const person = { hub_id: String(dental.hubId), user_id: String(dental.users[1]?.userId) };
    const refusal = await send({ ...query, ...person, decision: 'grant' });
    expect([refusal.status, refusal.headers.get('location')]).toEqual([400, null]);
    expect(refusal.text).toContain('You do not have the permissions that this app needs.');
    expect(await codeFor(dental)).not.toBe('');
    expect(await codeFor(physio, {}, 1)).not.toBe('');
  } finally {
    await world.control(`hubs/${dental.hubId}/settings`, { consent: 'anyone' });
  }
  expect(await codeFor(dental, {}, 1)).not.toBe('');
});
