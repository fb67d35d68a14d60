import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { bearer } from '#tests/support/consent';
import { readMailsTo, refusalOf, sendInvoiceMail } from '#tests/support/invoice-mails';
import { logIn } from '#tests/support/login';
import { makeBill, makeBillOfOneAccount, makeClinic, payBill, payIdOf } from '#tests/support/unit/clinic';
import { clearFaults, control, sharedInvoiceIds, writeCrm } from '#tests/support/wire';
import { runSchedule } from '#worker/domain/run-schedule';

afterEach(() => clearFaults());

const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

describe('an emailed pay link', () => {
  it('shows business, amount, due date and how to check it in text and HTML, but no treatment', async () => {
    const { app, token } = await makeClinic();
    const { id, number, email } = await makeBill({
      line_items: [{ name: 'Root canal', price: '184.00', quantity: '1' }],
    });
    const answer = await sendInvoiceMail(app, token, 'sendPaymentLink', id);
    expect(answer).toEqual({
      status: 200,
      retryAfter: null,
      body: { status: 'sent', to: email, sent_at: expect.stringMatching(/^\d{4}-/) },
    });
    const [sentMail, ...otherMails] = await readMailsTo(email);
    expect(otherMails).toEqual([]);
    const address = `http://localhost:8787/make/payment/${await payIdOf(app, token, id)}`;
    for (const content of [sentMail?.text ?? '', textOf(sentMail?.html ?? '')]) {
      for (const part of [
        'Maple Street Dental',
        '(317) 555-0188',
        '$184.00 USD',
        number,
        'Dec 24, 2027',
        'Marta Núñez',
        address,
        'call Maple Street Dental at the number that you know',
        'localhost:8787',
      ]) {
        expect(content).toContain(part);
      }
      expect(content).not.toMatch(/Root canal|undefined|null|NaN/);
    }
    expect(sentMail?.html).toContain(`href="${address}"`);
    expect(sentMail?.subject).toBe(`Invoice ${number} from Maple Street Dental`);
    expect((await app.request(new URL(address).pathname)).status).toBe(200);
  });

  it('can be sent by pay id and extends the link’s validity', async () => {
    const { app, token, clock } = await makeClinic();
    const { id, email } = await makeBill({ due_date: '2020-01-01' });
    const payId = await payIdOf(app, token, id);
    clock.now += 5 * 86_400_000;
    expect((await sendInvoiceMail(app, token, 'sendPaymentLink', payId)).status).toBe(200);
    expect((await readMailsTo(email))[0]?.text).toContain(payId);
    const link = await env.DB.prepare('SELECT ends_at FROM pay_links WHERE pay_id = ?').bind(payId).first();
    expect(link).toEqual({ ends_at: clock.now + 30 * 86_400_000 });
  });

  it('goes to the CRM’s current recipient', async () => {
    const { app, token } = await makeClinic();
    const { id, email } = await makeBill();
    await payIdOf(app, token, id);
    const links = await writeCrm<{ results: { toObjectId: number }[] }>(
      'GET',
      `/crm/v4/objects/invoices/${id}/associations/contacts`,
    );
    await writeCrm('PATCH', `/crm/v3/objects/contacts/${links.results[0]?.toObjectId}`, {
      properties: { email: `new-${email}` },
    });
    expect((await sendInvoiceMail(app, token, 'sendPaymentLink', id)).body.to).toBe(`new-${email}`);
    expect(await readMailsTo(email)).toEqual([]);
  });

  it.each([
    ['paid', { status: 'paid' }, 'This invoice is already paid.'],
    ['voided', { status: 'voided' }, 'This invoice cannot be paid online.'],
    ['in another currency', { currency: 'EUR' }, 'Invoices in EUR cannot be paid online.'],
    [
      'without an amount',
      { balance: null },
      'The amount of this invoice in HubSpot cannot be read in whole cents. Correct it there. No email was sent.',
    ],
  ])('is not sent for an invoice that is %s', async (_case, fields, message) => {
    const { app, token } = await makeClinic();
    const { id, email } = await makeBill(fields);
    expect(refusalOf(await sendInvoiceMail(app, token, 'sendPaymentLink', id))).toEqual([409, message]);
    expect(await readMailsTo(email)).toEqual([]);
  });

  it('is dropped from the outbox once the invoice is paid', async () => {
    const { app, token, clock } = await makeClinic();
    const { id, email } = await makeBill();
    await control('faults', { on: 'mail', do: '500' });
    expect((await sendInvoiceMail(app, token, 'sendPaymentLink', id)).status).toBe(202);
    expect(await payBill(app, await payIdOf(app, token, id))).toBe(200);
    clock.now += 3_600_000;
    await runSchedule(app.deps);
    expect((await readMailsTo(email)).map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Receipt/)]);
  });
});

