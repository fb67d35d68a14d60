import type { InvitedOperator, OperatorMe, Operators } from '#shared/contracts/operators/operator';
import { Jar } from '#tests/support/consent';
import { makeAuthenticator } from '#tests/support/operator/authenticator';
import { makeOperatorApp, SETUP_CODE } from '#tests/support/operator/operator';
import type { Meter } from '#tests/support/unit/meter';
import { queueMail } from '#worker/data/mail/outbox';
import { clinics } from '#worker/data/schema/directory';
import { alerts } from '#worker/data/schema/monitoring';
import { outbox } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { askerOf } from './asker.ts';

/** The operator area with a directory of a thousand clinics. */
export async function operatorCalls(meter: Meter, overrides: Partial<Deps>, assets: unknown): Promise<void> {
  const app = makeOperatorApp({ ...overrides, pause: async () => undefined }, { ASSETS: assets });
  const ask = askerOf(meter, app);
  const { installation } = app.deps;
  const now = app.clock.now;
  await installation.$client
    .prepare(
      `INSERT INTO clinics (account, name, founded_at, heard_at, schema, needs_human)
WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 1000)
SELECT 50000 + at, 'Clinic ' || at, 1, ?1, 17, at % 100 = 0 FROM n`,
    )
    .bind(now)
    .run();
  await installation
    .insert(alerts)
    .values({ key: 'k', event: 'payment-waits', severity: 'now', subject: '', n: 1, firstAt: now, lastAt: now });
  await queueMail(installation, { id: 'address-known-9', kind: 'address-known', recipient: 'a@b.example' }, now);
  await installation.update(outbox).set({ state: 'failed', tries: 12, sentAt: now });

  const jar = new Jar();
  const key = await makeAuthenticator();
  const measured = async <T>(route: string, options: { path?: string; body?: unknown; status?: number } = {}) => {
    const reply = await ask<T>(route, { ...options, headers: jar.header });
    jar.take(reply.response);
    return reply.data;
  };
  type Options = { options: { challenge: string } };
  const requestOptions = async (route: string, body: object = {}) => (await measured<Options>(route, { body })).options;

  await measured('GET /operator');
  await measured('GET /operator/*', { path: '/operator/clinics' });
  const person = { code: SETUP_CODE, name: 'Olga Reyes' };
  const credential = await key.make(await requestOptions('POST /api/operator/enrolment/options', person));
  await measured('POST /api/operator/enrolment', { body: { ...person, credential }, status: 201 });
  const signIn = async (path: string) => ({
    body: { credential: await key.show(await requestOptions(`POST /api/operator/${path}/options`)) },
    status: 204,
  });
  await measured('POST /api/operator/session', await signIn('session'));
  await measured('POST /api/operator/proof', await signIn('proof'));
  await measured('GET /api/operator/me');
  await measured('GET /api/operator/overview');
  await measured('GET /api/operator/clinics');
  const [clinic] = await installation.select().from(clinics).limit(1);
  const clinicPath = `/api/operator/clinics/${clinic?.number}`;
  await measured('GET /api/operator/clinics/:number', { path: clinicPath });
  await measured('GET /api/operator/clinics/:number/dumps', { path: `${clinicPath}/dumps` });
  await measured('GET /api/operator/mails');
  await measured('GET /api/operator/builds');
  await measured('GET /api/operator/health');
  await measured('GET /api/operator/runbook');
  await measured('GET /api/operator/audit');
  await measured('GET /api/operator/audit/head');
  // The clinic has granted no view.
  await measured('POST /api/operator/clinics/:number/view', { path: `${clinicPath}/view`, status: 409 });
  // A wrong name closes nothing.
  const closing = { path: `${clinicPath}/closing`, body: { name: 'Another' }, status: 422 };
  await measured('POST /api/operator/clinics/:number/closing', closing);
  app.deps.clinics = { ...app.deps.clinics, wake: async () => undefined };
  await measured('POST /api/operator/clinics/:number/wake', { path: `${clinicPath}/wake` });
  await measured('POST /api/operator/alerts/acknowledgement', { body: { key: 'k' } });
  await measured('POST /api/operator/mails/again', { body: { clinic: 0, mail: 'address-known-9' } });
  await measured('POST /api/operator/builds');
  await measured('PUT /api/operator/payments', { body: { state: 'paused', reason: 'The gateway is down' } });
  await installation.$client.prepare('DELETE FROM payment_switch').run();
  await measured('GET /api/operator/operators');
  await measured('POST /api/operator/operators/invitations', { status: 201 });
  const [invitation] = (await measured<Operators>('GET /api/operator/operators')).codes;
  await measured('DELETE /api/operator/operators/invitations/:id', {
    path: `/api/operator/operators/invitations/${invitation?.id}`,
    status: 204,
  });
  const { code } = await measured<InvitedOperator>('POST /api/operator/operators/invitations', { status: 201 });
  const colleague = await app.enrol({ code, name: 'Ivo Klein' });
  const { id } = colleague.me satisfies OperatorMe;
  await measured('DELETE /api/operator/operators/:id', { path: `/api/operator/operators/${id}`, status: 204 });
  await measured('DELETE /api/operator/session', { status: 204 });
}
