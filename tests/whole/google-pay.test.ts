import { afterEach, describe, expect, it } from 'vitest';
import { receiptPath } from '#shared/paths';
import { useProduct } from '#tests/support/product/product';
import { ask } from './answers.ts';
import { expectPaidOnce, readBookings, sql } from './expect-money.ts';
import { payerOf, textOfHtml } from './payer.ts';

const product = useProduct();
const { pay, read } = payerOf(product);
const GOOGLE = 'https://pay.google.com';

const accept = (wallets: { apple?: boolean; google?: boolean }) =>
  sql(
    product,
    'UPDATE accounts SET takes_apple_pay = ?, apple_pay_host = ?, takes_google_pay = ?',
    wallets.apple ? 1 : 0,
    wallets.apple ? new URL(product.appUrl).hostname : '',
    wallets.google ? 1 : 0,
  );
afterEach(() => accept({}));

describe('Google Pay', () => {
  it('charges once without an address, and the receipt names the wallet', async () => {
    await accept({ google: true });
    const payLink = await product.makeLink();
    const { address: _, address2: _2, city: _3, state: _4, zip: _5, ...form } = await product.form();
    const answer = await pay(payLink.payId, { ...form, wallet: 'google', amountShown: '184.00' });
    expect(answer.status).toBe(200);
    await expectPaidOnce(product, payLink, '184.00');
    const { attempts } = await readBookings(product, payLink);
    expect(attempts).toMatchObject([{ wallet: 'google', method: 'card', payer_address: '' }]);
    const receipt = await read(receiptPath(String(attempts[0]?.receipt_id)));
    expect(textOfHtml(receipt.text)).toMatch(/Google Pay/);
  });

  it('alone permits Google’s script, frames and calls, and its sheet, on the pay pages of the business', async () => {
    const { payId } = await product.makeLink();
    const { sandboxUrl } = product;
    const pageOf = async (path = `/make/payment/${payId}`) => {
      const { headers, text } = await ask(product.appUrl, path);
      const policy = headers.get('content-security-policy') ?? '';
      const directives = policy.split('; ').filter((directive) => directive.includes(GOOGLE));
      return {
        directives: directives.map((directive) => directive.split(' ')[0]).sort(),
        permission: /payment=\([^)]*\)/.exec(headers.get('permissions-policy') ?? '')?.[0],
        hasButton: /<div id="?google-pay-button/.test(text),
        hasOptions: text.includes('enableGooglePay'),
      };
    };
    const without = { directives: [], permission: 'payment=()', hasButton: false, hasOptions: false };
    expect(await pageOf()).toEqual(without);
    await accept({ apple: true });
    expect(await pageOf()).toEqual({ ...without, permission: `payment=(self "${sandboxUrl}")` });
    await accept({ google: true });
    expect(await pageOf()).toEqual({
      directives: ['connect-src', 'frame-src', 'script-src'],
      permission: `payment=(self "${sandboxUrl}" "${GOOGLE}")`,
      hasButton: true,
      hasOptions: true,
    });
    expect(await pageOf('/make/payment/none')).toEqual(without);
    expect(await pageOf('/login')).toEqual(without);
  });
});
