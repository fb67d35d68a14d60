import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { bearer, Jar } from '#tests/support/consent';
import { makeContentApp, PASSWORD } from '#tests/support/content/content';
import { logIn, makeApp } from '#tests/support/login';
import deploy from '../../../docs/deploy.md?raw';

/** The operator's statements, as docs/deploy.md has them. */
const [, command = ''] = /--command "\n([^"]+)"/.exec(deploy) ?? [];
const run = async (more = '') => {
  for (const statement of command.split(';')) await env.DB.prepare(`${statement}${more}`).run();
};

it('the operator ends the sessions of one person, or of everybody, by the command of docs/deploy.md', async () => {
  const [app, content] = [makeApp(), makeContentApp()];
  const [one, other] = [await logIn(app, 0), await logIn(app, 1)];
  const { email } = await content.makeOwner();
  const writer = new Jar();
  writer.take(await content.logIn(email, PASSWORD));
  const staff = async ({ token }: { token: string }) =>
    (await app.request('/api/token/get-merchant', { headers: bearer(token) })).status;
  const renewed = async (path: string, method: string, jar: Jar) =>
    (await app.request(path, { method, headers: jar.header })).status;

  const { user_id } = (await env.DB.prepare('SELECT user_id FROM sessions LIMIT 1').first<{ user_id: number }>()) ?? {};
  await run(` AND user_id = '${user_id}'`);
  expect([await staff(one), await staff(other)].sort()).toEqual([200, 401]);
  await run();
  expect([await staff(one), await staff(other)]).toEqual([401, 401]);
  expect(await renewed('/api/refresh-access-token', 'GET', other.jar)).toBe(401);
  expect(await renewed('/api/auth/refresh', 'POST', writer)).toBe(401);
});
