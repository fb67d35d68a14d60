import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { bearer, consent, Jar } from '#tests/support/consent';
import { logIn, makeApp, type TestApp } from '#tests/support/login';

/** Another host name of the product on this machine. The consent page always returns to the first one, localhost. */
const ALIAS = 'http://127.0.0.1:8787';

const countSessions = async () =>
  (await env.DB.prepare('SELECT count(*) AS n FROM sessions').first<{ n: number }>())?.n;

/** Logs in under the other host name, until the response with the handoff code. */
async function beginElsewhere(app: TestApp, jar = new Jar()) {
  const startResponse = jar.take(await app.request(`${ALIAS}/oauth/start`, { headers: jar.header }));
  const callback = await consent(new URL(startResponse.headers.get('location') ?? ''), 1);
  const homeJar = new Jar();
  const callbackResponse = homeJar.take(await app.request(`${callback.pathname}${callback.search}`));
  return { jar, home: homeJar, returned: callbackResponse, address: callbackResponse.headers.get('location') ?? '' };
}

/** Expects that the response opens no session and sets no cookie. */
const expectNoSession = (response: Response) => {
  expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
  expect(response.headers.getSetCookie()).toEqual([]);
};

describe('login under another host name', () => {
  it('returns with a handoff code that opens one session, in the browser that started it', async () => {
    const app = makeApp();
    const { jar, home, returned, address } = await beginElsewhere(app);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:8787\/\?authToken=[\w-]{27}$/);
    expect(returned.headers.get('referrer-policy')).toBe('no-referrer');
    expect([home.cookies.size, await countSessions()]).toEqual([0, 0]);

    const response = jar.take(await app.request(address, { headers: jar.header }));
    expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect([...jar.cookies.keys()].sort()).toEqual(['authToken', 'session']);
    const status = await app.request(`${ALIAS}/api/token/status/current`, {
      headers: bearer(jar.cookies.get('authToken') ?? ''),
    });
    expect(await status.json()).toMatchObject({ data: { user: hubs[1].users[0]?.email } });
    expect(await countSessions()).toBe(1);
  });

  it('redirects home without a session while the clinic’s database does not respond', async () => {
    const app = makeApp();
    const { jar, address } = await beginElsewhere(app);
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    app.deps.clinics.db = () => {
      throw new Error('D1_ERROR: the object was reset');
    };
    expectNoSession(await app.request(address, { headers: jar.header }));
    expect(warn.mock.calls.flat().join()).toContain('request-failed');
    warn.mockRestore();
  });

  it('ends the earlier session of the browser under that name', async () => {
    const app = makeApp();
    const first = await beginElsewhere(app);
    first.jar.take(await app.request(first.address, { headers: first.jar.header }));
    const oldHeaders = { ...first.jar.header };
    const second = await beginElsewhere(app, first.jar);
    second.jar.take(await app.request(second.address, { headers: second.jar.header }));
    const renew = (headers: Record<string, string>) => app.request(`${ALIAS}/api/refresh-access-token`, { headers });
    expect((await renew(oldHeaders)).status).toBe(401);
    expect((await renew(second.jar.header)).status).toBe(200);
  });

  it('opens no further session for a hundred replays, at once or later', async () => {
    const app = makeApp();
    const { jar, address } = await beginElsewhere(app);
    const cookies = jar.header;
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.request(address, { headers: cookies })));
    expect(answers.filter((answer) => answer.headers.getSetCookie().length > 0)).toHaveLength(1);
    for (let n = 0; n < 50; n++) expectNoSession(await app.request(address, { headers: cookies }));
    expect(await countSessions()).toBe(1);
  });

  it('opens no session in a second browser, and the code stays valid in the first', async () => {
    const app = makeApp();
    const { jar, address } = await beginElsewhere(app);
    const stranger = new Jar();
    stranger.take(await app.request(`${ALIAS}/oauth/start`));
    for (const headers of [stranger.header, {}]) expectNoSession(await app.request(address, { headers }));
    expect(await countSessions()).toBe(0);
    expect((await app.request(address, { headers: jar.header })).headers.getSetCookie()).not.toEqual([]);
  });

  it('expires after a minute', async () => {
    const clock = { now: Date.now() };
    const app = makeApp({ now: () => clock.now });
    const { jar, address } = await beginElsewhere(app);
    clock.now += 60_000;
    expectNoSession(await app.request(address, { headers: jar.header }));
    expect(await countSessions()).toBe(0);
  });

  it('needs no handoff code when only the port differs', async () => {
    const app = makeApp();
    const jar = new Jar();
    const startResponse = jar.take(await app.request('http://localhost:1234/oauth/start'));
    const callback = await consent(new URL(startResponse.headers.get('location') ?? ''), 1);
    const response = jar.take(await app.request(callback.href, { headers: jar.header }));
    expect(response.headers.get('location')).toBe('http://localhost:1234/');
    expect([...jar.cookies.keys()].sort()).toEqual(['authToken', 'session']);
  });

  it('accepts no callback twice, and none of a login that another browser started under the first name', async () => {
    const app = makeApp();
    const startResponse = await app.request(`${ALIAS}/oauth/start`);
    const callback = await consent(new URL(startResponse.headers.get('location') ?? ''), 1);
    expect((await app.request(callback.href)).status).toBe(303);
    expect((await app.request(callback.href)).status).toBe(400);
    const ownStart = await app.request('/oauth/start');
    const otherCallback = await consent(new URL(ownStart.headers.get('location') ?? ''), 1);
    expect((await app.request(otherCallback.href)).status).toBe(400);
    expect(await countSessions()).toBe(0);
  });
});

describe('an invalid handoff code', () => {
  it('opens no session, even if it is an access token or a refresh token, made up or sent twice', async () => {
    const app = makeApp();
    const { jar, token } = await logIn(app, 1);
    const jarWithState = new Jar();
    jarWithState.take(await app.request('/oauth/start'));
    const state = jarWithState.cookies.get('oauth') ?? '';
    for (const value of [token, jar.cookies.get('session'), state, 'A'.repeat(27), '', 'a&authToken=b']) {
      for (const path of ['/', '/login', '/userinfo']) {
        expectNoSession(await app.request(`${path}?authToken=${value}`, { headers: jarWithState.header }));
      }
    }
    expect(await countSessions()).toBe(1);
  });

  it('does not change a running session', async () => {
    const app = makeApp();
    const { jar } = await logIn(app, 1);
    expectNoSession(await app.request('/?authToken=nonsense', { headers: jar.header }));
    expect((await app.request('/api/refresh-access-token', { headers: jar.header })).status).toBe(200);
  });

  it('is ignored by payer pages and API calls', async () => {
    const app = makeApp();
    for (const path of ['/make/payment/x', '/receipt/x']) {
      expect((await app.request(`${path}?authToken=x`)).status, path).toBe(404);
    }
    expect((await app.request('/api/token/get-merchant?authToken=x')).status).toBe(401);
  });
});
