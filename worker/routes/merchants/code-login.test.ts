import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { ChooseClinic, StaffSessions } from '#shared/contracts/staff/team';
import { bearer, Jar } from '#tests/support/consent';
import { logIn, makeApp } from '#tests/support/login';
import { insertRow } from '#tests/support/unit/insert-row';
import { openMeter } from '#tests/support/unit/meter';
import { reportStaffAddresses } from '#worker/domain/merchants/clinic-of-account';

const [{ hubId: accountId }, { hubId: otherId }] = hubs;
const EMAIL = 'marta@maple.example';
const WRONG_CODE_TEXT = 'This code is wrong or has expired. Please request a new one.';

/** A clinic with a member who never logged in through the CRM, and a mail service that stores all emails. */
async function makeClinicWithMember() {
  const mails: { to: string; text: string }[] = [];
  const mailer = {
    send: async (mail: { to: string; text: string }) => {
      mails.push(mail);
      return 'sent' as const;
    },
  };
  const clock = { now: Date.now() };
  const app = makeApp({ mailer, now: () => clock.now });
  const { token } = await logIn(app, 0);
  await insertRow(env.DB, 'users', {
    account_id: accountId,
    user_id: 7,
    email: 'Marta@Maple.example',
    role: 'desk',
    removed_at: null,
    crm_user_id: null,
  });
  await reportStaffAddresses(app.deps);
  let caller = 0;
  const post = (path: string, body: object, jar: Jar, ip = `10.0.${caller >> 8}.${caller++ & 255}`) =>
    app.request(path, {
      method: 'POST',
      headers: { ...jar.header, 'content-type': 'application/json', 'cf-connecting-ip': ip },
      body: JSON.stringify(body),
    });
  const requestCode = async (email = EMAIL, jar = new Jar()) => {
    const mailIndex = mails.length;
    const answer = jar.take(await post('/api/session/code', { email }, jar));
    await app.settled();
    const [, code = ''] = /: (\d{4} \d{4})/.exec(mails[mailIndex]?.text ?? '') ?? [];
    return { answer, jar, code };
  };
  const enterCode = async (jar: Jar, code: string, extra: object = {}) =>
    jar.take(await post('/api/session', { email: EMAIL, code, ...extra }, jar));
  return { app, mails, clock, token, post, requestCode, enterCode };
}

const countSessions = () => env.DB.prepare('SELECT count(*) AS n FROM sessions').first<number>('n');
const wrongCodeFor = (code: string) => String((Number(code.replace(' ', '')) + 1) % 100_000_000).padStart(8, '0');

async function expectWrong(answer: Response) {
  expect([answer.status, await answer.json()]).toMatchObject([401, { error: { message: WRONG_CODE_TEXT } }]);
  expect(answer.headers.getSetCookie()).toEqual([]);
}

