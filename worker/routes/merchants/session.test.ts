import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { bearer, consent, Jar } from '#tests/support/consent';
import { beginLogin, logIn, makeApp } from '#tests/support/login';

/** Returns the state that a login page shows. */
const shownStateOf = async (response: Response) => /data-state="([\w-]+)"/.exec(await response.text())?.[1];

const countSessions = async () =>
  (await env.DB.prepare('SELECT count(*) AS n FROM sessions').first<{ n: number }>())?.n;

describe('login through the CRM', () => {
  it('requests the seven scopes in order, with a challenge and our only redirect address', async () => {
    const params = (await beginLogin(makeApp(), new Jar())).searchParams;
    expect(params.get('scope')).toBe(
      'oauth crm.objects.companies.read crm.objects.contacts.read crm.objects.invoices.read e-commerce crm.objects.line_items.read crm.schemas.line_items.read',
    );
    expect(params.get('redirect_uri')).toBe('http://localhost:8787/oauth');
    expect(params.get('code_challenge_method')).toBe('S256');
    expect(params.get('state')?.length).toBeGreaterThanOrEqual(22);
  });

  it('opens a session, names the user and never shows a CRM token to the browser', async () => {
    const app = makeApp();
    const { jar, token } = await logIn(app, 1);
    const status = await app.request(`/api/token/status/${token}`);
    expect(await status.json()).toMatchObject({
      data: { user: hubs[1].users[0]?.email, hub_domain: hubs[1].domain, token_type: 'Bearer' },
    });
    expect(status.headers.get('cache-control')).toContain('no-store');
    expect((await app.request('/api/token/status/current', { headers: bearer(token) })).status).toBe(200);
    const { results } = await env.DB.prepare('SELECT access_token, refresh_token FROM crm_tokens').all();
    expect(JSON.stringify([...jar.cookies])).not.toMatch(/na1-/);
    expect(JSON.stringify(results)).not.toMatch(/na1-/);
  });

  it('asks the user to start again when the clinic’s database does not respond', async () => {
    const app = makeApp();
    const jar = new Jar();
    const callback = await consent(await beginLogin(app, jar), 1);
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    app.deps.clinics.found = () => Promise.reject(new Error('D1_ERROR: the object was reset'));
    const response = await app.request(`${callback.pathname}${callback.search}`, { headers: jar.header });
    expect([response.status, await shownStateOf(response)]).toEqual([503, 'invalid']);
    expect(warn.mock.calls.flat().join()).toContain('request-failed');
    warn.mockRestore();
  });

  it('succeeds while the database of the browser’s previous clinic is down', async () => {
    const app = makeApp();
    const { jar } = await logIn(app, 1);
    const { db } = app.deps.clinics;
    const [openedClinics, failure] = [new Set<number>(), new Error('D1_ERROR: the object was reset')];
    // The previous session belongs to clinic 1, and the new login to another clinic.
    app.deps.clinics.db = (clinic) => {
      openedClinics.add(clinic);
      if (clinic === 1) throw failure;
      return db(clinic);
    };
    const callback = await consent(await beginLogin(app, jar), 0);
    const response = await app.request(`${callback.pathname}${callback.search}`, { headers: jar.header });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
    expect([...openedClinics]).toEqual([2, 1]);
  });

  it.each([
    ['missing', () => undefined],
    ['wrong', () => 'A'.repeat(27)],
  ])('rejects a %s state', async (_case, stateOf) => {
    const app = makeApp();
    const jar = new Jar();
    const callback = await consent(await beginLogin(app, jar), 1);
    const state = stateOf();
    if (state === undefined) callback.searchParams.delete('state');
    else callback.searchParams.set('state', state);
    const response = await app.request(`${callback.pathname}${callback.search}`, { headers: jar.header });
    expect([response.status, await shownStateOf(response)]).toEqual([400, 'invalid']);
    expect(await countSessions()).toBe(0);
  });

  it('rejects another browser’s state and a used one', async () => {
    const app = makeApp();
    const jar = new Jar();
    const callback = await consent(await beginLogin(app, jar), 1);
    const callbackPath = `${callback.pathname}${callback.search}`;
    const stranger = new Jar();
    await beginLogin(app, stranger);
    expect((await app.request(callbackPath, { headers: stranger.header })).status).toBe(400);
    expect((await app.request(callbackPath)).status).toBe(400);
    const cookies = jar.header;
    expect((await app.request(callbackPath, { headers: cookies })).status).toBe(303);
    for (let n = 0; n < 20; n++) expect((await app.request(callbackPath, { headers: cookies })).status).toBe(400);
    expect(await countSessions()).toBe(1);
  });

  it('rejects two codes, and redirects to the login page after a denied consent', async () => {
    const app = makeApp();
    const jar = new Jar();
    const callback = await consent(await beginLogin(app, jar), 1);
    expect((await app.request(`/oauth${callback.search}&code=x`, { headers: jar.header })).status).toBe(400);
    const deniedCallback = await consent(await beginLogin(app, jar), 1, 'deny');
    const response = await app.request(`/oauth${deniedCallback.search}`, { headers: jar.header });
    expect(response.headers.get('location')).toBe('/login?login=cancelled');
    expect(await countSessions()).toBe(0);
  });

  it('shows an error when the CRM does not respond or grants too few scopes', async () => {
    const app = makeApp();
    const control = (call: string, body: unknown) =>
      fetch(`${app.sandboxUrl}/_sandbox/${call}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const jar = new Jar();
    let callback = await consent(await beginLogin(app, jar), 1);
    await control('faults', { on: '/oauth/2026-09/token', do: '500', times: 5 });
    const errorResponse = await app.request(`/oauth${callback.search}`, { headers: jar.header });
    await fetch(`${app.sandboxUrl}/_sandbox/faults`, { method: 'DELETE' });
    expect([errorResponse.status, await shownStateOf(errorResponse)]).toEqual([502, 'crm-down']);
    await control('settings', { granted_scopes: ['oauth'] });
    callback = await consent(await beginLogin(app, jar), 1);
    const fewerScopesResponse = await app.request(`/oauth${callback.search}`, { headers: jar.header });
    await control('settings', { granted_scopes: null });
    expect([fewerScopesResponse.status, await shownStateOf(fewerScopesResponse)]).toEqual([403, 'missing-scopes']);
    expect(await countSessions()).toBe(0);
  });
});

describe('a logged-in browser while the clinic’s database does not respond', () => {
  async function makeAppWithoutDatabase() {
    const app = makeApp();
    const { jar } = await logIn(app, 1);
    app.deps.clinics.db = () => {
      throw new Error('D1_ERROR: the object was reset');
    };
    const get = (path: string) => app.request(path, { headers: jar.header });
    return { app, get };
  }

  it.each(['/', '/login'])('still sees %s', async (path) => {
    const { get } = await makeAppWithoutDatabase();
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('data-state');
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('can log out', async () => {
    const { get } = await makeAppWithoutDatabase();
    const answer = await get('/logout');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    expect(answer.headers.getSetCookie().join()).toMatch(/session=;/);
  });
});

describe('a staff session', () => {
  it('is renewed only by its refresh token from our own pages, and ends on logout', async () => {
    const app = makeApp();
    const { jar, token } = await logIn(app, 1);
    const renewalResponse = await app.request('/api/refresh-access-token', { headers: jar.header });
    expect(Object.keys((await renewalResponse.json()) as object)).toEqual(['accessToken']);
    expect((await app.request('/api/refresh-access-token', { headers: bearer(token) })).status).toBe(401);
    const foreignHeaders = { ...jar.header, 'sec-fetch-site': 'cross-site' };
    expect((await app.request('/api/refresh-access-token', { headers: foreignHeaders })).status).toBe(403);
    expect((await app.request('/logout', { headers: foreignHeaders })).headers.get('location')).toBe('/');
    expect((await app.request('/api/token/get-merchant', { headers: bearer(token) })).status).toBe(200);

    const loggedOut = await app.request('/logout', { headers: jar.header });
    expect([loggedOut.status, loggedOut.headers.get('location')]).toEqual([303, '/']);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => app.request('/api/token/get-merchant', { headers: bearer(token) })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await app.request('/api/refresh-access-token', { headers: jar.header })).status).toBe(401);
  });

  it.each([
    ['by the user elsewhere', 'UPDATE sessions SET revoked_at = 1', 'ended'],
    ['by the removal of the user', 'UPDATE users SET removed_at = 1', 'removed'],
  ])('that was ended %s redirects its browser to the login page with the reason', async (_case, end, state) => {
    const app = makeApp();
    const { jar } = await logIn(app, 1);
    await env.DB.prepare(end).run();
    for (const path of ['/', '/payments', '/logout']) {
      const answer = await app.request(path, { headers: jar.header });
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 303, `/login?login=${state}`]);
      expect(answer.headers.getSetCookie().join()).toMatch(/session=;/);
    }
    expect((await app.request('/')).status).toBe(200);
    expect(await shownStateOf(await app.request(`/login?login=${state}`))).toBe(state);
  });

  it('ends on the next login in the same browser, but not in other browsers', async () => {
    const app = makeApp();
    const [first, otherLogin] = [await logIn(app, 1), await logIn(app, 1)];
    const oldHeaders = { ...first.jar.header };
    const { token } = await logIn(app, 1, first.jar);
    expect((await app.request('/api/token/get-merchant', { headers: bearer(first.token) })).status).toBe(401);
    expect((await app.request('/api/refresh-access-token', { headers: oldHeaders })).status).toBe(401);
    for (const validToken of [token, otherLogin.token])
      expect((await app.request('/api/token/get-merchant', { headers: bearer(validToken) })).status).toBe(200);
  });

  it('returns identical responses for unknown, expired and revoked tokens', async () => {
    const clock = { now: Date.now() };
    const app = makeApp({ now: () => clock.now });
    const { jar, token } = await logIn(app, 1);
    const otherLogin = await logIn(app, 1);
    await app.request('/logout', { headers: otherLogin.jar.header });
    const revokedResponse = await app.request(`/api/token/status/${otherLogin.token}`);
    clock.now += 16 * 60_000;
    const expiredResponse = await app.request(`/api/token/status/${token}`);
    const unknownResponse = await app.request('/api/token/status/undefined');
    const bodies = await Promise.all(
      [revokedResponse, expiredResponse, unknownResponse].map((response) => response.text()),
    );
    expect([revokedResponse, expiredResponse, unknownResponse].map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(new Set(bodies).size).toBe(1);
    // The refresh token still renews the session until it has been idle too long.
    expect((await app.request('/api/refresh-access-token', { headers: jar.header })).status).toBe(200);
    clock.now += 31 * 60_000;
    expect((await app.request('/api/refresh-access-token', { headers: jar.header })).status).toBe(401);
  });

  it('makes only the first person who connects an account an administrator, who is not yet confirmed', async () => {
    const app = makeApp();
    for (const _ of [1, 2]) await logIn(app, 1);
    const jar = new Jar();
    const callback = await consent(await beginLogin(app, jar), 1, 'grant', 1);
    await app.request(`${callback.pathname}${callback.search}`, { headers: jar.header });
    const { results } = await env.DB.prepare('SELECT user_id, crm_user_id, role, is_confirmed FROM users').all();
    const [admin, staff] = hubs[1].users;
    expect(results).toEqual([
      { user_id: 1, crm_user_id: admin?.userId, role: 'admin', is_confirmed: 0 },
      { user_id: 2, crm_user_id: staff?.userId, role: 'desk', is_confirmed: 1 },
    ]);
  });

  it('cannot write from a browser without the refresh token of the same session', async () => {
    const app = makeApp();
    const [first, otherLogin] = [await logIn(app, 1), await logIn(app, 1)];
    const signUp = async (headers: Record<string, string>) =>
      (
        await app.request('/api/token/setup-merchant', {
          method: 'POST',
          headers: { ...bearer(first.token), ...headers },
          body: '{"dbaName":""}',
        })
      ).status;
    const origin = { origin: 'http://localhost:8787' };
    const site = { 'sec-fetch-site': 'same-origin' };
    for (const header of [origin, site]) {
      expect(await signUp(header)).toBe(401);
      expect(await signUp({ ...header, ...otherLogin.jar.header })).toBe(401);
      expect(await signUp({ ...header, ...first.jar.header })).toBe(422);
    }
    expect(await signUp({ origin: 'https://evil.example', ...first.jar.header })).toBe(403);
    expect(await signUp({ 'sec-fetch-site': 'same-site', ...first.jar.header })).toBe(403);
    // This request does not come from a browser, so another site cannot misuse its cookies.
    expect(await signUp({ 'sec-fetch-mode': 'cors' })).toBe(422);
  });

  it('shows only the merchant of its own account', async () => {
    const app = makeApp();
    const [first, second] = [await logIn(app, 0), await logIn(app, 1)];
    await env.DB.prepare(
      "INSERT INTO merchants (account_id, name, merchant_number, status, claimed_at) VALUES (?, 'Own', '1', 'applied', 0)",
    )
      .bind(hubs[0].hubId)
      .run();
    const merchantFor = async (token: string) =>
      (await app.request('/api/token/get-merchant', { headers: bearer(token) })).json();
    expect(await merchantFor(first.token)).toMatchObject({ merchant: { merchant_name: 'Own' } });
    expect(await merchantFor(second.token)).toEqual({ merchant: null });
  });
});
