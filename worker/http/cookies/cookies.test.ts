import { describe, expect, it } from 'vitest';
import { consent, Jar } from '#tests/support/consent';
import { makeContentApp, PASSWORD } from '#tests/support/content/content';
import { beginLogin, makeApp, type TestApp } from '#tests/support/login';

const APP_URL = 'https://pay.clinic.example';

/** Changes only our own address to https, because the simulated vendors do not serve it. */
function overHttps<App extends TestApp>(app: App): App {
  Object.assign(app.deps.settings, { APP_URL });
  return app;
}

/** Returns the cookies that a response sets, with their sorted attributes and without their values. */
const cookiesSetBy = (response: Response) =>
  Object.fromEntries(
    response.headers.getSetCookie().map((line) => {
      const [pair = '', ...attributes] = line.split('; ');
      return [pair.split('=')[0] ?? '', attributes.filter((attribute) => !attribute.startsWith('Max-Age=')).sort()];
    }),
  );

const HIDDEN_ATTRIBUTES = ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'];

describe('cookies over https', () => {
  it('are bound to our host and hidden from scripts for staff, except authToken', async () => {
    const app = overHttps(makeApp());
    const start = await app.request(`${APP_URL}/oauth/start`);
    expect(cookiesSetBy(start)).toEqual({ '__Host-oauth': HIDDEN_ATTRIBUTES });
    const jar = new Jar();
    jar.take(start);
    const callback = await consent(new URL(start.headers.get('location') ?? ''), 1);
    const response = await app.request(`${APP_URL}${callback.pathname}${callback.search}`, { headers: jar.header });
    const visibleAttributes = HIDDEN_ATTRIBUTES.filter((attribute) => attribute !== 'HttpOnly');
    expect(cookiesSetBy(response)).toEqual({
      '__Host-oauth': HIDDEN_ATTRIBUTES,
      '__Host-session': HIDDEN_ATTRIBUTES,
      authToken: visibleAttributes,
    });
  });

  it('are bound to our host and hidden from scripts in the content area', async () => {
    const app = overHttps(makeContentApp());
    const send = (path: string, body: object) =>
      app.request(`${APP_URL}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const email = app.freshEmail();
    await send('/api/auth/register', { name: 'Ada Young', email, password: PASSWORD });
    expect(cookiesSetBy(await send('/api/auth/login', { email, password: PASSWORD }))).toEqual({
      '__Host-content': HIDDEN_ATTRIBUTES,
      '__Host-content-pass': HIDDEN_ATTRIBUTES,
      '__Host-content-device': HIDDEN_ATTRIBUTES,
    });
  });
});

describe('a login', () => {
  it('begins only on our own pages and redirects to the login page from another site', async () => {
    const app = makeApp();
    for (const site of ['cross-site', 'same-site']) {
      const response = await app.request('/oauth/start', { headers: { 'sec-fetch-site': site } });
      expect([response.status, response.headers.get('location'), cookiesSetBy(response)]).toEqual([303, '/login', {}]);
    }
    expect((await beginLogin(app, new Jar())).pathname).toContain('/oauth/authorize');
  });
});