describe('an emailed login code', () => {
  it('logs its user in, regardless of how the address and the code are typed', async () => {
    const { app, requestCode, enterCode, mails } = await makeClinicWithMember();
    const { answer, jar, code } = await requestCode('MARTA@maple.Example ');
    expect(answer.status).toBe(202);
    expect(mails.at(-1)?.to).toBe(EMAIL);
    expect(code).toMatch(/^\d{4} \d{4}$/);
    expect((await enterCode(jar, ` ${code}`)).status).toBe(204);
    expect([...jar.cookies.keys()].sort()).toEqual(['authToken', 'session']);
    const response = await app.request('/api/sessions', { headers: bearer(jar.cookies.get('authToken') ?? '') });
    expect(StaffSessions.parse(await response.json()).sessions).toMatchObject([{ began_by: 'code', is_this: true }]);
  });

  it('works once, even under concurrent use', async () => {
    const { requestCode, enterCode } = await makeClinicWithMember();
    const { jar, code } = await requestCode();
    const previousCount = await countSessions();
    const copies = Array.from({ length: 4 }, () => {
      const copiedJar = new Jar();
      copiedJar.cookies.set('login-code', jar.cookies.get('login-code') ?? '');
      return copiedJar;
    });
    const answers = await Promise.all(copies.map((copy) => enterCode(copy, code)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    await expectWrong(await enterCode(jar, code));
    expect(await countSessions()).toBe((previousCount ?? 0) + 1);
  });

  it('works only in the browser that requested it and only for its address', async () => {
    const { requestCode, enterCode } = await makeClinicWithMember();
    const first = await requestCode();
    const second = await requestCode();
    await expectWrong(await enterCode(new Jar(), first.code));
    await expectWrong(await enterCode(second.jar, first.code));
    await expectWrong(await enterCode(first.jar, first.code, { email: 'eve@maple.example' }));
    expect((await enterCode(first.jar, first.code)).status).toBe(204);
  });

  it('expires after ten minutes or five tries', async () => {
    const { requestCode, enterCode, clock } = await makeClinicWithMember();
    const lateCode = await requestCode();
    clock.now += 10 * 60_000;
    await expectWrong(await enterCode(lateCode.jar, lateCode.code));
    const { jar, code } = await requestCode();
    for (let n = 0; n < 5; n++) await expectWrong(await enterCode(jar, wrongCodeFor(code)));
    await expectWrong(await enterCode(jar, code));
  });

  it('is never stored in plain text', async () => {
    const { requestCode } = await makeClinicWithMember();
    const { code, jar } = await requestCode();
    const rows = await env.INSTALLATION.batch(
      ['login_codes', 'outbox', 'staff_addresses'].map((table) => env.INSTALLATION.prepare(`SELECT * FROM ${table}`)),
    );
    const text = JSON.stringify(rows.map(({ results }) => results));
    expect(text).toContain('login-code-');
    for (const secret of [code.replace(' ', ''), code, (jar.cookies.get('login-code') ?? '').split('.')[1] ?? '-'])
      expect(text).not.toContain(secret);
    expect(JSON.stringify([rows[0]?.results, rows[2]?.results])).not.toContain('marta');
  });

  it('does not log in a removed user', async () => {
    const { requestCode, enterCode } = await makeClinicWithMember();
    const { jar, code } = await requestCode();
    await env.DB.prepare('UPDATE users SET removed_at = 1 WHERE user_id = 7').run();
    await expectWrong(await enterCode(jar, code));
  });

  it('asks for the clinic if several have the address, and logs in to the chosen one', async () => {
    const { app, requestCode, enterCode } = await makeClinicWithMember();
    await logIn(app, 1);
    const user = { user_id: 8, email: EMAIL, role: 'reader', removed_at: null, crm_user_id: null };
    await insertRow(env.DB, 'users', { ...user, account_id: otherId });
    await reportStaffAddresses({ ...app.deps, clinic: 2 });
    const { jar, code } = await requestCode();
    const { clinics } = ChooseClinic.parse(await (await enterCode(jar, code)).json());
    expect(clinics.map(({ clinic }) => clinic)).toEqual([1, 2]);
    expect((await enterCode(jar, code, { clinic: 2 })).status).toBe(204);
    const status = await app.request('/api/token/status/current', {
      headers: bearer(jar.cookies.get('authToken') ?? ''),
    });
    expect(await status.json()).toMatchObject({ data: { user_id: 8, hub_domain: hubs[1].domain } });
  });
});

describe('a code request for an unknown address', () => {
  it('gets the same response with the same number of queries, and no email', async () => {
    const { mails, app, clock } = await makeClinicWithMember();
    const meter = openMeter(env);
    const meteredApp = makeApp({ installation: meter.installation, db: meter.db, now: () => clock.now });
    const measuredRequest = async (email: string, ip: string) => {
      const body = JSON.stringify({ email });
      const headers = { 'content-type': 'application/json', 'cf-connecting-ip': ip };
      let answer = new Response();
      await meter.measure(email, async () => {
        answer = await meteredApp.request('/api/session/code', { method: 'POST', headers, body });
      });
      await meteredApp.settled();
      const { calls, queries } = meter.costs.get(email) ?? {};
      const headerNames = [...answer.headers.keys()].filter((name) => name !== 'x-request-id');
      return { status: answer.status, text: await answer.text(), headerNames, calls, queries };
    };
    try {
      expect(await measuredRequest('nobody@else.example', '10.9.0.1')).toEqual(
        await measuredRequest(EMAIL, '10.9.0.2'),
      );
    } finally {
      meter.close();
    }
    expect(mails).toEqual([]);
    expect(app).toBeDefined();
  });

  it('gets the wrong-code error for every code', async () => {
    const { requestCode, post, mails } = await makeClinicWithMember();
    const { jar, code } = await requestCode('nobody@else.example');
    expect([code, mails]).toEqual(['', []]);
    for (const guess of ['00000000', '12345678'])
      await expectWrong(await post('/api/session', { email: 'nobody@else.example', code: guess }, jar));
  });
});

describe('rate limits for login codes', () => {
  it('allow five codes an hour and ten a day per address, and give the same response beyond that', async () => {
    const { requestCode, mails, clock } = await makeClinicWithMember();
    const requestForAnHour = async () => {
      for (let n = 0; n < 7; n++) expect((await requestCode()).answer.status).toBe(202);
      clock.now += 3_600_001;
      return mails.length;
    };
    expect([await requestForAnHour(), await requestForAnHour(), await requestForAnHour()]).toEqual([5, 10, 10]);
    clock.now += 86_400_000;
    expect(await requestForAnHour()).toBe(15);
  });

  it('block one IP address after too many requests', async () => {
    const { post, app } = await makeClinicWithMember();
    const tries = app.deps.settings.LOGIN_TRIES_PER_IP;
    const statuses: number[] = [];
    for (let n = 0; n <= tries; n++) {
      const email = `p${n}@else.example`;
      statuses.push((await post('/api/session/code', { email }, new Jar(), '203.0.113.7')).status);
    }
    expect(statuses.at(0)).toBe(202);
    expect(statuses.at(-1)).toBe(429);
  });

  it('count an IPv6 network as one address, and other networks separately', async () => {
    const { post, app } = await makeClinicWithMember();
    const tries = app.deps.settings.LOGIN_TRIES_PER_IP;
    const statusFrom = async (n: number, ip: string) =>
      (await post('/api/session/code', { email: `p${n}@else.example` }, new Jar(), ip)).status;
    for (let n = 0; n < tries; n++) expect(await statusFrom(n, `2001:db8:7:1:${n.toString(16)}::1`)).toBe(202);
    expect(await statusFrom(tries, '2001:db8:7:1:ffff::1')).toBe(429);
    expect(await statusFrom(tries, '2001:db8:7:2::1')).toBe(202);
  });

  it('allow fifty guesses a day, so that 100,000 guesses take more than five years', async () => {
    const { requestCode, enterCode, clock } = await makeClinicWithMember();
    const previousCount = await countSessions();
    for (let n = 0; n < 14; n++) {
      const { jar, code } = await requestCode();
      for (let guess = 0; guess < 6; guess++) await expectWrong(await enterCode(jar, wrongCodeFor(code)));
      clock.now += 90 * 60_000;
    }
    const tries = await env.INSTALLATION.prepare('SELECT sum(tries) AS n FROM login_codes').first<number>('n');
    expect([tries, await countSessions()]).toEqual([50, previousCount]);
    const days = 100_000 / 50;
    expect(days / 365).toBeGreaterThan(5);
  });

  // The complete run makes a hundred thousand guesses, which takes minutes.
  const guesses = env.COMPLETE ? 100_000 : 400;
  it('reject every guess sent with a made-up cookie', async () => {
    const { requestCode, post, clock } = await makeClinicWithMember();
    const previousCount = await countSessions();
    const { code } = await requestCode();
    let rightGuesses = 0;
    for (let n = 0; n < guesses; n++) {
      const jar = new Jar();
      if (n % 5 === 0) clock.now += 1;
      jar.cookies.set('login-code', `${String(n).padStart(32, '0')}.${'x'.repeat(27)}`);
      const guess = n % 2 === 0 ? code : String(n).padStart(8, '0');
      if ((await post('/api/session', { email: EMAIL, code: guess }, jar)).status !== 401) rightGuesses++;
    }
    expect([rightGuesses, await countSessions()]).toEqual([0, previousCount]);
  }, 3_600_000);
});
