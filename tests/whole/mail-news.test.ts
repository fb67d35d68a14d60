import { beforeAll, describe, expect, it } from 'vitest';
import { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { bearer } from '#tests/support/consent';
import { mailEventBody, signedHeaders } from '#tests/support/mail-news';
import { until, useProduct } from '#tests/support/product/product';
import { ask, expectError } from './answers.ts';
import { logIn } from './merchant.ts';

const product = useProduct();
const { appUrl } = product;
let token = '';
beforeAll(async () => {
  ({ token } = await logIn(appUrl, 0));
});

const mailLink = (id: string) =>
  ask(appUrl, `/api/invoices/sendPaymentLink/${id}`, { method: 'POST', headers: bearer(token) });
const preview = async (id: string) =>
  InvoicePreviewReply.parse(JSON.parse((await ask(appUrl, `/api/invoices/${id}`, { headers: bearer(token) })).text));
const poll = (id: string, isDone: (invoice: InvoicePreviewReply) => boolean) => until(() => preview(id), isDone);
/** Makes the mail service report an event of a mail; returns the product's response to each try. */
const reportEvent = (id: string, event: string, options: object = {}) =>
  product.sandbox<{ event: string; attempts: { outcome: string }[] }[]>('mail', { id, do: event, ...options });

async function mailPayLink(local = '') {
  const contact = {
    firstname: 'Marta',
    lastname: 'Núñez',
    email: `${local}${crypto.randomUUID().slice(0, 8)}@payer.example`,
  };
  const bill = await product.makeInvoice({ contact });
  expect((await mailLink(bill.invoiceId)).status).toBe(200);
  const [mail] = await product.mailTo(contact.email);
  return { ...bill, email: contact.email, mailId: mail?.id ?? '' };
}
const outcomes = (events: { attempts: { outcome: string }[] }[]) =>
  events.flatMap(({ attempts }) => attempts.slice(0, 1).map(({ outcome }) => outcome));

describe('events from the mail service', () => {
  it('update the invoice from accepted to delivered, and mark a bounced address', async () => {
    const { invoiceId, mailId } = await mailPayLink('silent+');
    expect(await preview(invoiceId)).toMatchObject({ mailed: 'pay-link', delivery: 'accepted', bad_address: null });
    expect(outcomes(await reportEvent(mailId, 'delivered'))).toEqual(['200']);
    expect(await preview(invoiceId)).toMatchObject({ delivery: 'delivered' });
    await reportEvent(mailId, 'bounced');
    expect(await preview(invoiceId)).toMatchObject({ delivery: 'bounced', bad_address: 'bounced' });
  });

  it.each([
    ['bounced+', 'bounced', 'bounced'],
    ['complained+', 'complained', 'complained'],
    ['suppressed+', 'suppressed', 'suppressed'],
    ['delayed+', 'delivered', null],
  ] as const)('arrive on their own, signed, for mail to %s…', async (local, delivery, bad_address) => {
    const { invoiceId } = await mailPayLink(local);
    expect(await poll(invoiceId, (invoice) => invoice.delivery === delivery)).toMatchObject({ delivery, bad_address });
  });

  it('report any other mail as delivered', async () => {
    const { invoiceId } = await mailPayLink();
    await poll(invoiceId, ({ delivery }) => delivery === 'delivered');
  });

  it('count once, in any order', async () => {
    const { invoiceId, mailId } = await mailPayLink('silent+');
    const at = (n: number) => new Date(Date.now() + n * 1000).toISOString();
    await reportEvent(mailId, 'complained', { at: at(3) });
    await reportEvent(mailId, 'bounced', { at: at(2), times: 3 });
    await reportEvent(mailId, 'delivered', { at: at(1) });
    expect(await preview(invoiceId)).toMatchObject({ delivery: 'complained', bad_address: 'complained' });
  });

  it('change nothing when forged or old', async () => {
    const { invoiceId, mailId } = await mailPayLink('silent+');
    for (const override of [{ forged: true }, { age_s: 301 }, { age_s: -330 }])
      expect(outcomes(await reportEvent(mailId, 'bounced', override)).at(-1)).toBe('401');
    expect(await preview(invoiceId)).toMatchObject({ delivery: 'accepted', bad_address: null });
  });

  it('are refused when unsigned, too large or unreadable, and accepted for unknown mails', async () => {
    const post = (body: string, headers: Record<string, string>) =>
      ask(appUrl, '/api/webhooks/mail', { method: 'POST', body, headers });
    expectError(await post('{}', {}), 401, 'The signature is not valid.');
    const long = 'x'.repeat(64_001);
    expectError(await post(long, signedHeaders(long)), 413, 'The request is too large.');
    expectError(await post('nothing', signedHeaders('nothing')), 400, 'The request could not be read.');
    for (const clinic of [0, 1, 99_999_999]) {
      const body = mailEventBody({ type: 'email.bounced', mail: 'nobody', clinic });
      expect((await post(body, signedHeaders(body))).status).toBe(200);
    }
  });
});
