import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { bearer } from '#tests/support/consent';
import { makeApp } from '#tests/support/login';
import { makeClinic } from '#tests/support/unit/clinic';
import { testSettings } from '#tests/support/unit/settings';
import { everyRoute } from '#worker/areas/every-route';
import { openClinics } from '#worker/clinic/clinics';
import { NoSuchClinic } from '#worker/clinic/no-such-clinic';
import { addClinic } from '#worker/data/directory/clinics';
import { onError } from '#worker/http/reply/errors';
import { newApp } from '#worker/http/serve-routes';

const secret = testSettings('').OPERATOR_SECRET;
const requestOptionsFor = (ip: string, token: string) => ({ headers: { ...bearer(token), 'cf-connecting-ip': ip } });
const calls = everyRoute
  .filter(({ area }) => area === 'operate')
  .map(({ name, method, path }) => ({ row: name, method, path: path.replaceAll(/:\w+/g, '1') }));
const readEvents = async () =>
  (await env.INSTALLATION.prepare("SELECT * FROM audit_events WHERE action = 'operator.called'").all()).results;

describe('the operator API', () => {
  it('returns 404 until its secret is set', async () => {
    const app = makeApp({}, { OPERATOR_SECRET: '' });
    for (const { row, method, path } of calls)
      for (const token of ['', secret])
        expect((await app.request(path, { method, ...requestOptionsFor('1.1.1.1', token) })).status, row).toBe(404);
    expect(await readEvents()).toEqual([]);
  });

  it('returns 401 for a wrong secret and records no event', async () => {
    const app = makeApp();
    for (const [index, { row, method, path }] of calls.entries())
      expect(
        (await app.request(path, { method, ...requestOptionsFor(`10.0.0.${index}`, `${secret}x`) })).status,
        row,
      ).toBe(401);
    expect(await readEvents()).toEqual([]);
  });

  it('throttles an address that guesses, but never a caller with the secret', async () => {
    const app = makeApp();
    const request = async (ip: string, token: string) =>
      (await app.request('/api/operate/clinics', requestOptionsFor(ip, token))).status;
    for (let tries = 0; tries < 10; tries++) expect(await request('2.2.2.2', 'wrong')).toBe(401);
    expect(await request('2.2.2.2', 'wrong')).toBe(429);
    expect(await request('3.3.3.3', 'wrong')).toBe(401);
    expect(await request('2.2.2.2', secret)).toBe(200);
  });

  it('records each call with the clinic’s number, not its account id', async () => {
    const { app } = await makeClinic();
    const { account } = (await env.INSTALLATION.prepare('SELECT account FROM clinics').first()) as { account: number };
    const answer = await app.request(`/api/operate/clinics/${account}`, requestOptionsFor('4.4.4.4', secret));
    expect(await answer.json()).toMatchObject({ account, isConnected: true, isCatchingUp: false });
    const [event] = await readEvents();
    expect(event).toMatchObject({
      account_id: 0,
      actor_kind: 'operator',
      subject_kind: 'clinic',
      subject_id: '1',
      after: '{"route":"GET /api/operate/clinics/:account"}',
    });
    expect(JSON.stringify(event)).not.toContain(String(account));
  });

  it('reports no stored person for a listed clinic whose database was never created', async () => {
    const app = makeApp({ clinics: openClinics(env.CLINICS) });
    await addClinic(app.deps.installation, 4711, 1);
    const requestPerson = async (erase: boolean) => {
      const body = JSON.stringify({ email: 'marta@example.test', erase });
      const { headers } = requestOptionsFor('5.5.5.5', secret);
      const init = { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } };
      const answer = await app.request('/api/operate/clinics/4711/person', init);
      return [answer.status, await answer.json()];
    };
    expect(await requestPerson(false)).toEqual([200, { shown: [] }]);
    expect(await requestPerson(true)).toEqual([200, { erased: [] }]);
    expect((await app.request('/api/operate/clinics/4711/trail', requestOptionsFor('5.5.5.5', secret))).status).toBe(
      404,
    );
  });

  it('exposes no tokens or keys, and no internal tables', async () => {
    const { app } = await makeClinic();
    const { account } = (await env.INSTALLATION.prepare('SELECT account FROM clinics').first()) as { account: number };
    const path = `/api/operate/clinics/${account}`;
    const texts: string[] = [];
    for (const url of ['/api/operate/clinics', path, `${path}/export`, `${path}/trail`])
      texts.push(await (await app.request(url, requestOptionsFor('5.5.5.5', secret))).text());
    const { access_token, refresh_token } = (await env.DB.prepare('SELECT * FROM crm_tokens').first()) as Record<
      string,
      string
    >;
    for (const secretText of [access_token, refresh_token, 'api_key']) expect(texts.join()).not.toContain(secretText);
    for (const table of ['crm_tokens', 'sessions', 'pay_links', 'outbox', 'sqlite_schema', 'hubs;--'])
      expect((await app.request(`${path}/export/${table}`, requestOptionsFor('5.5.5.5', secret))).status, table).toBe(
        404,
      );
  });

  it.each(['0', '-1', '1e3', 'x', '99999999999999999999'])('returns 404 for account %s', async (account) => {
    const answer = await makeApp().request(
      `/api/operate/clinics/${account}/export`,
      requestOptionsFor('6.6.6.6', secret),
    );
    expect(answer.status).toBe(404);
  });
});

describe('a request for an erased clinic', () => {
  it('returns 404, or 401 with a token', async () => {
    const app = newApp();
    app.onError(onError);
    app.get('/', () => {
      throw new Error('query failed', { cause: new NoSuchClinic() });
    });
    expect((await app.request('/')).status).toBe(404);
    expect((await app.request('/', { headers: bearer('a.b.c') })).status).toBe(401);
  });
});
