import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { bearer } from '#tests/support/consent';
import { readMailsTo, sendInvoiceMail } from '#tests/support/invoice-mails';
import { logInColleague, type TestApp } from '#tests/support/login';
import { makeBill, makeClinic, payBill, payIdOf } from '#tests/support/unit/clinic';
import { eventsOf } from '#tests/support/unit/trail';

const [{ hubId: accountId }] = hubs;

async function requestMail(app: TestApp, token: string, id: string, body: object) {
  const answer = await app.request(`/api/invoices/${id}/emails`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { to, error } = (await answer.json()) as { to?: string; error?: { message: string } };
  return { status: answer.status, to, message: error?.message };
}

const newAddress = () => `son-${crypto.randomUUID().slice(0, 8)}@family.example`;

describe('an email about an invoice to a typed address', () => {
  it('contains the payment link or the receipt, goes only there and leaves the address on file unchanged', async () => {
    const { app, token, clock } = await makeClinic();
    const { id, email } = await makeBill();
    const to = newAddress();
    expect(await requestMail(app, token, id, { kind: 'pay-link', to: ` ${to.toUpperCase()} ` })).toMatchObject({
      status: 200,
      to,
    });
    expect((await readMailsTo(to))[0]?.text).toContain(await payIdOf(app, token, id));
    expect(await readMailsTo(email)).toEqual([]);
    clock.now += 60_000;
    expect((await sendInvoiceMail(app, token, 'sendPaymentLink', id)).body.to).toBe(email);
    expect(await payBill(app, await payIdOf(app, token, id))).toBe(200);
    expect(await requestMail(app, token, id, { kind: 'receipt', to })).toMatchObject({ status: 200, to });
    expect((await readMailsTo(to)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Invoice/),
      expect.stringMatching(/^Receipt/),
    ]);
  });

  it('is in the audit trail with a masked address', async () => {
    const { app, token } = await makeClinic();
    const { id } = await makeBill();
    const to = newAddress();
    await requestMail(app, token, id, { kind: 'pay-link', to });
    const [event] = (await eventsOf(accountId)).filter(
      ({ action, subjectId }) => action === 'mail.asked-for' && subjectId === id,
    );
    expect(JSON.parse(event?.after ?? '{}')).toMatchObject({ kind: 'pay-link', to: 's…@family.example' });
  });

  it('counts against the limits of the invoice, regardless of the address', async () => {
    const { app, token, clock } = await makeClinic();
    const { id } = await makeBill();
    expect((await sendInvoiceMail(app, token, 'sendPaymentLink', id)).status).toBe(200);
    expect((await requestMail(app, token, id, { kind: 'pay-link', to: newAddress() })).status).toBe(429);
    for (let n = 1; n < 5; n++) {
      clock.now += 60_000;
      expect((await requestMail(app, token, id, { kind: 'pay-link', to: newAddress() })).status).toBe(200);
    }
    clock.now += 60_000;
    expect(await requestMail(app, token, id, { kind: 'pay-link', to: newAddress() })).toMatchObject({
      status: 429,
      message: 'No more emails can be sent for this invoice today.',
    });
  });

  it.each([
    ['bounced', 'Mail to this address came back. Enter another one.'],
    ['suppressed', 'The email service does not send to this address. Enter another one.'],
    ['complained', 'Mail to this address was reported as spam. Enter another one.'],
  ])('is refused for an address with the delivery state “%s”', async (reason, message) => {
    const { app, token } = await makeClinic();
    const { id } = await makeBill();
    const to = newAddress();
    const statement = env.DB.prepare('INSERT INTO mail_addresses VALUES (?, ?, ?, ?, 0)');
    await statement.bind(accountId, to, reason, id).run();
    expect(await requestMail(app, token, id, { kind: 'pay-link', to })).toMatchObject({ status: 422, message });
    expect(await readMailsTo(to)).toEqual([]);
  });

  it.each([['nobody'], ['a@payer.example, b@payer.example'], ['a@payer.example\r\nBcc: all@payer.example'], ['']])(
    'is refused for %j, which is not a single address',
    async (to) => {
      const { app, token } = await makeClinic();
      const { id } = await makeBill();
      expect((await requestMail(app, token, id, { kind: 'pay-link', to })).status).toBe(422);
      expect(await env.DB.prepare('SELECT * FROM outbox WHERE invoice_id = ?').bind(id).first()).toBeNull();
    },
  );

  it('is refused for front desk staff, and for an invoice of another account', async () => {
    const { app, token } = await makeClinic();
    const { id } = await makeBill();
    const colleague = await logInColleague(app);
    await env.DB.prepare("UPDATE users SET role = 'desk' WHERE user_id = 2").run();
    expect((await requestMail(app, colleague, id, { kind: 'pay-link', to: newAddress() })).status).toBe(403);
    expect((await requestMail(app, token, '1', { kind: 'pay-link', to: newAddress() })).status).toBe(404);
  });
});
