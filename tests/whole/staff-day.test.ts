import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SaleReply } from '#shared/contracts/payments/terminals';
import type { DeskPeople, StepUp } from '#shared/contracts/staff/proof';
import { PROOF_MS } from '#shared/contracts/staff/proof';
import type { Member, StaffSessions, Team } from '#shared/contracts/staff/team';
import { bearer, consent, Jar } from '#tests/support/consent';
import { makeAuthenticator } from '#tests/support/operator/authenticator';
import { until, useProduct } from '#tests/support/product/product';
import { counterTerminal } from '#tests/support/wire';
import { sessions } from '#worker/data/schema/schema';
import { logIn } from './merchant.ts';

const product = useProduct();
const { appUrl } = product;
const email = `rosa-${crypto.randomUUID().slice(0, 8)}@staff.example`;
const PIN = '271828';

/** A request from our own page, with the browser's cookies and token. */
async function call(jar: Jar, method: string, path: string, body?: object): Promise<Response> {
  const token = jar.cookies.get('authToken');
  const headers = {
    ...jar.header,
    origin: appUrl,
    'content-type': 'application/json',
    ...(token ? bearer(token) : {}),
  };
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  return jar.take(await fetch(`${appUrl}${path}`, { ...init, redirect: 'manual' }));
}
const status = async (...args: Parameters<typeof call>) => (await call(...args)).status;
const read = async <T>(...args: Parameters<typeof call>) => (await (await call(...args)).json()) as T;

/** The number of the receptionist's mails that were already read. */
let readCount = 0;
async function matchInMail(pattern: RegExp): Promise<string> {
  const mails = await until(
    () => product.mailTo(email),
    (all) => all.length > readCount && all.slice(readCount).some(({ text }) => pattern.test(text)),
  );
  const mail = mails.slice(readCount).findLast(({ text }) => pattern.test(text));
  readCount = mails.length;
  return pattern.exec(mail?.text ?? '')?.[1] ?? '';
}
const CODE = /: (\d{4} \d{4})/;

type Options = { options: Parameters<Awaited<ReturnType<typeof makeAuthenticator>>['show']>[0] };
const optionsOf = async (jar: Jar, kind: string) =>
  (await read<Options>(jar, 'POST', `/api/session/${kind}/options`)).options;

/** Promotes her to administrator: she must prove herself again once her proof is too old. */
async function promoteAndProve(): Promise<void> {
  const { jar: admin } = await logIn(appUrl, 0);
  const { members } = await read<Team>(admin, 'GET', '/api/team');
  const member = members.find((candidate) => candidate.email === email) as Member;
  expect(member).toMatchObject({ role: 'desk', has_factor: true, uses_crm: false });
  expect(await status(admin, 'PATCH', `/api/team/${member.id}`, { role: 'admin' })).toBe(200);
  const rosa = new Jar();
  expect(await status(rosa, 'POST', '/api/session/code', { email })).toBe(202);
  expect(await status(rosa, 'POST', '/api/session', { email, code: await matchInMail(CODE) })).toBe(204);
  const change = () => call(rosa, 'PATCH', `/api/team/${member.id}`, { name: 'Rosa Lind' });
  expect((await change()).status).toBe(200);
  const old = Date.now() - PROOF_MS;
  await product.deps().db.update(sessions).set({ provedAt: old }).where(eq(sessions.userId, member.id));
  const refused = await change();
  expect(refused.status).toBe(403);
  expect(((await refused.json()) as StepUp).ways).toEqual(['passkey', 'pin']);
  expect(await status(rosa, 'POST', '/api/session/proof', { kind: 'pin', pin: PIN })).toBe(204);
  expect((await change()).status).toBe(200);
  expect(await status(rosa, 'PATCH', `/api/team/${member.id}`, { role: 'desk' })).toBe(200);
}

beforeAll(() => product.set({ consent: 'installer-only', auto_tap: true }));
afterAll(async () => {
  const { jar } = await logIn(appUrl, 0);
  const { members } = await read<Team>(jar, 'GET', '/api/team');
  const member = members.find((candidate) => candidate.email === email);
  if (member) await call(jar, 'DELETE', `/api/team/${member.id}`);
  await product.set({ consent: 'anyone', auto_tap: false });
});

