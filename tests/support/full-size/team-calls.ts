import { hubs } from '#sandbox/credentials';
import type { WriteBack } from '#shared/contracts/payments/write-back';
import type { ArchiveStatus, ClosingStatus } from '#shared/contracts/staff/archive-and-closing';
import type { CustomerData } from '#shared/contracts/staff/customer-data';
import type { Invitation, StaffSessions } from '#shared/contracts/staff/team';
import { joinPath, stopPath } from '#shared/paths';
import { Jar } from '#tests/support/consent';
import { logIn, type TestApp } from '#tests/support/login';
import { makeBill, payIdOf } from '#tests/support/unit/clinic';
import { findOrCreateStopToken } from '#worker/data/reminders/queue';
import { staffInvitations } from '#worker/data/schema/schema';
import type { Ask } from './asker.ts';

/** Calls for managing staff and a person's own sessions. Must run last: it logs the person out. */
export async function teamCalls(ask: Ask, app: TestApp): Promise<void> {
  const { token } = await logIn(app, 0);
  await logIn(app, 0);
  await ask('GET /api/first-hour', { token });
  await ask('GET /api/first-hour/mails', { token });
  // The smallest invoice, so that the test link uses it; it must also exist in the CRM.
  const { id } = await makeBill({ amount: '0.01' });
  await payIdOf(app, token, id);
  await ask('POST /api/first-hour/test-link', { token });
  const mailing = {
    id: crypto.randomUUID(),
    invoices: Array.from({ length: 499 }, (_, n) => String(n + 1)).concat(id),
  };
  await ask('POST /api/mailings', { token, body: mailing });
  await ask('GET /api/mailings', { token });
  await ask('GET /api/owed', { token });
  await ask('DELETE /api/mailings/:id', { token, path: `/api/mailings/${mailing.id}` });
  await ask('PUT /api/reminders', { token, body: { steps: [-3, 0, 7, 14] } });
  await ask('GET /api/reminders', { token });
  await ask('GET /api/reminders/forecast', { token, path: '/api/reminders/forecast?steps=-3,0,7,14' });
  await ask('POST /api/reminders/test', { token, body: { when: 'after' } });
  await ask('PUT /api/invoices/:id/reminders', {
    token,
    path: `/api/invoices/${id}/reminders`,
    body: { is_excluded: true },
  });
  await ask('GET /api/invoices/:id/reminders', { token, path: `/api/invoices/${id}/reminders` });
  await partCalls(ask, app, token);
  await ask('PUT /api/payment-notices', { token, body: { how: 'daily' } });
  await ask('GET /api/payment-notices', { token });
  await ask('PUT /api/bill-lines', { token, body: { is_on: true } });
  await ask('GET /api/bill-lines', { token });
  await ask('PUT /api/bill-lines', { token, body: { is_on: false } });
  await ask('PUT /api/bank-payments', { token, body: { is_on: false } });
  await ask('GET /api/bank-payments', { token });
  await ask('PUT /api/bank-payments', { token, body: { is_on: true } });
  await ask('PUT /api/apple-pay', { token, body: { is_on: true } });
  await ask('GET /api/apple-pay', { token });
  await ask('PUT /api/apple-pay', { token, body: { is_on: false } });
  await ask('PUT /api/google-pay', { token, body: { is_on: true } });
  await ask('GET /api/google-pay', { token });
  await ask('PUT /api/google-pay', { token, body: { is_on: false } });
  await ask('PUT /api/payer-language', { token, body: { language: 'es' } });
  await ask('GET /api/payer-language', { token });
  await ask('PUT /api/write-back', { token, body: { is_on: true } });
  const writeBack = await ask<WriteBack>('GET /api/write-back', { token });
  const paymentId = writeBack.data.unrecorded[0]?.id ?? '';
  await ask('PUT /api/write-back/payments/:id', {
    token,
    path: `/api/write-back/payments/${paymentId}`,
    body: { note: 'Entered by hand' },
  });
  await ask('PUT /api/write-back', { token, body: { is_on: false } });
  const address = { accountId: hubs[0].hubId, address: 'marta@payer.example', token: app.deps.newCapability() };
  const path = stopPath(await findOrCreateStopToken(app.deps.db, address, Date.now()));
  await ask('GET /mail/stop/:token', { path });
  await ask('POST /mail/stop/:token', { path });
  await ask('PUT /api/first-hour', { token, body: { has_seen_mails: true } });
  const person = { email: 'marta@maple.example', name: 'Marta Reyes', role: 'desk' };
  const invitation = await ask<Invitation>('POST /api/team/invitations', { token, body: person, status: 201 });
  await ask('GET /api/team', { token });
  await ask('PUT /api/team/refund-limit', { token, body: { refund_limit: '250.00' } });
  await ask('PATCH /api/team/:id', { token, path: '/api/team/1', body: { is_confirmed: true } });
  await ask('DELETE /api/team/:id', { token, path: `/api/team/${invitation.data.id}` });
  await leavingCalls(ask, token);
  await ask('POST /api/support-view', { token });
  await ask('GET /api/support-view', { token });
  await ask('DELETE /api/support-view', { token });
  const { data } = await ask<StaffSessions>('GET /api/sessions', { token });
  const otherSession = data.sessions.find(({ is_this }) => !is_this)?.id ?? '';
  await ask('DELETE /api/sessions/:id', { token, path: `/api/sessions/${otherSession}` });
  await ask('DELETE /api/sessions', { token });
  await loginCalls(ask, app, person.email);
}

