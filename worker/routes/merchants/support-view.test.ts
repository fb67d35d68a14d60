import { describe, expect, it } from 'vitest';
import type { SupportViewReply } from '#shared/contracts/staff/account-settings';
import { bearer, Jar } from '#tests/support/consent';
import { logIn } from '#tests/support/login';
import { makeOperatorApp } from '#tests/support/operator/operator';
import { eventsOf } from '#tests/support/unit/trail';
import { everyRoute } from '#worker/areas/every-route';
import { createMerchantArea } from '#worker/areas/merchant';
import { INSTALLATION } from '#worker/data/schema/audit';
import { clinics } from '#worker/data/schema/directory';
import { isStaff } from '#worker/security/route-access';

const HOUR = 3_600_000;

/** Logs in the administrator of a clinic, and enrolls an operator. */
async function makeClinicAndOperator() {
  const app = makeOperatorApp();
  const { token } = await logIn(app, 0);
  const { jar } = await app.enrol();
  const [clinic] = await app.deps.installation.select().from(clinics).limit(1);
  const account = clinic?.accountId ?? 0;
  const call = (method: string, userToken = token) =>
    app.request('/api/support-view', { method, headers: bearer(userToken) });
  const openView = async () => {
    const answer = await app.ask(jar, 'POST', `clinics/${clinic?.number}/view`);
    const viewJar = new Jar();
    viewJar.take(answer);
    return { status: answer.status, token: viewJar.cookies.get('authToken') ?? '', cookies: viewJar };
  };
  return { app, token, jar, account, call, openView };
}

const viewEvents = async (account: number) =>
  (await eventsOf(account))
    .filter(({ action }) => action.startsWith('support-view.'))
    .map((event) => [event.action, event.actorKind]);

describe('the support view of a clinic', () => {
  it('opens only while the clinic’s administrator allows it, and is in both audit trails', async () => {
    const { app, call, openView, account } = await makeClinicAndOperator();
    expect((await openView()).status).toBe(409);
    const grantReply = (await (await call('POST')).json()) as SupportViewReply;
    expect(grantReply).toEqual({
      ends_at: new Date(app.clock.now + HOUR).toISOString(),
      may_change: true,
      is_support: false,
    });
    const view = await openView();
    expect(view.status).toBe(200);
    expect((await app.request('/api/invoices', { headers: bearer(view.token) })).status).toBe(200);
    expect(await (await call('GET', view.token)).json()).toMatchObject({ is_support: true, may_change: false });
    expect(await viewEvents(account)).toEqual([
      ['support-view.granted', 'user'],
      ['support-view.opened', 'operator'],
    ]);
    expect(await viewEvents(INSTALLATION)).toEqual([['support-view.opened', 'operator']]);
  });

  it('ends at the next call after the administrator ends it, and after an hour', async () => {
    const { app, call, openView } = await makeClinicAndOperator();
    const status = async (token: string) => (await app.request('/api/invoices', { headers: bearer(token) })).status;
    await call('POST');
    const first = await openView();
    expect(await status(first.token)).toBe(200);
    await call('DELETE');
    expect([await status(first.token), (await openView()).status]).toEqual([401, 409]);
    expect((await app.request('/api/refresh-access-token', { headers: first.cookies.header })).status).toBe(401);
    await call('POST');
    const second = await openView();
    const renew = async () => {
      const answer = await app.request('/api/refresh-access-token', { headers: second.cookies.header });
      return ((await answer.json()) as { accessToken: string }).accessToken;
    };
    let latestToken = second.token;
    for (let minute = 10; minute < 60; minute += 10) {
      app.clock.now += HOUR / 6;
      latestToken = await renew();
      expect(await status(latestToken), `after ${minute} minutes`).toBe(200);
    }
    app.clock.now += HOUR / 6;
    expect(await status(latestToken)).toBe(401);
  });

  it('cannot write or export, and gets 403 for every call other than a read', async () => {
    const { app, call, openView, account } = await makeClinicAndOperator();
    await call('POST');
    const { token, cookies } = await openView();
    const previousCount = (await eventsOf(account)).length;
    createMerchantArea(() => app.deps);
    const writes = everyRoute
      .filter(({ method, route }) => method !== 'GET' && isStaff(route.access))
      .map(({ method, path }) => [method, path] as const);
    expect(writes.length).toBeGreaterThan(20);
    for (const [method, path] of writes) {
      const headers = { ...bearer(token), ...cookies.header, 'content-type': 'application/json' };
      const answer = await app.request(path.replaceAll(/:\w+/g, '1'), { method, headers, body: '{}' });
      expect([answer.status, `${method} ${path}`]).toEqual([403, `${method} ${path}`]);
    }
    const csv = await app.request('/api/invoices?format=csv', { headers: { ...bearer(token), accept: 'text/csv' } });
    expect(csv.status).toBe(403);
    const otherEvents = (await eventsOf(account))
      .slice(previousCount)
      .filter(({ action }) => action !== 'access.refused');
    expect(otherEvents).toEqual([]);
    const team = await (await app.request('/api/team', { headers: bearer(token) })).text();
    expect(team).not.toContain('operator');
  });
});
