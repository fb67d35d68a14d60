import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { readMailsTo, refusalOf, sendInvoiceMail } from '#tests/support/invoice-mails';
import { makeBill, makeClinic, payBill, payIdOf } from '#tests/support/unit/clinic';
import { clearFaults, control } from '#tests/support/wire';
import { runSchedule } from '#worker/domain/run-schedule';

afterEach(() => clearFaults());

describe('the rate limit for invoice emails', () => {
  it('allows one email a minute', async () => {
    const { app, token, clock } = await makeClinic();
    const { id, email } = await makeBill();
    expect((await sendInvoiceMail(app, token, 'sendPaymentLink', id)).status).toBe(200);
    clock.now += 20_500;
    const second = await sendInvoiceMail(app, token, 'sendPaymentLink', id);
    expect([...refusalOf(second), second.retryAfter]).toEqual([
      429,
      'Not sent again: the last email was sent less than a minute ago. Try again in a minute.',
      '40',
    ]);
    clock.now += 40_000;
    expect((await sendInvoiceMail(app, token, 'sendPaymentLink', id)).status).toBe(200);
    expect(await readMailsTo(email)).toHaveLength(2);
  });

  it('allows five emails a day, pay links and receipts together', async () => {
    const { app, token, clock } = await makeClinic();
    const { id, email } = await makeBill();
    for (let n = 0; n < 4; n++) {
      expect((await sendInvoiceMail(app, token, 'sendPaymentLink', id)).status).toBe(200);
      clock.now += 60_000;
    }
    expect(await payBill(app, await payIdOf(app, token, id))).toBe(200);
    expect((await sendInvoiceMail(app, token, 'sendPaymentSuccessEmail', id)).status).toBe(200);
    clock.now += 60_000;
    const sixth = await sendInvoiceMail(app, token, 'sendPaymentSuccessEmail', id);
    expect(refusalOf(sixth)).toEqual([429, 'No more emails can be sent for this invoice today.']);
    expect(Number(sixth.retryAfter)).toBe(86_400 - 5 * 60);
    // Five requested emails, and the receipt that the payment itself caused.
    expect(await readMailsTo(email)).toHaveLength(6);
    clock.now += Number(sixth.retryAfter) * 1000;
    expect((await sendInvoiceMail(app, token, 'sendPaymentSuccessEmail', id)).status).toBe(200);
  });

  it.each([
    ['one email', {}, 1],
    ['five emails, without a pause between them', { MAIL_PAUSE_MS: '0' }, 5],
  ])('limits a hundred concurrent clicks to %s', async (_case, settings, max) => {
    const { app, token } = await makeClinic(settings);
    const { id, email } = await makeBill();
    const clicks = await Promise.all(
      Array.from({ length: 100 }, () => sendInvoiceMail(app, token, 'sendPaymentLink', id)),
    );
    expect(clicks.filter(({ status }) => status === 200)).toHaveLength(max);
    expect(clicks.filter(({ status }) => status === 429)).toHaveLength(100 - max);
    expect(await readMailsTo(email)).toHaveLength(max);
  });
});

describe('an invoice email during an outage', () => {
  it('is queued while the mail service is down and arrives once after recovery', async () => {
    const { app, token, clock } = await makeClinic();
    const { id, email } = await makeBill();
    await control('faults', { on: 'mail', do: 'drop-after' });
    const queuedAnswer = await sendInvoiceMail(app, token, 'sendPaymentLink', id);
    expect(queuedAnswer).toMatchObject({ status: 202, body: { status: 'queued', to: email } });
    clock.now += 30_000;
    await runSchedule(app.deps);
    expect(await readMailsTo(email)).toHaveLength(1);
    expect(await env.DB.prepare('SELECT state, tries FROM outbox').first()).toEqual({ state: 'sent', tries: 2 });
  });

  it('is not sent while the CRM cannot return the recipient', async () => {
    const { app, token } = await makeClinic();
    const { id, email } = await makeBill();
    await payIdOf(app, token, id);
    await control('faults', { on: 'crm', do: '500', times: 50 });
    const answer = await sendInvoiceMail(app, token, 'sendPaymentLink', id);
    expect(refusalOf(answer)).toEqual([503, 'HubSpot is not answering. No email was sent.']);
    expect(answer.retryAfter).toBe('30');
    await clearFaults();
    expect(await readMailsTo(email)).toEqual([]);
  });
});
