import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { FirstHour, FirstHourMails } from '#shared/contracts/staff/first-hour';
import { bearer } from '#tests/support/consent';
import { readMailsTo } from '#tests/support/invoice-mails';
import { logIn, logInColleague, makeApp } from '#tests/support/login';
import { makeBill, makeClinic, payBill, payIdOf } from '#tests/support/unit/clinic';
import { eventsOf } from '#tests/support/unit/trail';

const [{ hubId: accountId, users }] = hubs;
const ownEmail = users[0]?.email ?? '';

type Clinic = Pick<Awaited<ReturnType<typeof makeClinic>>, 'app' | 'token'>;

function callsOf({ app, token }: Clinic) {
  const call = (method: string, path: string, body?: object, userToken = token) =>
    app.request(path, {
      method,
      headers: { ...bearer(userToken), 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const view = async (userToken = token) =>
    FirstHour.parse(await (await call('GET', '/api/first-hour', undefined, userToken)).json());
  const mails = async () => FirstHourMails.parse(await (await call('GET', '/api/first-hour/mails')).json()).mails;
  return { call, view, mails };
}

/** A clinic with one small open invoice and a larger one. */
async function makeClinicWithInvoices() {
  const clinic = await makeClinic();
  const small = await makeBill({
    line_items: [{ name: 'Root canal', price: '20.00', quantity: '1' }],
    amount: '20.00',
  });
  const large = await makeBill({ amount: '90.00' });
  for (const { id } of [large, small]) await payIdOf(clinic.app, clinic.token, id);
  return { ...clinic, ...callsOf(clinic), small };
}

describe('GET /api/first-hour', () => {
  it('shows a newly connected clinic its open steps and who must act', async () => {
    const app = makeApp();
    const { token } = await logIn(app, 1);
    const { view } = callsOf({ app, token });
    const { steps, ...rest } = await view();
    expect(steps.map(({ name, is_done, waits_for }) => [name, is_done, waits_for])).toEqual([
      ['papers', false, 'you'],
      ['connect', true, null],
      ['application', false, 'you'],
      ['terminals', false, null],
      ['test-link', false, null],
      ['staff', false, 'you'],
      ['mails', false, 'you'],
    ]);
    expect(rest).toMatchObject({ is_ended: false, is_admin: true, application: null, terminals: 0 });
    expect(rest.test).toEqual({ to: hubs[1].users[0]?.email, invoice: null, sent_at: null, paid: null });
  });

  it('is readable by every role, while only administrators may change it', async () => {
    const clinic = await makeClinic();
    const colleague = await logInColleague(clinic.app);
    await env.DB.prepare("UPDATE users SET role = 'reader' WHERE user_id = 2").run();
    const { call, view } = callsOf(clinic);
    expect((await view(colleague)).is_admin).toBe(false);
    expect((await call('PUT', '/api/first-hour', { is_ended: true }, colleague)).status).toBe(403);
    expect((await call('POST', '/api/first-hour/test-link', undefined, colleague)).status).toBe(403);
    expect((await view()).is_ended).toBe(false);
  });
});

describe('a test link', () => {
  it('goes only to the caller for the smallest open invoice, labeled as a test, and completes its step once paid', async () => {
    const { app, token, call, view, small } = await makeClinicWithInvoices();
    expect((await view()).test.invoice).toEqual({
      number: small.number,
      amount: '$20.00',
      customer: 'Marta Núñez',
      receipt: 'customer',
    });
    const previousCount = (await readMailsTo(ownEmail)).length;
    const answer = await call('POST', '/api/first-hour/test-link');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ status: 'sent', to: ownEmail });
    expect(await readMailsTo(small.email)).toEqual([]);
    const sentMails = (await readMailsTo(ownEmail)).slice(previousCount);
    expect(sentMails).toHaveLength(1);
    expect(sentMails[0]?.subject).toBe(`Test: Invoice ${small.number} from Maple Street Dental`);
    const payId = await payIdOf(app, token, small.id);
    for (const text of [sentMails[0]?.text ?? '', sentMails[0]?.html ?? '']) {
      expect(text).toContain('what your customer would get');
      expect(text).toContain('a payment charges the card');
      expect(text).toContain('Marta Núñez gets the receipt by email.');
      expect(text).toContain(payId);
      expect(text).not.toContain('Root canal');
    }
    expect((await view()).test.sent_at).toMatch(/^\d{4}-/);
    expect(await payBill(app, payId)).toBe(200);
    const viewAfterPayment = await view();
    expect(viewAfterPayment.test.paid).toMatchObject({ amount: '$20.00' });
    expect(viewAfterPayment.steps.find(({ name }) => name === 'test-link')?.is_done).toBe(true);
    expect(viewAfterPayment.test.invoice?.number).not.toBe(small.number);
  });

  it('is for a small invoice with the caller’s own address, if there is one', async () => {
    const { view } = await makeClinicWithInvoices();
    await env.DB.prepare('UPDATE invoices SET contact_email = upper(?) WHERE list_balance_cents = 9000')
      .bind(ownEmail)
      .run();
    expect((await view()).test.invoice).toMatchObject({ amount: '$90.00', receipt: 'caller' });
  });

  it('is not shown as an email to the customer and is in the audit trail without an address', async () => {
    const { call, small } = await makeClinicWithInvoices();
    await call('POST', '/api/first-hour/test-link');
    const answer = await call('GET', `/api/invoices/${small.id}`);
    expect(await answer.json()).toMatchObject({ mailed: null });
    const event = (await eventsOf(accountId)).find(({ action }) => action === 'mail.asked-for');
    expect(event?.after).toContain('test-link');
    expect(event?.after).not.toContain('@');
  });

  it('is not sent without a terminal for online payments', async () => {
    const app = makeApp();
    const { call } = callsOf({ app, ...(await logIn(app, 1)) });
    const refusal = await call('POST', '/api/first-hour/test-link');
    expect([refusal.status, await refusal.text()]).toEqual([409, expect.stringContaining('no terminal')]);
  });

  it('is not sent without an open invoice, without an address or twice within the pause', async () => {
    const bareClinic = await makeClinic();
    const { call } = callsOf(bareClinic);
    const refusal = await call('POST', '/api/first-hour/test-link');
    expect(refusal.status).toBe(409);
    expect(await refusal.text()).toContain('Create one in your CRM');
    const { id } = await makeBill();
    await payIdOf(bareClinic.app, bareClinic.token, id);
    expect((await call('POST', '/api/first-hour/test-link')).status).toBe(200);
    expect((await call('POST', '/api/first-hour/test-link')).status).toBe(429);
    await env.DB.prepare("UPDATE users SET email = ''").run();
    expect((await call('POST', '/api/first-hour/test-link')).status).toBe(422);
  });
});

describe('GET /api/first-hour/mails', () => {
  it('previews the pay link and receipt emails for real records without a working link', async () => {
    const { app, token, mails, small } = await makeClinicWithInvoices();
    const [bill, ...otherMails] = await mails();
    expect(otherMails).toEqual([]);
    expect(bill).toMatchObject({ kind: 'pay-link', subject: `Invoice ${small.number} from Maple Street Dental` });
    expect(bill?.text).toContain('/make/payment/…');
    const payId = await payIdOf(app, token, small.id);
    expect(bill?.text).not.toContain(payId);
    await payBill(app, payId);
    const { results } = await env.DB.prepare('SELECT receipt_id FROM payment_attempts').all<{ receipt_id: string }>();
    const receipt = (await mails()).find(({ kind }) => kind === 'receipt');
    expect(receipt?.text).toContain('$20.00');
    expect(receipt?.text).not.toContain(results[0]?.receipt_id ?? 'none');
  });
});

describe('PUT /api/first-hour', () => {
  it('hides the list and shows it again, and records each change in the audit trail', async () => {
    const { call, view } = callsOf(await makeClinic());
    const endReply = await call('PUT', '/api/first-hour', { is_ended: true });
    expect(FirstHour.parse(await endReply.json()).is_ended).toBe(true);
    expect((await view()).is_ended).toBe(true);
    await call('PUT', '/api/first-hour', { is_ended: false });
    expect((await view()).is_ended).toBe(false);
    await call('PUT', '/api/first-hour', { has_seen_mails: true });
    expect((await view()).steps.find(({ name }) => name === 'mails')?.is_done).toBe(true);
    const events = (await eventsOf(accountId)).filter(({ action }) => action === 'first-hour.decided');
    expect(events.map(({ after }) => after)).toEqual(['{"ended":true}', '{"ended":false}', '{"mails":true}']);
  });

  it('rejects a body without a decision', async () => {
    const { call } = callsOf(await makeClinic());
    expect((await call('PUT', '/api/first-hour', {})).status).toBe(422);
    expect((await call('PUT', '/api/first-hour', { is_ended: 'yes' })).status).toBe(422);
  });
});
