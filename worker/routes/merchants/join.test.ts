import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { StaffSessions, Team } from '#shared/contracts/staff/team';
import { bearer, consent, Jar } from '#tests/support/consent';
import { forge } from '#tests/support/forge';
import { beginLogin, logIn, makeApp } from '#tests/support/login';
import { eventsOf } from '#tests/support/unit/trail';
import { capabilityOf } from '#worker/clinic/capability-keys';
import { users as staff } from '#worker/data/schema/schema';

const [{ hubId: accountId, users }] = hubs;
const [, tom] = users;
const ENDED_TEXT = 'This invitation was used or has ended. Ask an administrator for a new one.';

/** An administrator who has sent an invitation, and the browser of the invited person with the emailed link. */
async function setUpInvitation(person = { email: 'marta@maple.example', name: 'Marta Reyes', role: 'manager' }) {
  const texts: string[] = [];
  const mailer = {
    send: async ({ text }: { text: string }) => {
      texts.push(text);
      return 'sent' as const;
    },
  };
  const clock = { now: Date.now() };
  const app = makeApp({ mailer, now: () => clock.now });
  const { token } = await logIn(app, 0);
  const call = (method: string, path: string, body?: object, userToken = token) =>
    app.request(path, {
      method,
      headers: { ...bearer(userToken), 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const invite = async () => {
    expect((await call('POST', '/api/team/invitations', person)).status).toBe(201);
    await app.settled();
    return /\/join\/([\w-]+)/.exec(texts.at(-1) ?? '')?.[1] ?? '';
  };
  const secret = await invite();
  const join = async (linkSecret = secret) => {
    const jar = new Jar();
    const answer = jar.take(await app.request(`/api/join/${linkSecret}`, { method: 'POST' }));
    return { answer, jar, token: jar.cookies.get('authToken') ?? '' };
  };
  const team = async () => Team.parse(await (await call('GET', '/api/team')).json());
  return { app, clock, secret, call, invite, join, team };
}

const expectEnded = async (answer: Response) => {
  expect([answer.status, await answer.json()]).toMatchObject([410, { error: { message: ENDED_TEXT } }]);
  expect(answer.headers.getSetCookie()).toEqual([]);
};

describe('an invitation link', () => {
  it('shows the inviter and the role, and changes nothing when only opened', async () => {
    const { app, secret, team } = await setUpInvitation();
    for (let n = 0; n < 2; n++) {
      const offer = await app.request(`/api/join/${secret}`);
      expect(await offer.json()).toMatchObject({
        email: 'marta@maple.example',
        name: 'Marta Reyes',
        role: 'manager',
        business: hubs[0].domain,
        invited_by: users[0]?.email,
      });
    }
    expect(await team()).toMatchObject({ members: [{ id: 1 }], invitations: [{ role: 'manager' }] });
  });

  it('does not name a removed person as the sender', async () => {
    const { app, secret } = await setUpInvitation();
    await app.deps.db.update(staff).set({ removedAt: app.deps.now() });
    expect(await (await app.request(`/api/join/${secret}`)).json()).toMatchObject({ invited_by: '' });
  });

  it('opens the same page for any secret, and sends no referrer', async () => {
    const { app, secret } = await setUpInvitation();
    for (const candidate of [secret, 'never-made']) {
      const page = await app.request(`/join/${candidate}`);
      expect([page.status, page.headers.get('referrer-policy'), page.headers.get('cache-control')]).toEqual([
        ...[200, 'no-referrer', 'no-store'],
      ]);
      expect(await page.text()).not.toContain(candidate);
    }
  });

  it('makes the invited person a member and logs them in without the CRM', async () => {
    const { join, call, team } = await setUpInvitation();
    const { answer, jar, token } = await join();
    expect(answer.status).toBe(204);
    expect([...jar.cookies.keys()].sort()).toEqual(['authToken', 'session']);
    expect(await team()).toMatchObject({
      members: [{ id: 1 }, { id: 2, name: 'Marta Reyes', role: 'manager', uses_crm: false, is_confirmed: true }],
      invitations: [],
    });
    const list = StaffSessions.parse(await (await call('GET', '/api/sessions', undefined, token)).json());
    expect(list.sessions).toMatchObject([{ began_by: 'code', is_this: true }]);
    expect((await call('GET', '/api/team', undefined, token)).status).toBe(403);
    const [joinEvent] = await eventsOf(accountId, 'staff.joined');
    expect(joinEvent).toMatchObject({ actorKind: 'user', actorId: '2' });
  });

  it('works once, even under concurrent use', async () => {
    const { join, team } = await setUpInvitation();
    const joins = await Promise.all(Array.from({ length: 8 }, () => join()));
    expect(joins.filter(({ answer }) => answer.status === 204)).toHaveLength(1);
    await expectEnded((await join()).answer);
    expect((await team()).members).toHaveLength(2);
    expect(await eventsOf(accountId, 'staff.joined')).toHaveLength(1);
  });

  it('ends after seven days, when it is revoked, or when a newer one is sent', async () => {
    const { clock, call, invite, join, team } = await setUpInvitation();
    const newerSecret = await invite();
    await expectEnded((await join()).answer);
    const [{ id } = { id: '' }] = (await team()).invitations;
    expect((await call('DELETE', `/api/team/${id}`)).status).toBe(200);
    await expectEnded((await join(newerSecret)).answer);
    const lastSecret = await invite();
    clock.now += 7 * 86_400_000;
    await expectEnded((await join(lastSecret)).answer);
    expect(await env.DB.prepare('SELECT count(*) AS n FROM users').first('n')).toBe(1);
  });

  it('never reaches a clinic’s database when it is forged', async () => {
    const { app, secret } = await setUpInvitation();
    const openedClinics: number[] = [];
    const { db } = app.deps.clinics;
    app.deps.clinics = {
      ...app.deps.clinics,
      db: (clinic) => {
        openedClinics.push(clinic);
        return db(clinic);
      },
    };
    for (const link of ['x', forge(secret), `2${secret.slice(1)}`, '%00', secret.toUpperCase()]) {
      await expectEnded(await app.request(`/api/join/${link}`));
      await expectEnded(await app.request(`/api/join/${link}`, { method: 'POST' }));
    }
    expect(openedClinics).toEqual([]);
  });

  it('gives no access without a matching invitation', async () => {
    const { app } = await setUpInvitation();
    const otherSecret = capabilityOf(app.deps.settings.CAPABILITY_KEYS, 1, app.deps.newSecret());
    await expectEnded(await app.request(`/api/join/${otherSecret}`, { method: 'POST' }));
    await expectEnded(await app.request(`/api/join/${otherSecret}`));
  });

  it('is accepted only from our own page', async () => {
    const { app, secret, team } = await setUpInvitation();
    const headers = { origin: 'https://evil.example' };
    expect((await app.request(`/api/join/${secret}`, { method: 'POST', headers })).status).toBe(403);
    expect((await team()).invitations).toHaveLength(1);
  });

  it('restores a removed person under the same id', async () => {
    const { call, invite, join, team } = await setUpInvitation();
    const first = await join();
    await call('DELETE', '/api/team/2');
    expect((await call('GET', '/api/sessions', undefined, first.token)).status).toBe(401);
    const secondJoin = await join(await invite());
    expect(secondJoin.answer.status).toBe(204);
    expect((await team()).members.map(({ id }) => id)).toEqual([1, 2]);
    expect((await call('GET', '/api/sessions', undefined, first.token)).status).toBe(401);
  });
});

describe('a person who joined by email', () => {
  it('is the same member after a later login through the CRM', async () => {
    const { app, join, team } = await setUpInvitation({ email: `${tom?.email}`, name: 'Tom Abara', role: 'reader' });
    await join();
    const jar = new Jar();
    const callback = await consent(await beginLogin(app, jar), 0, 'grant', 1);
    await app.request(`${callback.pathname}${callback.search}`, { headers: jar.header });
    await app.settled();
    expect((await team()).members).toMatchObject([{ id: 1 }, { id: 2, role: 'reader', uses_crm: true }]);
  });
});
