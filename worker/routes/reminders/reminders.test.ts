import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { Forecast, InvoiceReminders, Reminders } from '#shared/contracts/payments/reminders';
import { stopPath } from '#shared/paths';
import { bearer } from '#tests/support/consent';
import { forge } from '#tests/support/forge';
import { readMailsTo } from '#tests/support/invoice-mails';
import { logInColleague } from '#tests/support/login';
import { makeBill, makeClinic, payIdOf } from '#tests/support/unit/clinic';
import { eventsOf } from '#tests/support/unit/trail';
import { findOrCreateStopToken, findReminderOptOut } from '#worker/data/reminders/queue';

const [{ hubId: accountId, users }] = hubs;
const ownEmail = users[0]?.email ?? '';

async function makeReminderClinic() {
  const setup = await makeClinic();
  const call = (method: string, path: string, body?: object, token = setup.token) =>
    setup.app.request(path, {
      method,
      headers: { ...bearer(token), 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const bill = await makeBill({ due_date: '2026-01-02' });
  await payIdOf(setup.app, setup.token, bill.id);
  return { ...setup, call, bill };
}

describe('reminder settings', () => {
  it('are off by default, turn on with steps and off without steps, and record changes in the audit trail', async () => {
    const { call, bill } = await makeReminderClinic();
    const view = async () => Reminders.parse(await (await call('GET', '/api/reminders')).json());
    const first = await view();
    expect(first).toMatchObject({ is_on: false, steps: [] });
    expect(first.sample?.mails.after).toMatchObject({ to: bill.email, number: bill.number, greeting: 'Hello Marta,' });
    expect(first.sample?.mails.after.what).toContain(`Invoice ${bill.number} was due on Jan 2, 2026.`);
    const { before, on, after } = first.sample?.mails ?? {};
    expect([before, on, after].map((mail) => [mail?.step, mail?.day])).toEqual([
      [-3, '2025-12-30'],
      [0, '2026-01-02'],
      [7, '2026-01-09'],
    ]);
    expect(before?.what).toContain('is due on Jan 2, 2026.');
    expect(on?.what).toContain('is due today, Jan 2, 2026.');
    expect((await call('PUT', '/api/reminders', { steps: [-3, 0, 7, 14] })).status).toBe(200);
    expect(await view()).toMatchObject({ is_on: true, steps: [-3, 0, 7, 14] });
    await call('PUT', '/api/reminders', { steps: [] });
    expect(await view()).toMatchObject({ is_on: false, steps: [-3, 0, 7, 14] });
    const events = (await eventsOf(accountId)).filter(({ action }) => action === 'reminders.changed');
    expect(events.map(({ after }) => after)).toEqual(['{"days":"-3, 0, 7, 14"}', '{"days":""}']);
  });

  it.each([[[0, 1, 2, 3, 4]], [[91]], [[1.5]], [[3, 3]]])('reject the steps %j', async (steps) => {
    const { call } = await makeReminderClinic();
    expect((await call('PUT', '/api/reminders', { steps })).status).toBe(422);
  });

  it('are for managers only, and include a forecast of the reminders', async () => {
    const { app, call } = await makeReminderClinic();
    const colleague = await logInColleague(app);
    await env.DB.prepare("UPDATE users SET role = 'desk' WHERE user_id = 2").run();
    expect((await call('GET', '/api/reminders', undefined, colleague)).status).toBe(403);
    const forecast = await call('GET', '/api/reminders/forecast?steps=-3,0,7');
    expect(Forecast.parse(await forecast.json())).toMatchObject({ before: 0, on: 0, after: 0 });
    expect((await call('GET', '/api/reminders/forecast?steps=x')).status).toBe(422);
  });

  it('send a test email to the caller only, without a working link', async () => {
    const { call, bill } = await makeReminderClinic();
    const previousCount = (await readMailsTo(ownEmail)).length;
    expect((await call('POST', '/api/reminders/test', { when: 'after' })).status).toBe(200);
    const [mail] = (await readMailsTo(ownEmail)).slice(previousCount);
    expect(mail?.subject).toBe(`Test: A reminder from Maple Street Dental: invoice ${bill.number}`);
    expect(mail?.text).toMatch(/^You asked .* test of the reminder 7 days after the due date\./);
    expect(mail?.text).toContain('what your customer would get on Jan 9, 2026.');
    expect(mail?.html).toContain('what your customer would get on Jan 9, 2026.');
    expect(mail?.text).not.toMatch(/make\/payment\/\w/);
    expect(await readMailsTo(bill.email)).toEqual([]);
    expect((await call('POST', '/api/reminders/test', { when: 'after' })).status).toBe(429);
  });

  it('exclude an invoice and include it again, and record both in the audit trail', async () => {
    const { app, call, token } = await makeReminderClinic();
    const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    const bill = await makeBill({ due_date: day });
    await payIdOf(app, token, bill.id);
    const path = `/api/invoices/${bill.id}/reminders`;
    const view = async () => InvoiceReminders.parse(await (await call('GET', path)).json());
    const noReminders = { is_excluded: false, stopped_at: null, last: null, next_at: null };
    expect(await view()).toEqual({ ...noReminders, is_on: false, why_none: 'off' });
    await call('PUT', '/api/reminders', { steps: [0] });
    expect(await view()).toMatchObject({ next_at: expect.stringMatching(/T1[345]:00:00/), why_none: null });
    expect((await call('PUT', path, { is_excluded: true })).status).toBe(200);
    expect(await view()).toEqual({ ...noReminders, is_on: true, is_excluded: true, why_none: 'excluded' });
    const colleague = await logInColleague(app);
    await env.DB.prepare("UPDATE users SET role = 'desk' WHERE user_id = 2").run();
    expect((await call('PUT', path, { is_excluded: false }, colleague)).status).toBe(403);
    expect((await call('PUT', path, { is_excluded: false })).status).toBe(200);
    expect(await view()).toMatchObject({ is_excluded: false, why_none: null });
    await call('PUT', '/api/reminders', { steps: [] });
    const events = (await eventsOf(accountId)).filter(({ action }) => action === 'reminders.excluded');
    expect(events.map(({ after }) => after)).toEqual(['{"excluded":true}', '{"excluded":false}']);
    expect((await call('GET', '/api/invoices/987654321/reminders')).status).toBe(404);
  });
});

describe('the opt-out link of a reminder', () => {
  it('changes nothing when opened, stops reminders with one click and rejects a forged token', async () => {
    const { app, call, bill } = await makeReminderClinic();
    const { db } = app.deps;
    const optOut = { accountId, address: bill.email, token: app.deps.newCapability() };
    const token = await findOrCreateStopToken(db, optOut, Date.now());
    const openStopLink = (method: string, linkToken = token, body: string | null = null) =>
      app.request(stopPath(linkToken), { method, body });
    expect((await openStopLink('GET')).status).toBe(200);
    const response = await openStopLink('POST', token, 'x'.repeat(1001));
    expect([response.status, await response.text()]).toEqual([413, 'The request is too large.']);
    expect(await findReminderOptOut(db, token)).toMatchObject({ stoppedAt: null });
    expect((await openStopLink('POST')).status).toBe(200);
    expect((await openStopLink('POST')).status).toBe(200);
    expect(await findReminderOptOut(db, token)).toMatchObject({ stoppedAt: expect.any(Number) });
    expect((await eventsOf(accountId)).filter(({ action }) => action === 'reminders.stopped')).toHaveLength(1);
    expect((await openStopLink('POST', forge(token))).status).toBe(404);
    const view = await (await call('GET', `/api/invoices/${bill.id}/reminders`)).json();
    expect(view).toMatchObject({ stopped_at: expect.stringMatching(/^\d{4}-/) });
  });
});
