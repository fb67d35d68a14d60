import { LoginReply } from '#shared/contracts/content/content';
import { makeApp, type TestApp } from '#tests/support/login';
import { testSettings } from '#tests/support/unit/settings';
import type { Deps } from '#worker/deps';
import { createPasswords } from '#worker/security/passwords';
import type { Mail } from '#worker/vendors/resend/port';

/** Cheap password hashes, so that other tests do not wait for them. */
export const cheapPasswords = createPasswords({ intervalMs: 0, waitMs: 60_000, cost: { N: 1024, r: 1, p: 1 } });

export const PASSWORD = 'eleven gentle otters';

let counter = 0;
const freshEmail = () => `editor-${Math.floor(performance.now())}-${counter++}@clinic.example`;

export type ContentApp = ReturnType<typeof makeContentApp>;

/** The product's app with a test clock and calls of the content area. */
export function makeContentApp(overrides: Partial<Deps> = {}, settings: Record<string, unknown> = {}) {
  const clock = { now: Date.UTC(2026, 2, 4, 15, 0, 0) };
  const logs: string[] = [];
  const mails: Mail[] = [];
  const app: TestApp = makeApp(
    {
      passwords: cheapPasswords,
      now: () => clock.now,
      log: {
        info: (event) => void (event !== 'request' && logs.push(event)),
        alert: (event) => void logs.push(`ALERT ${event}`),
      },
      mailer: {
        send: async (mail) => {
          mails.push(mail);
          return 'sent';
        },
      },
      ...overrides,
    },
    settings,
  );

  const call = (method: string, path: string, { token, body, headers = {} }: Call = {}) =>
    app.request(path, {
      method,
      headers: {
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : text(body) }),
    });

  /** Returns the answer's body; throws on any other status. */
  const get = async <T>(status: number, method: string, path: string, options?: Call): Promise<T> => {
    const answer = await call(method, path, options);
    const body = await answer.text();
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${body}`);
    return (body === '' ? undefined : JSON.parse(body)) as T;
  };

  const register = (fields: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    call('POST', '/api/auth/register', {
      body: { name: 'Ada Young', email: freshEmail(), password: PASSWORD, ...fields },
      headers: { 'cf-connecting-ip': `ip-${counter++}`, ...headers },
    });

  const logIn = (email: string, password: string, headers: Record<string, string> = {}) =>
    call('POST', '/api/auth/login', {
      body: { email, password },
      headers: { 'cf-connecting-ip': `ip-${counter++}`, ...headers },
    });

  /** Registers the first owner of this test's database. */
  const makeOwner = async () => {
    const email = freshEmail();
    const answer = await register({ name: 'Olga Reyes', email, setupCode: testSettings('').OWNER_SETUP_CODE });
    return { email, ...LoginReply.parse(await answer.json()) };
  };

  /** Registers a person whom the owner has invited. */
  const makeEditor = async (ownerToken: string, role: 'owner' | 'editor' = 'editor') => {
    const email = freshEmail();
    await get(201, 'POST', '/api/cms/users/invitations', { token: ownerToken, body: { email, role } });
    await app.settled();
    const invitation = linkIn(mails, email);
    const answer = await register({ email, invitation });
    return { email, invitation, ...LoginReply.parse(await answer.json()) };
  };

  return { ...app, makeEditor, clock, logs, mails, call, get, register, logIn, makeOwner, freshEmail };
}

type Call = { token?: string; body?: unknown; headers?: Record<string, string> };

/** A string body is sent unchanged. */
const text = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));

/** The token behind the # in the newest mail to an address. */
export const linkIn = (mails: Mail[], to: string): string =>
  /#\w+=([\w-]+)/.exec(mails.findLast((mail) => mail.to === to)?.text ?? '')?.[1] ?? 'no link';
