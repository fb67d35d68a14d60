import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { bearer, Jar } from '#tests/support/consent';
import { makeContentApp, PASSWORD } from '#tests/support/content/content';
import { logIn, makeApp } from '#tests/support/login';
import deploy from '../../../docs/deploy.md?raw';

const MINUTE = 60_000;
const SESSION_KEYS = `s2:${btoa('another-key-another-key-another!')}`;

/** The operator's setting and statements, as in docs/deploy.md. */
const [, SESSION_IDLE_MS] = /set `SESSION_IDLE_MS` to `(\d+)`/.exec(deploy) ?? [];
const [, command = ''] = /--command "\n([^"]+)"/.exec(deploy) ?? [];

const now = Date.now();
const appAt = (minutes: number, settings: Record<string, unknown> = {}) =>
  makeApp({ now: () => now + minutes * MINUTE }, settings);
const renewalStatus = async (app: Pick<ReturnType<typeof makeApp>, 'request'>, jar: Jar) =>
  (await app.request('/api/refresh-access-token', { headers: jar.header })).status;

it('the settings in docs/deploy.md end the sessions of all staff', async () => {
  const [firstLogin, secondLogin] = [await logIn(appAt(0), 0), await logIn(appAt(0), 1)];
  const appDuringReset = appAt(5, { SESSION_KEYS, SESSION_IDLE_MS });
  expect((await appDuringReset.request('/api/token/get-merchant', { headers: bearer(firstLogin.token) })).status).toBe(
    401,
  );
  expect([
    await renewalStatus(appDuringReset, firstLogin.jar),
    await renewalStatus(appDuringReset, secondLogin.jar),
  ]).toEqual([401, 401]);
  expect(await renewalStatus(appAt(46, { SESSION_KEYS }), firstLogin.jar)).toBe(401);
  // If the setting is reverted too early, the sessions stay valid.
  expect(await renewalStatus(appAt(20, { SESSION_KEYS }), secondLogin.jar)).toBe(200);
  const newLogin = await logIn(appAt(46, { SESSION_KEYS }), 0);
  expect(await renewalStatus(appAt(60, { SESSION_KEYS }), newLogin.jar)).toBe(200);
});

it('the command in docs/deploy.md ends the sessions of all writers and operators', async () => {
  const contentApp = makeContentApp();
  const { email } = await contentApp.makeOwner();
  const writerJar = new Jar();
  writerJar.take(await contentApp.logIn(email, PASSWORD));
  const columns = 'id, operator_id, token_hash, created_at, seen_at, proven_at, ends_at';
  await env.INSTALLATION.prepare(`INSERT INTO operator_sessions (${columns}) VALUES ('s', 'o', 'h', 1, 1, 1, 2)`).run();
  for (const statement of command.split(';')) await env.INSTALLATION.prepare(statement).run();
  const liveSessions = 'SELECT count(*) AS n FROM operator_sessions WHERE revoked_at IS NULL';
  expect(await env.INSTALLATION.prepare(liveSessions).first('n')).toBe(0);
  expect((await contentApp.request('/api/auth/refresh', { method: 'POST', headers: writerJar.header })).status).toBe(
    401,
  );
});
