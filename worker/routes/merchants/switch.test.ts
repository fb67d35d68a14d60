import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { DeskPeople, WrongPin } from '#shared/contracts/staff/proof';
import { TokenStatus } from '#shared/contracts/staff/session';
import { logIn } from '#tests/support/login';
import { insertRow } from '#tests/support/unit/insert-row';
import { type Browser, factorCode, MINUTE, staffDesk } from '#tests/support/unit/staff-desk';
import { eventsOf } from '#tests/support/unit/trail';
import { checkPin } from '#worker/domain/proofs/pin';

const PIN = '271828';

/** A receptionist at the desk and a manager who has a PIN. */
async function makeDesk() {
  const desk = await staffDesk();
  await desk.hire(7, 'desk', 'Marta Reyes');
  await desk.hire(8, 'manager', 'Ben Ode');
  const ben = await desk.open(8, 'code');
  expect(await ben.status('PUT', '/api/session/pin', { pin: PIN, code: await factorCode(desk, ben) })).toBe(204);
  return { desk, marta: await desk.open(7, 'code') };
}
const switchTo = (browser: Browser, pin = PIN, id = 8) => browser.call('POST', '/api/session/switch', { id, pin });
const readWrongTries = () => env.DB.prepare('SELECT wrong_tries FROM pins').first<number>('wrong_tries');

describe('switching staff at a desk', () => {
  it('requires the new user’s PIN, opens their session, ends the session of the other user and records both', async () => {
    const { desk, marta } = await makeDesk();
    const { people } = DeskPeople.parse(await (await marta.call('GET', '/api/session/people')).json());
    expect(people).toEqual([{ id: 8, name: 'Ben Ode', is_you: false }]);
    const oldBrowser = desk.browser();
    for (const [name, value] of marta.jar.cookies) oldBrowser.jar.cookies.set(name, value);
    expect((await switchTo(marta)).status).toBe(204);
    expect(await oldBrowser.status('GET', '/api/sessions')).toBe(401);
    const status = TokenStatus.parse(await (await marta.call('GET', '/api/token/status/current')).json());
    expect(status.data).toMatchObject({ user: 'person8@maple.example' });
    const events = await eventsOf(desk.accountId);
    expect(events.slice(-2).map(({ action, actorId }) => [action, actorId])).toEqual([
      ['session.opened', '8'],
      ['session.ended', '7'],
    ]);
    // The manager's rights apply from now on, and the PIN counts as a proof.
    expect(await marta.status('POST', '/api/payments/99/reversals', {})).toBe(422);
  });

  it('does not extend the end of the original session', async () => {
    const { desk, marta } = await makeDesk();
    const latestEndStatement = () =>
      env.DB.prepare('SELECT max(ends_at) AS at FROM sessions WHERE revoked_at IS NULL AND user_id = ?');
    const originalEnd = await latestEndStatement().bind(7).first<number>('at');
    await desk.pass(10 * MINUTE);
    await env.DB.prepare('UPDATE sessions SET revoked_at = 1 WHERE user_id = 8').run();
    await switchTo(marta);
    expect(await latestEndStatement().bind(8).first<number>('at')).toBe(originalEnd);
  });

  it('is refused for a user without a PIN, a removed user and a user of another account', async () => {
    const { desk, marta } = await makeDesk();
    expect((await switchTo(marta, PIN, 1)).status).toBe(422);
    expect((await switchTo(marta, PIN, 99)).status).toBe(422);
    await env.DB.prepare('UPDATE users SET removed_at = 1 WHERE user_id = 8').run();
    expect((await switchTo(marta)).status).toBe(422);
    expect(await marta.read('GET', '/api/session/people')).toEqual({ people: [] });
    await env.DB.prepare('UPDATE users SET removed_at = NULL WHERE user_id = 8').run();
    await logIn(desk.app, 1);
    const otherMember = { account_id: hubs[1].hubId, user_id: 9 };
    await insertRow(env.DB, 'users', { ...otherMember, email: 'eve@x.example', removed_at: null });
    const hash = await env.DB.prepare('SELECT hash FROM pins').first<string>('hash');
    await insertRow(env.DB, 'pins', { ...otherMember, hash });
    expect((await switchTo(marta, PIN, 9)).status).toBe(422);
    expect(await marta.status('GET', '/api/sessions')).toBe(200);
  });
});

describe('PIN attempts', () => {
  it('lock the PIN for 15 minutes after five wrong PINs, then for twice as long, until the right PIN resets the count', async () => {
    const { desk, marta } = await makeDesk();
    const tryWrongPin = async () => WrongPin.parse(await (await switchTo(marta, '000001')).json()).tries_left;
    const lockSeconds: number[] = [];
    for (let round = 0; round < 2; round++) {
      expect([
        await tryWrongPin(),
        await tryWrongPin(),
        await tryWrongPin(),
        await tryWrongPin(),
        await tryWrongPin(),
      ]).toEqual([4, 3, 2, 1, 0]);
      const answer = await switchTo(marta);
      expect(answer.status).toBe(429);
      lockSeconds.push(Number(answer.headers.get('retry-after')));
      for (let remainingS = lockSeconds.at(-1) ?? 0; remainingS > 0; remainingS -= 600)
        await desk.pass(Math.min(remainingS, 600) * 1000);
    }
    expect(lockSeconds).toEqual([900, 1800]);
    expect((await switchTo(marta)).status).toBe(204);
    expect(await readWrongTries()).toBe(0);
    const lockEvents = await eventsOf(desk.accountId, 'pin.locked');
    expect(lockEvents.map(({ actorId, subjectId }) => [actorId, subjectId])).toEqual([
      ['7', '8'],
      ['7', '8'],
    ]);
  });

  it('are all counted when made at once', async () => {
    const { desk } = await makeDesk();
    const person = { accountId: desk.accountId, userId: 8 };
    const guesses = Array.from({ length: 20 }, (_, n) => String(n).padStart(6, '0'));
    const kinds = await Promise.all(guesses.map(async (pin) => (await checkPin(desk.app.deps, person, pin)).kind));
    expect(kinds.filter((kind) => kind === 'wrong')).toHaveLength(5);
    expect(kinds.filter((kind) => kind === 'too-many')).toHaveLength(15);
    expect(await readWrongTries()).toBe(5);
  });

  it('stay below a hundred a year for a guesser who never stops', async () => {
    const { desk } = await makeDesk();
    const { clock } = desk;
    const person = { accountId: desk.accountId, userId: 8 };
    const end = clock.now + 365 * 86_400_000;
    let tries = 0;
    while (clock.now < end) {
      const outcome = await checkPin(desk.app.deps, person, '000001');
      if (outcome.kind === 'too-many') clock.now += outcome.retryAfterS * 1000;
      else tries += 1;
    }
    expect(tries).toBeGreaterThan(50);
    expect(tries).toBeLessThan(100);
  });
});