/** Enables payment in parts; opens it for an invoice, decides on its frozen collection, and closes it. */
async function partCalls(ask: Ask, { deps }: TestApp, token: string): Promise<void> {
  await ask('PUT /api/parts', { token, body: { is_on: true } });
  await ask('GET /api/parts', { token });
  const { id } = await makeBill();
  const path = `/api/invoices/${id}/parts`;
  await ask('PUT /api/invoices/:id/parts', { token, path, body: { least: null, deposit: null } });
  await ask('GET /api/invoices/:id/parts', { token, path });
  await deps.db.$client
    .prepare("UPDATE collections SET state = 'frozen', frozen_at = 1 WHERE account_id = ? AND invoice_id = ?")
    .bind(hubs[0].hubId, id)
    .run();
  const body = { verdict: 'contains', owed: '184.00' };
  await ask('POST /api/invoices/:id/parts/decision', { token, path: `${path}/decision`, body });
  await ask('DELETE /api/invoices/:id/parts', { token, path });
}

/** Joins by an invitation link, and logs in by a mailed code. */
async function loginCalls(ask: Ask, { deps, installation }: TestApp, email: string): Promise<void> {
  const secret = deps.newCapability();
  await deps.db.insert(staffInvitations).values({
    id: deps.newId(),
    accountId: hubs[0].hubId,
    email,
    name: 'Marta Reyes',
    role: 'desk',
    secretHash: await deps.sha256(secret),
    createdAt: deps.now(),
    endsAt: deps.now() + 60_000,
  });
  await ask('GET /join/:secret', { path: joinPath(secret) });
  await ask('GET /api/join/:secret', { path: `/api/join/${secret}` });
  await ask('POST /api/join/:secret', { path: `/api/join/${secret}`, status: 204 });
  const jar = new Jar();
  jar.take((await ask('POST /api/session/code', { body: { email }, status: 202 })).response);
  const mail = await installation.db.query.outbox.findFirst({ where: (row, { eq }) => eq(row.kind, 'login-code') });
  const code = await deps.sealer.open(JSON.parse(mail?.details ?? '{}').token, `outbox/${mail?.id}/details`);
  await ask('POST /api/session', { body: { email, code }, headers: jar.header, status: 204 });
}

/** Exports and erases the data of one customer, requests an archive of all records, schedules the account's closing, and cancels it. */
async function leavingCalls(ask: Ask, token: string): Promise<void> {
  const customer = '/api/customers/3';
  const { data: stored } = await ask<CustomerData>('GET /api/customers/:id/data', { token, path: `${customer}/data` });
  await ask('POST /api/customers/:id/data/export', { token, path: `${customer}/data/export` });
  const erasure = { token, path: `${customer}/data/erasure`, body: { email: stored.email } };
  await ask('POST /api/customers/:id/data/erasure', erasure);
  await ask('POST /api/account/archive', { token, status: 202 });
  const { data } = await ask<ArchiveStatus>('GET /api/account/archive', { token });
  const part = `/api/account/archive/${data.id}/parts/0`;
  await ask('GET /api/account/archive/:id/parts/:part', { token, path: part, status: 404 });
  const { data: closing } = await ask<ClosingStatus>('GET /api/account/closing', { token });
  const body = { closes_on: closing.latest, business: closing.business };
  await ask('PUT /api/account/closing', { token, body });
  await ask('DELETE /api/account/closing', { token });
}
