import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { StaffSessions } from '#shared/contracts/staff/team';
import { type Authenticator, type Deviations, makeAuthenticator } from '#tests/support/operator/authenticator';
import { addPasskey, factorCode, optionsOf, type StaffDesk, staffDesk } from '#tests/support/unit/staff-desk';
import { clinicOf } from '#worker/clinic/capability-keys';

/** A person with a passkey, who is logged out. */
async function makePersonWithPasskey(userId = 7) {
  const desk = await staffDesk();
  await desk.hire(userId, 'desk');
  const firstBrowser = await desk.open(userId, 'code');
  const { key } = await addPasskey(firstBrowser, await factorCode(desk, firstBrowser));
  await firstBrowser.call('DELETE', '/api/sessions');
  return { desk, key };
}

async function logIn(desk: StaffDesk, key: Authenticator, changes: Deviations & { handle?: string } = {}) {
  const browser = desk.browser();
  const signed = await key.show(await optionsOf(browser, '/api/session/passkey/options'), changes);
  const response = {
    ...signed,
    response: { ...signed.response, ...(changes.handle === undefined ? {} : { userHandle: changes.handle }) },
  };
  const answer = await browser.call('POST', '/api/session/passkey', { response });
  return { browser, answer, response };
}
const countSessions = () => env.DB.prepare('SELECT count(*) AS n FROM sessions').first<number>('n');

describe('passkey login', () => {
  it('works in a new browser by the handle that identifies user and clinic', async () => {
    const { desk, key } = await makePersonWithPasskey();
    const { browser, answer } = await logIn(desk, key);
    expect(answer.status).toBe(204);
    expect([...browser.jar.cookies.keys()].sort()).toEqual(['authToken', 'session']);
    const list = StaffSessions.parse(await (await browser.call('GET', '/api/sessions')).json());
    expect(list.sessions).toMatchObject([{ began_by: 'passkey', is_this: true, browser: 'Firefox on Linux' }]);
    const handle = await env.DB.prepare('SELECT handle FROM staff_passkeys').first<string>('handle');
    expect(clinicOf(desk.app.deps.settings.CAPABILITY_KEYS, handle ?? '')).toBe(1);
    expect((await logIn(desk, key)).answer.status).toBe(204);
  });

  it('offers no list of passkeys that would reveal existing accounts', async () => {
    const { desk } = await makePersonWithPasskey();
    const options = await optionsOf(desk.browser(), '/api/session/passkey/options');
    expect(options).toMatchObject({ userVerification: 'required' });
    expect(JSON.stringify(options)).not.toContain('"type":"public-key"');
  });

  it.each([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another host', { host: 'evil.example' }],
    ['without user verification', { isUnverified: true }],
    ['of a copied key, whose counter decreases', { counter: 1 }],
    ['from a registration', { type: 'webauthn.create' }],
    ['with an unknown handle', { handle: 'AA' }],
    ['with a forged clinic tag', { handle: btoa(`1-${'x'.repeat(27)}-${'y'.repeat(16)}`).replace(/=/g, '') }],
  ])('is rejected like an unknown passkey and opens no session: %s', async (_case, changes) => {
    const { desk, key } = await makePersonWithPasskey();
    const previousCount = await countSessions();
    const stranger = await logIn(desk, await makeAuthenticator());
    const response = await logIn(desk, key, changes);
    expect([response.answer.status, await response.answer.text()]).toEqual([401, await stranger.answer.text()]);
    expect(response.browser.jar.cookies.size).toBe(0);
    expect(await countSessions()).toBe(previousCount);
  });

  it('is rejected when replayed, in this browser or another', async () => {
    const { desk, key } = await makePersonWithPasskey();
    const browser = desk.browser();
    const response = await key.show(await optionsOf(browser, '/api/session/passkey/options'));
    const challengeCookie = browser.jar.cookies.get('passkey-asked') ?? '';
    expect(await browser.status('POST', '/api/session/passkey', { response })).toBe(204);
    for (const replayer of [browser, desk.browser()]) {
      expect(await replayer.status('POST', '/api/session/passkey', { response })).toBe(401);
      replayer.jar.cookies.set('passkey-asked', challengeCookie);
      expect(await replayer.status('POST', '/api/session/passkey', { response })).toBe(401);
    }
  });

  it('expires five minutes after the challenge', async () => {
    const { desk, key } = await makePersonWithPasskey();
    const browser = desk.browser();
    const response = await key.show(await optionsOf(browser, '/api/session/passkey/options'));
    desk.clock.now += 5 * 60_000 + 1000;
    expect(await browser.status('POST', '/api/session/passkey', { response })).toBe(401);
  });

  it('fails for a removed user, even after a new invitation', async () => {
    const { desk, key } = await makePersonWithPasskey();
    const admin = await desk.open(1, 'code');
    const openBrowser = (await logIn(desk, key)).browser;
    expect(await admin.status('DELETE', '/api/team/7')).toBe(200);
    expect(await openBrowser.status('GET', '/api/sessions')).toBe(401);
    expect((await logIn(desk, key)).answer.status).toBe(401);
    await env.DB.prepare('UPDATE users SET removed_at = NULL WHERE user_id = 7').run();
    expect((await logIn(desk, key)).answer.status).toBe(401);
  });

  it('is rate limited per IP address', async () => {
    const { desk, key } = await makePersonWithPasskey();
    const response = await key.show(await optionsOf(desk.browser(), '/api/session/passkey/options'));
    const statuses: number[] = [];
    for (let n = 0; n <= desk.app.deps.settings.LOGIN_TRIES_PER_IP; n++) {
      const answer = await desk.app.request('/api/session/passkey', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'cf-connecting-ip': '203.0.113.9' },
        body: JSON.stringify({ response }),
      });
      statuses.push(answer.status);
    }
    expect([statuses.at(0), statuses.at(-1)]).toEqual([401, 429]);
  });
});