describe('a receptionist without access to the CRM', () => {
  it('cannot pass the CRM’s consent page', async () => {
    const jar = new Jar();
    const start = jar.take(await fetch(`${appUrl}/oauth/start`, { redirect: 'manual' }));
    await expect(consent(new URL(start.headers.get('location') ?? ''), 0, 'grant', 1)).rejects.toThrow(/Invalid URL/);
    expect(jar.cookies.has('session')).toBe(false);
  });

  it('works a full day: joins by mail, logs in by code and passkey, takes a sale, hands over the desk', {
    timeout: 180_000,
  }, async () => {
    const { jar: admin } = await logIn(appUrl, 0);
    const invitation = { email, name: 'Rosa Lind', role: 'desk' };
    expect(await status(admin, 'POST', '/api/team/invitations', invitation)).toBe(201);
    const rosa = new Jar();
    expect(await status(rosa, 'POST', `/api/join/${await matchInMail(/\/join\/([\w-]+)/)}`)).toBe(204);
    expect(await status(rosa, 'DELETE', '/api/sessions')).toBe(200);

    // The next morning she logs in by code, then adds a passkey, which needs another mailed code.
    expect(await status(rosa, 'POST', '/api/session/code', { email })).toBe(202);
    expect(await status(rosa, 'POST', '/api/session', { email, code: await matchInMail(CODE) })).toBe(204);
    expect(await status(rosa, 'POST', '/api/session/factors/code')).toBe(202);
    const code = await matchInMail(CODE);
    const key = await makeAuthenticator(appUrl);
    const passkey = await key.make(await optionsOf(rosa, 'passkeys'));
    expect(await status(rosa, 'POST', '/api/session/passkeys', { label: 'Front desk', response: passkey, code })).toBe(
      201,
    );
    expect(await matchInMail(/(passkey was added)/)).toBe('passkey was added');
    expect(await status(rosa, 'PUT', '/api/session/pin', { pin: PIN })).toBe(204);
    expect(await status(rosa, 'DELETE', '/api/sessions')).toBe(200);

    const desk = new Jar();
    const response = await key.show(await optionsOf(desk, 'passkey'));
    expect(await status(desk, 'POST', '/api/session/passkey', { response })).toBe(204);
    const list = await read<StaffSessions>(desk, 'GET', '/api/sessions');
    expect(list.sessions).toMatchObject([{ began_by: 'passkey', is_this: true }]);

    const invoice = await product.makeInvoice();
    const { terminalId } = counterTerminal();
    const sale = await read<SaleReply>(desk, 'POST', `/api/terminals/${terminalId}/sales`, {
      invoiceId: invoice.invoiceId,
    });
    expect(sale.sale).toMatchObject({ started_by: email, is_own: true });
    const ended = await until(
      async () => (await read<SaleReply>(desk, 'GET', `/api/sales/${sale.sale.id}`)).sale,
      ({ state }) => state === 'approved',
      90_000,
    );
    expect(ended).toMatchObject({ state: 'approved', started_by: email });
    // A receptionist may not refund: the response is 403, since no proof would help.
    const refund = { kind: 'refund', amount: '1.00', reason: 'Twice', requestId: crypto.randomUUID() };
    expect((await call(desk, 'POST', `/api/payments/${sale.sale.id}/reversals`, refund)).status).toBe(403);

    // The administrator's desk: Rosa takes over by her PIN.
    const { people } = await read<DeskPeople>(admin, 'GET', '/api/session/people');
    const id = people.find(({ name }) => name === 'Rosa Lind')?.id;
    const previousSession = new Jar();
    for (const [name, value] of admin.cookies) previousSession.cookies.set(name, value);
    expect(await status(admin, 'POST', '/api/session/switch', { id, pin: '314159' })).toBe(422);
    expect(await status(admin, 'POST', '/api/session/switch', { id, pin: PIN })).toBe(204);
    expect(await status(previousSession, 'GET', '/api/sessions')).toBe(401);
    expect(await status(admin, 'GET', '/api/team')).toBe(403);
    await promoteAndProve();
  });
});
