import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { MailingReply } from '#shared/contracts/payments/pay-links';
import { UNDO_MS } from '#shared/limits';
import { bearer } from '#tests/support/consent';
import { readMailsTo } from '#tests/support/invoice-mails';
import { logInColleague } from '#tests/support/login';
import { makeBill, makeClinic } from '#tests/support/unit/clinic';
import { eventsOf } from '#tests/support/unit/trail';
import { sendMailings } from '#worker/domain/mailings/mailing';

const [{ hubId: accountId }] = hubs;

async function makeMailingClinic() {
  const setup = await makeClinic();
  const call = async (method: string, path = '', body?: object, token = setup.token) => {
    const answer = await setup.app.request(`/api/mailings${path}`, {
      method,
      headers: { ...bearer(token), 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, body: (await answer.json()) as { error?: { message: string } } };
  };
  return { ...setup, call, id: crypto.randomUUID() };
}

describe('bulk pay links', () => {
  it('are requested, shown and sent on schedule to the CRM’s addresses, and recorded in the audit trail', async () => {
    const { app, call, clock, id } = await makeMailingClinic();
    expect((await call('GET')).body).toEqual({ mailing: null });
    const bills = [await makeBill(), await makeBill()];
    const reply = await call('POST', '', { id, invoices: bills.map((bill) => bill.id) });
    expect(MailingReply.parse(reply.body).mailing).toMatchObject({ id, starts_in_ms: UNDO_MS, is_over: false });
    clock.now += UNDO_MS;
    await sendMailings(app.deps);
    const { mailing } = MailingReply.parse((await call('GET')).body);
    expect(mailing).toMatchObject({ id, is_over: true, is_stopped: false });
    expect(mailing?.invoices.map(({ number, state }) => [number, state])).toEqual(
      bills.map(({ number }) => [number, 'sent']),
    );
    for (const { email } of bills) expect(await readMailsTo(email)).toHaveLength(1);
    const events = (await eventsOf(accountId)).map(({ action, after }) => `${action} ${after}`);
    expect(events).toContain('mailing.asked-for {"invoices":2}');
  });

  it('run one at a time and can be stopped with one call', async () => {
    const { call, id } = await makeMailingClinic();
    const bill = await makeBill();
    await call('POST', '', { id, invoices: [bill.id] });
    const second = await call('POST', '', { id: crypto.randomUUID(), invoices: [bill.id] });
    expect(second).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    const stoppedMailing = MailingReply.parse((await call('DELETE', `/${id}`)).body).mailing;
    expect(stoppedMailing).toMatchObject({
      is_over: true,
      is_stopped: true,
      invoices: [{ state: 'left-out', why: 'stopped' }],
    });
    expect((await eventsOf(accountId)).map(({ action }) => action)).toContain('mailing.stopped');
  });

  it.each([
    [{ invoices: ['1'] }],
    [{ id: 'x', invoices: ['1'] }],
    [{ id: crypto.randomUUID(), invoices: [] }],
    [{ id: crypto.randomUUID(), invoices: ['1', '1'] }],
    [{ id: crypto.randomUUID(), invoices: ['pay'] }],
    [{ id: crypto.randomUUID(), invoices: Array.from({ length: 501 }, (_, n) => String(n)) }],
  ])('are rejected for the invalid body %#', async (body) => {
    const { call } = await makeMailingClinic();
    expect((await call('POST', '', body)).status).toBe(422);
  });

  it('cannot be started or stopped by readers, who can see the progress', async () => {
    const { app, call, id } = await makeMailingClinic();
    const colleague = await logInColleague(app);
    await env.DB.prepare("UPDATE users SET role = 'reader' WHERE user_id = 2").run();
    expect((await call('POST', '', { id, invoices: ['1'] }, colleague)).status).toBe(403);
    expect((await call('DELETE', `/${id}`, undefined, colleague)).status).toBe(403);
    expect((await call('GET', '', undefined, colleague)).status).toBe(200);
  });
});