describe('an emailed receipt', () => {
  it('repeats the first receipt of a payment made here, without waiting for the pause', async () => {
    const { app, token } = await makeClinic();
    const { id, email } = await makeBill();
    const payId = await payIdOf(app, token, id);
    expect(await payBill(app, payId)).toBe(200);
    expect((await sendInvoiceMail(app, token, 'sendPaymentSuccessEmail', payId)).status).toBe(200);
    const [original, repeatedMail] = await readMailsTo(email);
    expect(repeatedMail).toMatchObject({ subject: original?.subject, text: original?.text, html: original?.html });
    expect(repeatedMail?.text).toContain('$184.00 USD');
  });

  it('shows number, amount, date and “recorded by the clinic” for a payment made only in the CRM', async () => {
    const { app, token } = await makeClinic();
    const { id, number, email } = await makeBill({
      status: 'paid',
      line_items: [{ name: 'Root canal', price: '184.00', quantity: '1' }],
      properties: { hs_payment_date: '2026-03-04T00:00:00.000Z' },
    });
    expect((await sendInvoiceMail(app, token, 'sendPaymentSuccessEmail', id)).status).toBe(200);
    const [sentMail] = await readMailsTo(email);
    for (const content of [sentMail?.text ?? '', textOf(sentMail?.html ?? '')]) {
      for (const part of ['Maple Street Dental', number, '$184.00 USD', 'Mar 4, 2026', 'recorded by the clinic'])
        expect(content).toContain(part);
      expect(content).not.toMatch(/Root canal|undefined|null|receipt\//);
    }
  });

  it('is not sent before a payment or while a bank payment is pending', async () => {
    const { app, token } = await makeClinic();
    const { id, email } = await makeBill();
    const unpaidRefusal = [409, 'This invoice has not been paid yet.'];
    expect(refusalOf(await sendInvoiceMail(app, token, 'sendPaymentSuccessEmail', id))).toEqual(unpaidRefusal);
    expect(await payBill(app, await payIdOf(app, token, id), 'ach')).toBe(202);
    expect(refusalOf(await sendInvoiceMail(app, token, 'sendPaymentSuccessEmail', id))).toEqual(unpaidRefusal);
    const link = refusalOf(await sendInvoiceMail(app, token, 'sendPaymentLink', id));
    expect(link).toEqual([409, 'A bank payment for this invoice is on its way.']);
    expect(await readMailsTo(email)).toEqual([]);
  });
});

describe('the recipient of an email', () => {
  it.each([
    ['no contact', { contact: null }, 'This customer has no email address in HubSpot.'],
    ['no address', { contact: { firstname: 'Otto' } }, 'This customer has no email address in HubSpot.'],
    [
      'two addresses in one',
      { contact: { email: 'a@payer.example, b@payer.example' } },
      'The email address of this customer in HubSpot is not valid.',
    ],
    [
      'a header after the address',
      { contact: { email: 'a@payer.example\r\nBcc: all@payer.example' } },
      'The email address of this customer in HubSpot is not valid.',
    ],
  ])('is rejected with %s', async (_case, fields, message) => {
    const { app, token } = await makeClinic();
    const { id } = await makeBill(fields);
    expect(refusalOf(await sendInvoiceMail(app, token, 'sendPaymentLink', id))).toEqual([422, message]);
    expect(await env.DB.prepare('SELECT * FROM outbox').first()).toBeNull();
    expect(await readMailsTo('all@payer.example')).toEqual([]);
  });

  it('never lets a name inject a header or an extra line', async () => {
    const { app, token } = await makeClinic();
    await env.DB.prepare('UPDATE accounts SET name = ?').bind('Maple\r\nBcc: all@payer.example').run();
    const tag = crypto.randomUUID().slice(0, 8);
    const { id } = await makeBill({
      number: `T-${tag}\r\nBcc: all@payer.example`,
      contact: { firstname: 'Marta\r\nAmount due: $0.01', lastname: '\u202e<b>', email: `${tag}@payer.example` },
    });
    expect((await sendInvoiceMail(app, token, 'sendPaymentLink', id)).status).toBe(200);
    const [sentMail] = await readMailsTo(`${tag}@payer.example`);
    expect(sentMail?.subject).not.toMatch(/[\r\n]/);
    expect(sentMail?.text).not.toMatch(/^(Bcc:|Amount due: \$0)|\u202e/m);
    expect(sentMail?.html).toContain('&lt;b&gt;');
    expect(await readMailsTo('all@payer.example')).toEqual([]);
  });
});

describe('a merchant requesting an email', () => {
  it('gets a 404 for another account’s invoice, by record id or pay id', async () => {
    const { app, token } = await makeClinic();
    const otherLogin = await logIn(app, 1);
    const { id, email } = await makeBillOfOneAccount();
    const payId = await payIdOf(app, token, id);
    for (const kind of ['sendPaymentLink', 'sendPaymentSuccessEmail'] as const) {
      for (const foreignId of [id, payId, 'nothing', '%2e%2e%2f', '1;2'])
        expect(refusalOf(await sendInvoiceMail(app, otherLogin.token, kind, foreignId))).toEqual([
          404,
          'No invoice found',
        ]);
      expect((await app.request(`/api/invoices/${kind}/${id}`, { method: 'POST' })).status).toBe(401);
    }
    expect(await readMailsTo(email)).toEqual([]);
  });

  it('emails their own customer when two accounts share a record id', async () => {
    const { app, token } = await makeClinic();
    const otherLogin = await logIn(app, 1);
    /** Sends the email that fits the state of this account's invoice, and returns the recipient. */
    const sendAndReadRecipient = async (staffToken: string, id: string) => {
      const link = await sendInvoiceMail(app, staffToken, 'sendPaymentLink', id);
      return (link.status === 200 ? link : await sendInvoiceMail(app, staffToken, 'sendPaymentSuccessEmail', id)).body
        .to;
    };
    let [ownRecipient, otherRecipient]: (string | undefined)[] = [];
    for (const id of await sharedInvoiceIds()) {
      if (ownRecipient && otherRecipient) break;
      await env.DB.prepare('DELETE FROM outbox').run();
      [ownRecipient, otherRecipient] = [
        await sendAndReadRecipient(token, id),
        await sendAndReadRecipient(otherLogin.token, id),
      ];
    }
    expect(ownRecipient).not.toBe(otherRecipient);
    const rows = await env.DB.prepare('SELECT account_id, recipient FROM outbox ORDER BY account_id').all();
    expect(rows.results).toEqual([
      { account_id: hubs[0].hubId, recipient: ownRecipient },
      { account_id: hubs[1].hubId, recipient: otherRecipient },
    ]);
  });

  it('needs the session’s refresh token in a browser', async () => {
    const { app, token } = await makeClinic();
    const { id, email } = await makeBill();
    const answer = await app.request(`/api/invoices/sendPaymentLink/${id}`, {
      method: 'POST',
      headers: { ...bearer(token), origin: 'http://localhost:8787' },
    });
    expect(answer.status).toBe(401);
    expect(await readMailsTo(email)).toEqual([]);
  });
});
