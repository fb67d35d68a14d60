import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { Team } from '#shared/contracts/staff/team';
import { bearer, Jar } from '#tests/support/consent';
import { until, useProduct } from '#tests/support/product/product';
import { logIn } from './merchant.ts';

const product = useProduct();
const { appUrl } = product;
const JSON_BODY = { 'content-type': 'application/json' };

/** A request from our own page, with the browser's cookies and token. */
async function call(jar: Jar, method: string, path: string, body?: object): Promise<Response> {
  const token = jar.cookies.get('authToken');
  const headers = { ...JSON_BODY, ...jar.header, ...(token ? bearer(token) : {}), origin: appUrl };
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  return jar.take(await fetch(`${appUrl}${path}`, { ...init, redirect: 'manual' }));
}

const teamOf = async (jar: Jar) => Team.parse(await (await call(jar, 'GET', '/api/team')).json());

/** Returns the matched part of the newest matching mail to an address. */
async function matchInMail(email: string, pattern: RegExp): Promise<string> {
  const mails = await until(
    () => product.mailTo(email),
    (all) => all.some(({ text }) => pattern.test(text)),
  );
  return pattern.exec(mails.filter(({ text }) => pattern.test(text)).at(-1)?.text ?? '')?.[1] ?? '';
}

const createdEmails: string[] = [];
const freshEmail = (name: string) => {
  const email = `${name}-${crypto.randomUUID().slice(0, 8)}@staff.example`;
  createdEmails.push(email);
  return email;
};

/** Restores the third account's team for other tests. */
afterAll(async () => {
  const { jar } = await logIn(appUrl, 2);
  const { members, invitations } = await teamOf(jar);
  for (const { id, email } of [...members, ...invitations])
    if (createdEmails.includes(email)) await call(jar, 'DELETE', `/api/team/${id}`);
});

describe('staff of a clinic', () => {
  it('join by mail without the CRM, log in by a mailed code, and lose access once removed', async () => {
    const { jar: admin } = await logIn(appUrl, 2);
    const email = freshEmail('ana');
    const invited = await call(admin, 'POST', '/api/team/invitations', { email, name: 'Ana Silva', role: 'desk' });
    expect(invited.status).toBe(201);
    const secret = await matchInMail(email, /\/join\/([\w-]+)/);

    const [front, back] = [new Jar(), new Jar()];
    expect((await call(front, 'POST', `/api/join/${secret}`)).status).toBe(204);
    expect((await call(back, 'POST', `/api/join/${secret}`)).status).toBe(410);
    expect((await call(front, 'GET', '/api/invoices')).status).toBe(200);
    // The permissions that their page gets.
    expect(await (await call(front, 'GET', '/')).text()).toContain('"may":["collect"]');
    expect((await call(front, 'GET', '/api/team')).status).toBe(403);

    expect((await call(back, 'POST', '/api/session/code', { email })).status).toBe(202);
    const code = await matchInMail(email, /: (\d{4} \d{4})/);
    expect((await call(new Jar(), 'POST', '/api/session', { email, code })).status).toBe(401);
    expect((await call(back, 'POST', '/api/session', { email, code })).status).toBe(204);
    expect((await call(back, 'POST', '/api/session', { email, code })).status).toBe(401);
    expect((await call(back, 'GET', '/api/invoices')).status).toBe(200);

    const member = (await teamOf(admin)).members.find((candidate) => candidate.email === email);
    expect(member).toMatchObject({ name: 'Ana Silva', role: 'desk', uses_crm: false });
    expect((await call(admin, 'PATCH', `/api/team/${member?.id}`, { role: 'admin' })).status).toBe(200);
    expect((await call(front, 'GET', '/api/team')).status).toBe(200);
    expect((await call(admin, 'DELETE', `/api/team/${member?.id}`)).status).toBe(200);
    for (const jar of [front, back]) {
      expect((await call(jar, 'GET', '/api/invoices')).status).toBe(401);
      expect((await call(jar, 'GET', '/invoices')).headers.get('location')).toBe('/login?login=removed');
      expect((await call(jar, 'GET', '/api/refresh-access-token')).status).toBe(401);
    }
    await matchInMail(email, /(removed you from its staff)/);
  });

  it('cannot be changed by another site with their cookies, even by PATCH', async () => {
    const { jar, token } = await logIn(appUrl, 2);
    const headers = { ...JSON_BODY, ...jar.header, ...bearer(token), origin: 'https://evil.example' };
    const body = JSON.stringify({ role: 'reader' });
    expect((await fetch(`${appUrl}/api/team/1`, { method: 'PATCH', headers, body })).status).toBe(403);
    const ownHeaders = { ...JSON_BODY, ...bearer(token), origin: appUrl };
    expect((await fetch(`${appUrl}/api/team/1`, { method: 'PATCH', headers: ownHeaders, body })).status).toBe(401);
  });

  it('gain an administrator through the operator’s command', async () => {
    const email = freshEmail('owner');
    const run = async (...options: string[]) => {
      const args = ['scripts/clinic.ts', 'hand-over', String(hubs[2].hubId), ...options];
      const env = { ...process.env, PORT: new URL(appUrl).port, TILLWAY_STATE: product.state };
      return promisify(execFile)(process.execPath, args, { env }).then(
        ({ stdout }) => stdout,
        ({ stderr }: { stderr: string }) => stderr,
      );
    };
    expect(await run()).toContain('--email EMAIL');
    expect(await run('--email', email)).toContain('was invited as an administrator by mail');
    const secret = await matchInMail(email, /\/join\/([\w-]+)/);
    const jar = new Jar();
    expect((await call(jar, 'POST', `/api/join/${secret}`)).status).toBe(204);
    const you = (await teamOf(jar)).members.find(({ is_you }) => is_you);
    expect(you).toMatchObject({ email, role: 'admin', is_confirmed: true });
    expect(await run('--email', email)).toContain('is an administrator now. Also administrators:');
  });
});
