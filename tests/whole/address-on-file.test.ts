import { describe, expect, it } from 'vitest';
import { until, useProduct } from '#tests/support/product/product';
import { expectRefused } from './answers.ts';
import { booked, expectNoMoney, expectPaidOnce } from './books.ts';
import { payerOf, words } from './payer.ts';

const product = useProduct();
const { pay, read, statusOf } = payerOf(product);

const HOME = { address: '418 Maple Street', city: 'Indianapolis', state: 'IN', zip: '46204' };
const HOME_SHOWS = /418 Maple|46204/;
const link = async (home: Partial<typeof HOME> = {}, more: { amount?: string } = {}) => {
  const email = `${crypto.randomUUID().slice(0, 8)}@payer.example`;
  const contact = { firstname: 'Ivy', lastname: 'Whitfield', email, ...HOME, ...home };
  return { ...(await product.makeLink({ contact, ...more })), email };
};
/** A payment by the address on file: the body has none of the address fields, or those of `more`. */
const onFile = async (more: Record<string, unknown> = {}) => {
  const { address: _, address2: _2, city: _3, state: _4, zip: _5, ...rest } = await product.form();
  return { ...rest, firstName: 'Daniel', lastName: 'Whitfield', addressOnFile: true, ...more };
};

describe('the address on file', () => {
  it.each(['address', 'address2', 'city', 'state', 'zip'])(
    'is refused beside %s before anything is claimed or charged',
    async (field) => {
      const known = await link();
      const answer = await pay(known.payId, await onFile({ [field]: '46032' }));
      const { error } = expectRefused(answer, 422, 'Send an address or the one on file, not both.');
      expect(error?.fields).toEqual(['addressOnFile']);
      expect((await booked(product, known)).attempts).toEqual([]);
      await expectNoMoney(product, known);
    },
  );

  it('is refused with its missing fields, and the next call pays with an address of its own', async () => {
    const known = await link({ city: '', zip: ' ' });
    const { error } = expectRefused(await pay(known.payId, await onFile()), 422);
    expect(error).toMatchObject({ message: 'Please fill in all required fields: City, Zip', fields: ['city', 'zip'] });
    expect((await booked(product, known)).attempts).toEqual([]);
    await expectNoMoney(product, known);
    expect((await pay(known.payId, await product.form())).status).toBe(200);
    await expectPaidOnce(product, known, '184.00');
  });

  it('pays without appearing on any page or mail, and the receipt names both payer and billed person', async () => {
    const known = await link();
    const before = await Promise.all([read(`/make/payment/${known.payId}`), read(`/api/invoices/${known.payId}`)]);
    const paid = await pay(known.payId, await onFile());
    expect(paid.status).toBe(200);
    expect((await booked(product, known)).attempts).toMatchObject([{ payer_address: HOME.address }]);
    const receipt = await read(paid.reply.receiptUrl ?? '');
    const [mail] = await until(
      () => product.mailTo(known.email),
      (mails) => mails.length > 0,
    );
    const told = [mail?.text ?? '', mail?.html ?? '', receipt.text];
    for (const text of told) expect(words(text)).toMatch(/Billed to:? Ivy Whitfield .*Paid by:? Daniel Whitfield/);
    const said = [...before, paid, receipt].map(({ text }) => text);
    const status = JSON.stringify(await statusOf(known.payId));
    for (const text of [...said, ...told, status]) expect(text).not.toMatch(HOME_SHOWS);
    expect(words(before[0].text)).toMatch(/billed to Ivy Whitfield/);
  });
});

describe('a failed card check', () => {
  it('appears to the payer as a plain decline, in the answer and in the status', async () => {
    // The gateway declines this amount over the security code, in its own words.
    const known = await link({}, { amount: '0.48' });
    const answer = await pay(known.payId, await onFile());
    const error = { 'error-message': 'Your card was declined.', 'result-code': '023' };
    expect(answer.status).toBe(402);
    expect(answer.reply.payload).toMatchObject({ payloadType: 'error', error });
    const status = await statusOf(known.payId);
    expect(status).toMatchObject({ state: 'declined', error });
    for (const text of [answer.text, JSON.stringify(status)]) expect(text).not.toMatch(/security code|\b021\b/i);
  });
});
