import { env } from 'cloudflare:workers';
import { hubs } from '#sandbox/credentials';
import type { SessionBeginning, StaffRole } from '#shared/contracts/staff/team-values';
import { bearer, Jar } from '#tests/support/consent';
import { cheapPasswords } from '#tests/support/content/content';
import { logIn, makeApp } from '#tests/support/login';
import { type Authenticator, type Deviations, makeAuthenticator } from '#tests/support/operator/authenticator';
import { insertRow } from '#tests/support/unit/insert-row';
import { openSession } from '#worker/domain/merchants/session';

const [{ hubId: accountId }] = hubs;
type Mail = { to: string; subject: string; text: string };

/** A clinic with staff of any role in their own browsers, a clock, and a mail service that records all mails. */
export async function staffDesk() {
  const mails: Mail[] = [];
  const mailer = {
    send: async (mail: Mail) => {
      mails.push(mail);
      return 'sent' as const;
    },
  };
  const clock = { now: Date.now() };
  const app = makeApp({ mailer, now: () => clock.now, pins: cheapPasswords });
  let caller = 0;
  const browsers: { jar: Jar }[] = [];

  /** A browser; `call` sends its bearer token and cookies, as the screens do. */
  const browser = (jar = new Jar(), origin = true) => {
    const call = async (method: string, path: string, body?: object): Promise<Response> => {
      const token = jar.cookies.get('authToken');
      const ip = `10.1.${(caller >> 8) & 255}.${caller++ & 255}`;
      const headers = {
        ...jar.header,
        'cf-connecting-ip': ip,
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
        ...(token ? bearer(token) : {}),
        ...(origin ? { origin: 'http://localhost:8787' } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      };
      return jar.take(await app.request(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }));
    };
    const status = async (method: string, path: string, body?: object) => (await call(method, path, body)).status;
    const read = async <T>(method: string, path: string, body?: object): Promise<T> =>
      (await (await call(method, path, body)).json()) as T;
    browsers.push({ jar });
    return { jar, call, status, read };
  };

  /** Adds a person without a CRM user to the first account. */
  const hire = (userId: number, role: StaffRole, name = `Person ${userId}`) =>
    insertRow(env.DB, 'users', {
      account_id: accountId,
      user_id: userId,
      email: `person${userId}@maple.example`,
      name,
      role,
      removed_at: null,
      crm_user_id: null,
    });

  /** A browser in which a person is logged in. `beganBy`: the way the session began. */
  const open = async (userId: number, beganBy: SessionBeginning) => {
    const session = await openSession(app.deps, { accountId, userId }, { beganBy, label: '' });
    if (!session) throw new Error('this person may not log in');
    const jar = new Jar();
    jar.cookies.set('authToken', session.accessToken);
    jar.cookies.set('session', session.refreshToken);
    return browser(jar);
  };

  const admin = browser((await logIn(app, 0)).jar);
  /** Advances the clock (ms); every logged-in browser then renews its token, as the screens do. */
  const pass = async (ms: number) => {
    clock.now += ms;
    for (const { jar } of browsers)
      if (jar.cookies.has('session')) jar.take(await app.request('/api/refresh-access-token', { headers: jar.header }));
  };
  return { accountId, app, clock, mails, browser, admin, hire, open, pass };
}

export type StaffDesk = Awaited<ReturnType<typeof staffDesk>>;
export type Browser = StaffDesk['admin'];

export const MINUTE = 60_000;

/** Requests a code for a first passkey or PIN, and returns it from the newest mail. */
export async function factorCode({ app, mails }: StaffDesk, browser: Browser): Promise<string> {
  const mailCount = mails.length;
  const answer = await browser.call('POST', '/api/session/factors/code');
  if (answer.status !== 202) throw new Error(`no code: ${answer.status} ${await answer.text()}`);
  await app.settled();
  return /: (\d{4} \d{4})/.exec(mails[mailCount]?.text ?? '')?.[1] ?? '';
}

type Options = { options: Parameters<Authenticator['show']>[0] & { excludeCredentials?: { id: string }[] } };

/** Requests the WebAuthn options for the browser's next step. */
export const optionsOf = async (browser: Browser, path: string): Promise<Options['options']> =>
  (await browser.read<Options>('POST', path)).options;

/** Adds a passkey, with a code where one is needed. Returns its authenticator and the response. */
export async function addPasskey(browser: Browser, code?: string): Promise<{ key: Authenticator; answer: Response }> {
  const key = await makeAuthenticator();
  const response = await key.make(await optionsOf(browser, '/api/session/passkeys/options'));
  const body = { label: 'Desk', response, ...(code === undefined ? {} : { code }) };
  return { key, answer: await browser.call('POST', '/api/session/passkeys', body) };
}

/** Proves a session by its passkey. */
export async function proveBy(browser: Browser, key: Authenticator, changes: Deviations = {}): Promise<Response> {
  const response = await key.show(await optionsOf(browser, '/api/session/proof/options'), changes);
  return browser.call('POST', '/api/session/proof', { kind: 'passkey', response });
}

/** Proves a session by its PIN. */
export const provePin = (browser: Browser, pin: string): Promise<Response> =>
  browser.call('POST', '/api/session/proof', { kind: 'pin', pin });

/** Marks all sessions as proved at this time, for tests that advance the clock but are not about the proof. */
export const freshProof = (at: number) =>
  env.DB.prepare("UPDATE sessions SET proved_at = ?, proof = 'pin'").bind(at).run();
