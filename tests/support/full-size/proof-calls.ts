import { eq } from 'drizzle-orm';
import { hubs } from '#sandbox/credentials';
import type { Approval } from '#shared/contracts/staff/proof';
import { Jar } from '#tests/support/consent';
import { logIn, logInColleague, type TestApp } from '#tests/support/login';
import { makeAuthenticator } from '#tests/support/operator/authenticator';
import { makeBill, payBill, payIdOf } from '#tests/support/unit/clinic';
import { pins } from '#worker/data/schema/proofs';
import { outbox, users } from '#worker/data/schema/schema';
import type { Ask, Call } from './asker.ts';
import { attemptOf } from './merchant-calls.ts';

const [{ hubId: accountId }] = hubs;
const PIN = '271828';

/** Calls for staff proofs: a person's own passkeys and PIN, proofs at the desk, and a login by passkey. */
export async function proofCalls(ask: Ask, app: TestApp): Promise<void> {
  const colleague = await logInColleague(app);
  const { jar } = await logIn(app, 0);
  const measured = async <T>(
    route: string,
    { as = jar, ...options }: Omit<Call, 'token' | 'headers'> & { as?: Jar } = {},
  ) => {
    const token = as.cookies.get('authToken') ?? '';
    const reply = await ask<T>(route, { ...options, headers: as.header, ...(token ? { token } : {}) });
    as.take(reply.response);
    return reply.data;
  };
  type Options = { options: { challenge: string } };
  const requestOptions = async (route: string, as = jar) =>
    (await measured<Options>(`POST /api/session/${route}/options`, { as })).options;

  await measured('POST /api/session/factors/code', { status: 202 });
  const { db, sealer } = app.deps;
  const mail = await db.query.outbox.findFirst({ where: eq(outbox.kind, 'factor-code') });
  const code = await sealer.open(JSON.parse(mail?.details ?? '{}').token, `outbox/${mail?.id}/details`);
  const key = await makeAuthenticator();
  const credential = await key.make(await requestOptions('passkeys'));
  await measured('POST /api/session/passkeys', { body: { label: 'Desk', response: credential, code }, status: 201 });
  await measured('PUT /api/session/pin', { body: { pin: PIN }, status: 204 });
  await measured('GET /api/session/factors');
  const response = await key.show(await requestOptions('proof'));
  await measured('POST /api/session/proof', { body: { kind: 'passkey', response }, status: 204 });
  await measured('POST /api/session/proof', { body: { kind: 'pin', pin: PIN }, status: 204 });
  const login = new Jar();
  const assertion = await key.show(await requestOptions('passkey', login));
  await measured('POST /api/session/passkey', { as: login, body: { response: assertion }, status: 204 });
  await measured('GET /api/session/people');
  await measured('PUT /api/team/second-person', { body: { amount: '500.00' } });
  await measured('PUT /api/team/second-person', { body: { amount: null } });
  await approvalCalls(ask, app, { token: jar.cookies.get('authToken') ?? '', colleague });
  await measured('POST /api/session/switch', { body: { id: 1, pin: PIN }, status: 204 });
  await db.insert(pins).values({ accountId, userId: 2, hash: 'x', setAt: 0 });
  await measured('DELETE /api/team/:id/factors', { path: '/api/team/2/factors', status: 204 });
  await measured('DELETE /api/team/:id/sessions', { path: '/api/team/2/sessions' });
  await measured('DELETE /api/session/passkeys/:id', { path: `/api/session/passkeys/${key.id}`, status: 204 });
  await measured('DELETE /api/session/pin', { status: 204 });
}

/** A void that another administrator approves. */
async function approvalCalls(
  ask: Ask,
  app: TestApp,
  { token, colleague }: { token: string; colleague: string },
): Promise<void> {
  await app.deps.db.update(users).set({ role: 'admin' }).where(eq(users.accountId, accountId));
  const bill = await makeBill();
  await payBill(app, await payIdOf(app, token, bill.id));
  const payment_id = (await attemptOf(app, bill.id))?.id;
  const body = { payment_id, kind: 'void', reason: 'Billed twice', requestId: crypto.randomUUID() };
  await ask('POST /api/approvals', { token, body, status: 202 });
  const { data } = await ask<{ approvals: Approval[] }>('GET /api/approvals', { token: colleague });
  const path = `/api/approvals/${data.approvals[0]?.id}`;
  await ask('POST /api/approvals/:id', { path, token: colleague, body: { decision: 'approve' } });
}
