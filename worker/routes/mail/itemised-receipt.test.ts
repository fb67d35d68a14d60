import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { bearer } from '#tests/support/consent';
import { readMailsTo, sendInvoiceMail } from '#tests/support/invoice-mails';
import type { TestApp } from '#tests/support/login';
import { makeBill, makeClinic, payBill, payIdOf } from '#tests/support/unit/clinic';
import { eventsOf } from '#tests/support/unit/trail';
import { clearFaults, control } from '#tests/support/wire';
import { runSchedule } from '#worker/domain/run-schedule';

afterEach(() => clearFaults());

const ITEMS = [
  { name: 'Root canal', price: '100.00', quantity: '1' },
  { name: 'Local anaesthetic', price: '28.00', quantity: '3' },
];

type ReplyBody = { status?: string; to?: string; sent_at?: string; error?: { code: string; message: string } };
const requestReceipt = async (app: TestApp, token: string, id: string, requestId: unknown = crypto.randomUUID()) => {
  const answer = await app.request(`/api/invoices/${id}/itemised-receipt`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify({ requestId }),
  });
  await app.settled();
  return { status: answer.status, body: (await answer.json()) as ReplyBody };
};
const refusalOf = ({ status, body }: Awaited<ReturnType<typeof requestReceipt>>) => [status, body.error?.message];

async function makePaidBill(line_items: unknown[] = ITEMS) {
  const clinic = await makeClinic();
  const bill = await makeBill({ line_items });
  const payId = await payIdOf(clinic.app, clinic.token, bill.id);
  expect(await payBill(clinic.app, payId)).toBe(200);
  return { ...clinic, ...bill, payId };
}

describe('an itemized receipt', () => {
  it('shows the invoice lines when staff send it, even if the account hides them from payers', async () => {
    const { app, token, id, email, payId } = await makePaidBill();
    const [original] = await readMailsTo(email);
    expect(original?.text).not.toContain('Root canal');
    const answer = await requestReceipt(app, token, id);
    expect(answer).toEqual({ status: 200, body: { status: 'sent', to: email, sent_at: expect.any(String) } });
    const [, itemised, ...otherMails] = await readMailsTo(email);
    expect(otherMails).toEqual([]);
    expect(itemised?.subject).toBe(original?.subject);
    expect(itemised?.text).toContain('Root canal: $100.00\nLocal anaesthetic x 3: $84.00\nTotal: $184.00');
    expect(itemised?.html).toContain('Root canal');
    // Only the email contains the lines. The payer's pages and the rows of the invoice and the payment do not.
    for (const path of [`/api/invoices/${payId}`, `/make/payment/${payId}`])
      expect(await (await app.request(path)).text()).not.toContain('Root canal');
    for (const table of ['invoices', 'payment_attempts'])
      expect(await env.DB.prepare(`SELECT bill_lines FROM ${table} WHERE bill_lines <> ''`).first()).toBeNull();
  });

  it('is recorded in the audit trail and counted as an email of the day', async () => {
    const { app, token, id } = await makePaidBill();
    const countMails = async () =>
      (await env.DB.prepare('SELECT sum(mails) AS n FROM mail_days').first<number>('n')) ?? 0;
    const previousCount = await countMails();
    await requestReceipt(app, token, id);
    expect((await countMails()) - previousCount).toBe(1);
    const row = await env.DB.prepare('SELECT account_id AS hub FROM invoices WHERE invoice_id = ?')
      .bind(id)
      .first('hub');
    const events = (await eventsOf(Number(row))).filter(({ action }) => action === 'mail.asked-for');
    expect(events).toHaveLength(1);
    expect(JSON.parse(events[0]?.after ?? '{}')).toMatchObject({ kind: 'receipt', withItems: true });
    expect(events[0]).toMatchObject({ subjectKind: 'invoice', subjectId: id });
  });

  it('is sent once per request id, and a second request is rate limited like any email', async () => {
    const { app, token, id, email, clock } = await makePaidBill();
    const requestId = crypto.randomUUID();
    const first = await requestReceipt(app, token, id, requestId);
    expect(await requestReceipt(app, token, id, requestId)).toEqual(first);
    expect(refusalOf(await requestReceipt(app, token, id))).toEqual([
      429,
      'Not sent again: the last email was sent less than a minute ago. Try again in a minute.',
    ]);
    clock.now += 60_000;
    expect(await requestReceipt(app, token, id, requestId)).toEqual(first);
    expect(await readMailsTo(email)).toHaveLength(2);
    expect((await requestReceipt(app, token, id)).status).toBe(200);
    expect(await readMailsTo(email)).toHaveLength(3);
  });

  it('is also sent for a payment recorded in the CRM by the clinic', async () => {
    const { app, token } = await makeClinic();
    const { id, email } = await makeBill({ status: 'paid', line_items: ITEMS });
    expect((await requestReceipt(app, token, id)).status).toBe(200);
    const [sentMail] = await readMailsTo(email);
    expect(sentMail?.text).toContain('recorded by the clinic\nRoot canal: $100.00');
  });

  it('is retried once the mail service is back, and a later plain receipt has no items', async () => {
    const { app, token, id, email, clock } = await makePaidBill();
    await control('faults', { on: 'mail', do: '500' });
    expect((await requestReceipt(app, token, id)).status).toBe(202);
    await clearFaults();
    clock.now += 60_000;
    await runSchedule(app.deps);
    expect((await sendInvoiceMail(app, token, 'sendPaymentSuccessEmail', id)).status).toBe(200);
    const hasItems = (await readMailsTo(email)).map(({ text }) => text.includes('Root canal'));
    expect(hasItems).toEqual([false, true, false]);
  });

  it('is refused without a payment, without lines or when the CRM does not return them', async () => {
    const { app, token, id, email } = await makePaidBill();
    const openBill = await makeBill();
    expect(refusalOf(await requestReceipt(app, token, openBill.id))).toEqual([
      409,
      'This invoice has not been paid yet.',
    ]);
    const billWithoutLines = await makeBill({ status: 'paid', line_items: [] });
    expect(refusalOf(await requestReceipt(app, token, billWithoutLines.id))).toEqual([
      409,
      'This invoice has no items in HubSpot.',
    ]);
    expect((await requestReceipt(app, token, id, 'again')).status).toBe(422);
    await control('faults', { on: '/crm/objects/2026-09/line_items', do: '500', times: 50 });
    expect(refusalOf(await requestReceipt(app, token, id))).toEqual([
      503,
      'HubSpot is not answering. No email was sent.',
    ]);
    expect(await readMailsTo(email)).toHaveLength(1);
  });
});
