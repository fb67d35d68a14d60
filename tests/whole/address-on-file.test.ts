import { describe, expect, it } from 'vitest';
import { until, useProduct } from '#tests/support/product/product';
import { expectRefused } from './answers.ts';
import { expectNoMoney, expectPaidOnce, readBookings } from './expect-money.ts';
import { payerOf, textOfHtml } from './payer.ts';

const product = useProduct();
const { pay, read, statusOf } = payerOf(product);

const HOME = { address: '418 Maple Street', city: 'Indianapolis', state: 'IN', zip: '46204' };
const HOME_TEXT = /418 Maple|46204/;
const makeLink = async (home: Partial<typeof HOME> = {}, fields: { amount?: string } = {}) => {
  const email = `${crypto.randomUUID().slice(0, 8)}@payer.example`;
  const contact = { firstname: 'Ivy', lastname: 'Whitfield', email, ...HOME, ...home };
  return { ...(await product.makeLink({ contact, ...fields })), email };
};
/** A payment with the address on file: the body has no address fields, except those of `fields`. */
const onFile = async (fields: Record<string, unknown> = {}) => {
  const { address: _, address2: _2, city: _3, state: _4, zip: _5, ...rest } = await product.form();
  return { ...rest, firstName: 'Daniel', lastName: 'Whitfield', addressOnFile: true, ...fields };
};

describe('the address on file', () => {
  it.each(['address', 'address2', 'city', 'state', 'zip'])(
    'is refused together with %s before anything is claimed or charged',
    async (field) => {
      const payLink = await makeLink();
      const answer = await pay(payLink.payId, await onFile({ [field]: '46032' }));
      const { error } = expectRefused(answer, 422, 'Send an address or the one on file, not both.');
      expect(error?.fields).toEqual(['addressOnFile']);
      expect((await readBookings(product, payLink)).attempts).toEqual([]);
      await expectNoMoney(product, payLink);
    },
  );

  it('is refused with its missing fields, and the next call pays with a full address', async () => {
    const payLink = await makeLink({ city: '', zip: ' ' });
    const { error } = expectRefused(await pay(payLink.payId, await onFile()), 422);
    expect(error).toMatchObject({ message: 'Please fill in all required fields: City, Zip', fields: ['city', 'zip'] });
    expect((await readBookings(product, payLink)).attempts).toEqual([]);
    await expectNoMoney(product, payLink);
    expect((await pay(payLink.payId, await product.form())).status).toBe(200);
    await expectPaidOnce(product, payLink, '184.00');
  });

  it('pays without appearing on any page or mail, and the receipt names both payer and billed person', async () => {
    const payLink = await makeLink();
    const unpaidPages = await Promise.all([
      read(`/make/payment/${payLink.payId}`),
      read(`/api/invoices/${payLink.payId}`),
    ]);
    const paid = await pay(payLink.payId, await onFile());
    expect(paid.status).toBe(200);
    expect((await readBookings(product, payLink)).attempts).toMatchObject([{ payer_address: HOME.address }]);
    const receipt = await read(paid.reply.receiptUrl ?? '');
    const [mail] = await until(
      () => product.mailTo(payLink.email),
      (mails) => mails.length > 0,
    );
    const mails = [mail?.text ?? '', mail?.html ?? '', receipt.text];
    for (const text of mails)
      expect(textOfHtml(text)).toMatch(/Billed to:? Ivy Whitfield .*Paid by:? Daniel Whitfield/);
    const pages = [...unpaidPages, paid, receipt].map(({ text }) => text);
    const status = JSON.stringify(await statusOf(payLink.payId));
    for (const text of [...pages, ...mails, status]) expect(text).not.toMatch(HOME_TEXT);
    expect(textOfHtml(unpaidPages[0].text)).toMatch(/billed to Ivy Whitfield/);
  });
});

describe('a failed card check', () => {
  it('appears to the payer as a plain decline, in the answer and in the status', async () => {
    // The gateway declines this amount over the security code, in its own words.
    const payLink = await makeLink({}, { amount: '0.48' });
    const answer = await pay(payLink.payId, await onFile());
    const error = { 'error-message': 'Your card was declined.', 'result-code': '023' };
    expect(answer.status).toBe(402);
    expect(answer.reply.payload).toMatchObject({ payloadType: 'error', error });
    const status = await statusOf(payLink.payId);
    expect(status).toMatchObject({ state: 'declined', error });
    for (const text of [answer.text, JSON.stringify(status)]) expect(text).not.toMatch(/security code|\b021\b/i);
  });
});
