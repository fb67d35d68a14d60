import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { Invitation, Member, StaffSessions, Team } from '#shared/contracts/staff/team';
import { bearer, consent, Jar } from '#tests/support/consent';
import { beginLogin, logIn, logInColleague, makeApp } from '#tests/support/login';
import { insertRow } from '#tests/support/unit/insert-row';
import { eventsOf } from '#tests/support/unit/trail';
import { clinicOf } from '#worker/clinic/capability-keys';
import { changeStaff, removeStaff } from '#worker/domain/merchants/team';

const [{ hubId: accountId, users }, { hubId: otherId }] = hubs;
const [grace, tom] = users;

type Mail = { to: string; subject: string; text: string };

/**
 * Logs in the first administrator of an account and a colleague with the desk role. The mail service stores all emails.
 */
async function makeTeamWorld() {
  const mails: Mail[] = [];
  const mailer = {
    send: async (mail: Mail) => {
      mails.push(mail);
      return 'sent' as const;
    },
  };
  const clock = { now: Date.now() };
  const app = makeApp({ mailer, now: () => clock.now });
  const desk = await logInColleague(app);
  const { token, jar } = await logIn(app, 0);
  const call = (method: string, path: string, body?: object, userToken = token) =>
    app.request(path, {
      method,
      headers: { ...bearer(userToken), 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const status = async (...args: Parameters<typeof call>) => (await call(...args)).status;
  const team = async () => Team.parse(await (await call('GET', '/api/team')).json());
  return { app, mails, clock, token, jar, desk, call, status, team };
}

type TeamWorld = Awaited<ReturnType<typeof makeTeamWorld>>;
const MARTA = { email: 'Marta.Reyes@Maple.example', name: 'Marta Reyes', role: 'manager' };

async function invite({ app, call, mails }: TeamWorld, overrides: Partial<typeof MARTA> = {}) {
  const answer = await call('POST', '/api/team/invitations', { ...MARTA, ...overrides });
  expect(answer.status).toBe(201);
  await app.settled();
  const [, secret = ''] = /\/join\/([\w-]+)/.exec(mails.at(-1)?.text ?? '') ?? [];
  return { invitation: Invitation.parse(await answer.json()), secret };
}

const actions = async () =>
  (await eventsOf(accountId)).map(({ action }) => action).filter((action) => /staff/.test(action));

describe('GET /api/team', () => {
  it('shows all members, and that the first administrator is unconfirmed', async () => {
    const { team } = await makeTeamWorld();
    expect(await team()).toMatchObject({
      members: [
        { id: 1, email: grace?.email, role: 'admin', is_confirmed: false, is_you: true, uses_crm: true },
        { id: 2, email: tom?.email, role: 'desk', is_confirmed: true, is_you: false },
      ],
      invitations: [],
      refund_limit: null,
    });
  });

  it('shows no members of another account', async () => {
    const { app, team } = await makeTeamWorld();
    await logIn(app, 1);
    expect((await team()).members.map(({ id }) => id)).toEqual([1, 2]);
  });
});

describe('a team invitation', () => {
  it('is emailed with a link that names the clinic, and is listed for seven days', async () => {
    const world = await makeTeamWorld();
    const { invitation, secret } = await invite(world);
    expect(invitation).toMatchObject({ email: MARTA.email.toLowerCase(), role: 'manager', invited_by: grace?.email });
    expect(world.mails.at(-1)?.to).toBe(MARTA.email.toLowerCase());
    expect(clinicOf(world.app.deps.settings.CAPABILITY_KEYS, secret)).toBe(1);
    expect((await world.team()).invitations).toEqual([invitation]);
    world.clock.now = Date.parse(invitation.ends_at);
    const secondLogin = await logIn(world.app, 0);
    const laterTeam = Team.parse(await (await world.call('GET', '/api/team', undefined, secondLogin.token)).json());
    expect(laterTeam.invitations).toEqual([]);
  });

  it('has its secret only in the email, and not in a row, an event or the response', async () => {
    const world = await makeTeamWorld();
    const { invitation, secret } = await invite(world);
    const rows = await env.DB.batch(
      ['invitations', 'outbox', 'audit_events'].map((table) => env.DB.prepare(`SELECT * FROM ${table}`)),
    );
    expect(secret).not.toBe('');
    expect(JSON.stringify([rows, invitation])).not.toContain(secret);
    expect(JSON.stringify(rows[2])).not.toContain(MARTA.email.toLowerCase());
  });

  it('replaces an earlier one to the same address, and can be revoked once', async () => {
    const world = await makeTeamWorld();
    const first = await invite(world);
    const { invitation } = await invite(world, { role: 'reader', email: 'marta.reyes@maple.example' });
    expect((await world.team()).invitations.map(({ id }) => id)).toEqual([invitation.id]);
    expect(await world.status('DELETE', `/api/team/${first.invitation.id}`)).toBe(404);
    expect(await world.status('DELETE', `/api/team/${invitation.id}`)).toBe(200);
    expect(await world.status('DELETE', `/api/team/${invitation.id}`)).toBe(404);
    expect((await world.team()).invitations).toEqual([]);
  });

  it.each([
    ['of a team member', { email: tom?.email }, 'This person is already in the team.'],
    ['without an address', { email: 'marta' }, 'Please enter a valid email address.'],
    ['without a name', { name: ' ' }, 'Please enter the person’s name.'],
    ['with a role that does not exist', { role: 'owner' }, 'Please choose a role.'],
  ])('is rejected: %s', async (_case, overrides, message) => {
    const { call, team } = await makeTeamWorld();
    const answer = await call('POST', '/api/team/invitations', { ...MARTA, ...overrides });
    expect([answer.status, await answer.json()]).toMatchObject([422, { error: { message } }]);
    expect((await team()).invitations).toEqual([]);
  });

  it('is rejected when fifty others are open', async () => {
    const { status } = await makeTeamWorld();
    const ends_at = Date.now() + 60_000;
    for (let n = 0; n < 50; n++)
      await insertRow(env.DB, 'invitations', {
        id: `i${n}`,
        account_id: accountId,
        email: `p${n}@x.example`,
        role: 'desk',
        secret_hash: `h${n}`,
        ends_at,
        ended_at: null,
      });
    expect(await status('POST', '/api/team/invitations', MARTA)).toBe(409);
  });

  it('is withdrawn when the administrator who sent it loses that role', async () => {
    const world = await makeTeamWorld();
    expect(await world.status('PATCH', '/api/team/2', { role: 'admin' })).toBe(200);
    const invitationAnswer = await world.call('POST', '/api/team/invitations', MARTA, world.desk);
    expect(invitationAnswer.status).toBe(201);
    expect(await world.status('PATCH', '/api/team/2', { role: 'desk' })).toBe(200);
    expect((await world.team()).invitations).toEqual([]);
  });
});

describe('a team member', () => {
  it('can get another role and name, and is confirmed when another administrator promotes them', async () => {
    const { call, desk, status } = await makeTeamWorld();
    const changeAnswer = await call('PATCH', '/api/team/2', { role: 'admin', name: 'Tom Abara' });
    expect(Member.parse(await changeAnswer.json())).toMatchObject({
      role: 'admin',
      name: 'Tom Abara',
      is_confirmed: true,
    });
    expect(await status('GET', '/api/team', undefined, desk)).toBe(200);
    expect(await status('PATCH', '/api/team/1', { is_confirmed: true }, desk)).toBe(200);
    expect(await actions()).toEqual(['staff.changed', 'staff.changed']);
    const [event] = await eventsOf(accountId, 'staff.changed');
    expect(JSON.parse(event?.before ?? '')).toEqual({ role: 'desk', confirmed: true });
  });

  it('loses access and their open invitations when removed, and is notified by email', async () => {
    const world = await makeTeamWorld();
    await world.status('PATCH', '/api/team/2', { role: 'admin' });
    await world.call('POST', '/api/team/invitations', MARTA, world.desk);
    expect(await world.status('DELETE', '/api/team/2')).toBe(200);
    await world.app.settled();
    expect(await world.status('GET', '/api/sessions', undefined, world.desk)).toBe(401);
    expect(await world.team()).toMatchObject({ members: [{ id: 1 }], invitations: [] });
    expect(world.mails.at(-1)).toMatchObject({ to: tom?.email, subject: expect.stringContaining('removed') });
    expect(await world.status('DELETE', '/api/team/2')).toBe(404);
    expect((await actions()).filter((action) => action === 'staff.removed')).toHaveLength(1);
  });

  it.each([
    ['of another account', '/api/team/9', 404],
    ['that is not a number', '/api/team/1x', 404],
    ['by a request that changes nothing', '/api/team/2', 422],
  ])('cannot be changed: %s', async (_case, path, expected) => {
    const { app, status } = await makeTeamWorld();
    await insertRow(env.DB, 'users', {
      account_id: accountId,
      user_id: 7,
      email: 'gone@x.example',
      removed_at: 1,
      role: 'desk',
    });
    await logIn(app, 1);
    await insertRow(env.DB, 'users', {
      account_id: otherId,
      user_id: 9,
      email: 'a@x.example',
      removed_at: null,
      role: 'desk',
    });
    expect(await status('PATCH', path, expected === 422 ? {} : { role: 'admin' })).toBe(expected);
    expect(await status('PATCH', '/api/team/7', { role: 'admin' })).toBe(404);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM users WHERE role = 'admin'").first('n')).toBe(2);
  });
});

describe('the last administrator', () => {
  it('cannot be removed or demoted', async () => {
    const { call, team } = await makeTeamWorld();
    for (const [method, body] of [['DELETE'], ['PATCH', { role: 'desk' }]] as const) {
      const answer = await call(method, '/api/team/1', body);
      expect([answer.status, await answer.json()]).toMatchObject([
        409,
        { error: { message: 'There must be at least one administrator. Make someone else one first.' } },
      ]);
    }
    expect((await team()).members[0]).toMatchObject({ role: 'admin' });
  });

  it.each(['desk', 'gone'] as const)(
    'remains when two administrators change each other to %s at once',
    async (change) => {
      const { app, status } = await makeTeamWorld();
      await status('PATCH', '/api/team/2', { role: 'admin' });
      const administrator = (userId: number) => ({ sessionId: 's', accountId, userId, role: 'admin' }) as const;
      const apply = (callerId: number, memberId: number) =>
        change === 'gone'
          ? removeStaff(app.deps, administrator(callerId), memberId)
          : changeStaff(app.deps, administrator(callerId), memberId, { role: 'desk' });
      for (let round = 0; round < 5; round++) {
        const kinds = (await Promise.all([apply(1, 2), apply(2, 1)])).map(({ kind }) => kind);
        expect(kinds.filter((kind) => kind === 'done' || kind === 'removed')).toHaveLength(1);
        const admins = "SELECT count(*) AS n FROM users WHERE role = 'admin' AND removed_at IS NULL";
        expect(await env.DB.prepare(admins).first('n')).toBe(1);
        await env.DB.prepare("UPDATE users SET role = 'admin', removed_at = NULL").run();
      }
    },
  );

  it('may leave once there is another administrator', async () => {
    const { status, desk } = await makeTeamWorld();
    await status('PATCH', '/api/team/2', { role: 'admin' });
    expect(await status('DELETE', '/api/team/1')).toBe(200);
    expect(await status('GET', '/api/team')).toBe(401);
    expect(await status('DELETE', '/api/team/2', undefined, desk)).toBe(409);
  });
});

describe('the refund limit of managers', () => {
  it('can be set and removed by an administrator', async () => {
    const { call, status, team } = await makeTeamWorld();
    const reply = await call('PUT', '/api/team/refund-limit', { refund_limit: '250.00' });
    expect([reply.status, await reply.json()]).toEqual([200, { refund_limit: '250.00' }]);
    expect((await team()).refund_limit).toBe('250.00');
    for (const refund_limit of ['0', '-1', 'x', 7]) {
      expect(await status('PUT', '/api/team/refund-limit', { refund_limit })).toBe(422);
    }
    expect(await status('PUT', '/api/team/refund-limit', { refund_limit: null })).toBe(200);
    expect((await team()).refund_limit).toBeNull();
  });
});

describe('a user’s sessions', () => {
  const AGENT = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';

  it('are listed with browser, login method and a mark for the current one, and end one by one or all at once', async () => {
    const { app, call, status, token, desk } = await makeTeamWorld();
    const jar = new Jar();
    const callback = await consent(await beginLogin(app, jar), 0);
    const agent = { 'user-agent': AGENT };
    jar.take(await app.request(`${callback.pathname}${callback.search}`, { headers: { ...jar.header, ...agent } }));
    const otherToken = jar.cookies.get('authToken') ?? '';
    const listSessions = async (userToken: string) =>
      StaffSessions.parse(await (await call('GET', '/api/sessions', undefined, userToken)).json()).sessions;
    const ownSessions = await listSessions(token);
    expect(ownSessions).toHaveLength(3);
    expect(ownSessions.filter(({ is_this }) => is_this)).toHaveLength(1);
    const otherSession = ownSessions.find(({ browser }) => browser === 'Firefox on Windows');
    expect(otherSession).toMatchObject({ began_by: 'crm', is_this: false });

    expect(await status('DELETE', `/api/sessions/${otherSession?.id}`, undefined, desk)).toBe(404);
    expect(await status('GET', '/api/team', undefined, otherToken)).toBe(200);
    expect(await status('DELETE', `/api/sessions/${otherSession?.id}`)).toBe(200);
    expect(await status('GET', '/api/team', undefined, otherToken)).toBe(401);
    expect(await status('DELETE', `/api/sessions/${otherSession?.id}`)).toBe(404);

    const endAnswer = await call('DELETE', '/api/sessions');
    expect(await endAnswer.json()).toEqual({ ended: 2 });
    expect(endAnswer.headers.getSetCookie().join()).toContain('session=;');
    expect(await status('GET', '/api/team')).toBe(401);
    expect(await listSessions(desk)).toHaveLength(1);
  });

  it('of a colleague can be ended by an administrator', async () => {
    const { app, call, status, desk } = await makeTeamWorld();
    const { token: otherToken } = await logIn(app, 1);
    expect(await status('DELETE', '/api/team/1/sessions', undefined, desk)).toBe(403);
    for (const id of ['99', 'x', '0']) expect(await status('DELETE', `/api/team/${id}/sessions`)).toBe(404);
    const endAnswer = await call('DELETE', '/api/team/2/sessions');
    expect([endAnswer.status, await endAnswer.json()]).toEqual([200, { ended: 1 }]);
    expect(await status('GET', '/api/sessions', undefined, desk)).toBe(401);
    expect(await status('GET', '/api/team')).toBe(200);
    expect(await status('GET', '/api/team', undefined, otherToken)).toBe(200);
    const events = await eventsOf(accountId, 'sessions.ended');
    expect(events.map(({ actorId, subjectId }) => [actorId, subjectId])).toEqual([['1', '2']]);
    const callback = await logInColleague(app);
    expect(await status('GET', '/api/sessions', undefined, callback)).toBe(200);
  });

  it('are not listed after being idle for too long', async () => {
    const { app, clock, call } = await makeTeamWorld();
    clock.now += app.deps.settings.SESSION_IDLE_MS + 1;
    const { token } = await logIn(app, 0);
    const { sessions } = StaffSessions.parse(await (await call('GET', '/api/sessions', undefined, token)).json());
    expect(sessions).toHaveLength(1);
  });
});
