import { describe, expect, it } from 'vitest';
import type { LoginReply, UsersReply } from '#shared/contracts/content/content';
import { linkIn, makeContentApp } from '#tests/support/content/content';

const OTHER = 'seven patient herons';
const DAY = 86_400_000;

describe('a content invitation', () => {
  it('grants its role at once and works once, even under concurrent use', async () => {
    const app = makeContentApp();
    const owner = await app.makeOwner();
    const email = app.freshEmail();
    await app.get(201, 'POST', '/api/cms/users/invitations', { token: owner.token, body: { email, role: 'editor' } });
    await app.settled();
    const invitation = linkIn(app.mails, email);
    expect(await app.get(200, 'POST', '/api/auth/invitation', { body: { invitation } })).toMatchObject({
      email,
      role: 'editor',
    });
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.register({ email, invitation })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 410, 410, 410, 410]);
    const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<Partial<LoginReply>>));
    const token = bodies.find((body) => body.token)?.token ?? '';
    expect(await app.get(200, 'GET', '/api/auth/me', { token })).toMatchObject({ user: { status: 'active' } });
    expect((await app.call('POST', '/api/auth/invitation', { body: { invitation } })).status).toBe(410);
    // An editor may not manage accounts.
    for (const [method, path] of [
      ['GET', '/api/cms/users'],
      ['POST', '/api/cms/users/invitations'],
      ['DELETE', '/api/cms/users/x'],
    ] as const)
      expect((await app.call(method, path, { token, body: method === 'GET' ? undefined : {} })).status).toBe(403);
  });

  it('ends after seven days, when it is revoked, or when a newer one is sent', async () => {
    const app = makeContentApp();
    const { token } = await app.makeOwner();
    const email = app.freshEmail();
    const invite = async () => {
      const { id } = await app.get<{ id: string }>(201, 'POST', '/api/cms/users/invitations', {
        token,
        body: { email, role: 'editor' },
      });
      await app.settled();
      return { id, invitation: linkIn(app.mails, email) };
    };
    const first = await invite();
    const second = await invite();
    expect((await app.register({ email, invitation: first.invitation })).status).toBe(410);
    await app.get(200, 'DELETE', `/api/cms/users/invitations/${second.id}`, { token });
    expect((await app.register({ email, invitation: second.invitation })).status).toBe(410);
    expect((await app.call('DELETE', `/api/cms/users/invitations/${second.id}`, { token })).status).toBe(404);
    const third = await invite();
    app.clock.now += 7 * DAY;
    expect((await app.register({ email, invitation: third.invitation })).status).toBe(410);
    expect((await app.register({ email, invitation: 'made-up' })).status).toBe(410);
  });

  it('is valid for one address only and overrides an earlier registration of that address', async () => {
    const app = makeContentApp();
    const owner = await app.makeOwner();
    const email = app.freshEmail();
    const squatter = (await (await app.register({ email, password: OTHER })).json()) as LoginReply;
    await app.get(201, 'POST', '/api/cms/users/invitations', { token: owner.token, body: { email, role: 'editor' } });
    await app.settled();
    const invitation = linkIn(app.mails, email);
    const otherAnswer = await app.register({ email: app.freshEmail(), invitation });
    expect(await otherAnswer.json()).toMatchObject({ error: { message: 'This invitation is for another address.' } });
    expect((await app.register({ email, invitation })).status).toBe(201);
    expect((await app.call('GET', '/api/auth/me', { token: squatter.token })).status).toBe(401);
    expect((await app.logIn(email, OTHER)).status).toBe(401);
    const secondInvitation = await app.call('POST', '/api/cms/users/invitations', {
      token: owner.token,
      body: { email, role: 'editor' },
    });
    expect(secondInvitation.status).toBe(422);
  });

  it.each([
    ['is removed', 'DELETE', undefined],
    ['becomes an editor', 'PUT', { role: 'editor' }],
  ])('is revoked when its sender %s, while other senders’ invitations stay valid', async (_case, method, body) => {
    const app = makeContentApp();
    const owner = await app.makeOwner();
    const second = await app.makeEditor(owner.token, 'owner');
    const invite = async (token: string) => {
      const email = app.freshEmail();
      await app.get(201, 'POST', '/api/cms/users/invitations', { token, body: { email, role: 'owner' } });
      await app.settled();
      return { email, invitation: linkIn(app.mails, email) };
    };
    const list = () => app.get<UsersReply>(200, 'GET', '/api/cms/users', { token: owner.token });
    const [theirInvitation, ourInvitation] = [await invite(second.token), await invite(owner.token)];
    const id = (await list()).users.find(({ email }) => email === second.email)?.id;
    await app.get(200, method, `/api/cms/users/${id}`, { token: owner.token, body });
    expect((await app.register(theirInvitation)).status).toBe(410);
    expect((await list()).invitations.map(({ email }) => email)).toEqual([ourInvitation.email]);
    // The sender is an owner again, but earlier invitations stay revoked.
    if (body) await app.get(200, 'PUT', `/api/cms/users/${id}`, { token: owner.token, body: { role: 'owner' } });
    expect((await app.register(theirInvitation)).status).toBe(410);
    expect((await app.register(ourInvitation)).status).toBe(201);
  });

  it('is void when its sender is removed while it is being created', async () => {
    const app = makeContentApp();
    const owner = await app.makeOwner();
    const second = await app.makeEditor(owner.token, 'owner');
    const id = (await app.get<UsersReply>(200, 'GET', '/api/cms/users', { token: owner.token })).users.find(
      ({ email }) => email === second.email,
    )?.id;
    const email = app.freshEmail();
    const slowApp = makeContentApp({
      mailer: app.installation.mailer,
      sealer: {
        ...app.installation.sealer,
        seal: async (text, place) => {
          await app.get(200, 'DELETE', `/api/cms/users/${id}`, { token: owner.token });
          return app.installation.sealer.seal(text, place);
        },
      },
    });
    const body = { email, role: 'owner' };
    await slowApp.get(201, 'POST', '/api/cms/users/invitations', { token: second.token, body });
    await slowApp.settled();
    expect((await app.register({ email, invitation: linkIn(app.mails, email) })).status).toBe(410);
  });
});
