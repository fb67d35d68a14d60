import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { domainAssociationPath, receiptPath } from '#shared/paths';
import { until, useProduct } from '#tests/support/product/product';
import { ask, expectGuarded, expectRefused } from './answers.ts';
import { expectNoMoney, expectPaidOnce, readBookings, sql } from './expect-money.ts';
import { payerOf, textOfHtml } from './payer.ts';

const product = useProduct();
const { pay, read, statusOf } = payerOf(product);

/** Accepts Apple Pay, with the host registered, or does not. */
const accept = (isOn: boolean) =>
  sql(
    product,
    'UPDATE accounts SET takes_apple_pay = ?, apple_pay_host = ?',
    isOn ? 1 : 0,
    isOn ? new URL(product.appUrl).hostname : '',
  );
const walletForm = async (fields: Record<string, unknown> = {}) => {
  const { address: _, address2: _2, city: _3, state: _4, zip: _5, ...rest } = await product.form();
  return { ...rest, wallet: 'apple', amountShown: '184.00', ...fields };
};

describe('a payment with Apple Pay', () => {
  beforeAll(() => accept(true));
  afterAll(() => accept(false));

  it('charges once without an address, and receipt and email name the wallet with its card', async () => {
    const payLink = await product.makeLink();
    const form = await walletForm({ attemptId: crypto.randomUUID() });
    const [first, second] = await Promise.all([pay(payLink.payId, form), pay(payLink.payId, form)]);
    expect([first.status, second.status]).toContain(200);
    await expectPaidOnce(product, payLink, '184.00');
    const { attempts } = await readBookings(product, payLink);
    expect(attempts).toMatchObject([
      { wallet: 'apple', method: 'card', payer_address: '', avs_result: 'Y', csc_result: 'M' },
    ]);
    const receipt = await read(receiptPath(String(attempts[0]?.receipt_id)));
    expect(textOfHtml(receipt.text)).toMatch(/Apple Pay/);
    const [mail] = await until(
      () => product.mailTo(payLink.email),
      (mails) => mails.length > 0,
    );
    expect(mail?.text).toMatch(/Apple Pay/);
  });

  it('charges nothing if the amount due is no longer the one on the sheet', async () => {
    const payLink = await product.makeLink();
    const answer = await pay(payLink.payId, await walletForm({ amountShown: '180.00' }));
    expectRefused(answer, 409, 'The amount due has changed. Please reload the page.');
    expect((await readBookings(product, payLink)).attempts).toEqual([]);
    await expectNoMoney(product, payLink);
  });

  it('waits for its outcome after a lost answer, as a card does', async () => {
    const payLink = await product.makeLink();
    const form = await walletForm({ attemptId: crypto.randomUUID() });
    await product.withAlarmsHeld(async () => {
      await product.fault('/rest/v2/mobile/transactions/sale', 'drop-after');
      const answer = await pay(payLink.payId, form);
      expect(answer).toMatchObject({ status: 202, reply: { status: 'pending' } });
    });
    await until(
      () => statusOf(payLink.payId),
      ({ state }) => state === 'paid',
    );
    await expectPaidOnce(product, payLink, '184.00');
  });

  it('lets only a page that offers it open the sheet', async () => {
    const { payId } = await product.makeLink();
    const policyOf = async (path: string) => (await ask(product.appUrl, path)).headers.get('permissions-policy');
    const offered = await read(`/make/payment/${payId}`);
    expect(offered.headers.get('permissions-policy')).toContain(`payment=(self "${product.sandboxUrl}")`);
    expect(offered.text).toContain('Wallets');
    expect(await policyOf('/make/payment/none')).toContain('payment=()');
    expect(await policyOf('/login')).toContain('payment=()');
    await accept(false);
    const other = await read(`/make/payment/${payId}`);
    await accept(true);
    expect(other.headers.get('permissions-policy')).toContain('payment=()');
    expect(other.text).not.toContain('Wallets');
  });
});

describe('without Apple Pay', () => {
  it('a payment with a wallet is refused before anything is claimed or charged', async () => {
    const payLink = await product.makeLink();
    const answer = await pay(payLink.payId, await walletForm());
    expectRefused(answer, 422, 'Apple Pay is no longer accepted here. Please enter your card details.');
    expect((await readBookings(product, payLink)).attempts).toEqual([]);
    await expectNoMoney(product, payLink);
  });
});

describe('the file by which Apple recognises the pay pages', () => {
  it('is missing with a plain sentence until the operator stores it', async () => {
    const missing = await ask(product.appUrl, domainAssociationPath);
    expect([missing.status, missing.text]).toEqual([404, 'There is no file for Apple Pay here.']);
    expectGuarded(missing);
  });
});
