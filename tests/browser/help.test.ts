import { describe, expect, it } from 'vitest';
import { operator } from '#shared/operator';
import { useBrowser } from '#tests/support/browser/browser';
import { until, useProduct } from '#tests/support/product/product';
import { listenTo, parsed } from '#tests/support/product/product-log';
import { phone, useMerchant } from './merchant.ts';
import { expectGood, REFUSED } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

/** The line of the request that a code names. */
const lineOf = (log: ReturnType<typeof listenTo>, code: string) =>
  until(
    async () =>
      parsed(await log.lines()).find(({ event, requestId }) => event === 'request' && `${requestId}`.startsWith(code)),
    (line) => line !== undefined,
  );

describe('help', { timeout: 120_000 }, () => {
  it.each([
    ['a desk', {}],
    ['a phone', phone],
  ])(
    'is in the shell and names whom to ask; a code made there leads to the clinic in the log: %s',
    async (on, view) => {
      const log = listenTo(product);
      const page = await merchantPage(view);
      await page.goto(`${product.appUrl}/invoices`);
      if (on === 'a phone') await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'Help', exact: true }).click();
      await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
      await page.getByText('Still having issues? Contact support.').waitFor();
      await page.getByRole('link', { name: operator.supportPhone }).waitFor();
      await page.getByRole('link', { name: operator.supportEmail }).waitFor();
      await page.getByRole('button', { name: 'Make a code' }).click();
      const said = await page.getByText(/^Your code is/).innerText();
      await expectGood(page, `help-${on === 'a phone' ? 'phone' : 'desk'}`);
      const code = /[0-9a-f]{8}/.exec(said)?.[0] ?? '';
      expect(await lineOf(log, code)).toMatchObject({ route: '/api/token/get-merchant', status: 200, clinic: 1 });
    },
  );

  it('an error names the code of its request', async () => {
    const log = listenTo(product);
    const { number } = await product.makeLink();
    const page = await merchantPage({ expected: REFUSED });
    await page.goto(`${product.appUrl}/openInvoices?q=${number}`);
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: number, exact: true }) });
    await row.getByRole('button', { name: 'Email Payment Link' }).click();
    await page.getByText('Payment link sent', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Email Payment Link' }).click();
    const said = await page.getByText(/This e-mail was just sent\. \([0-9a-f]{8}\)$/).innerText();
    const code = /\(([0-9a-f]{8})\)$/.exec(said)?.[1] ?? '';
    expect(await lineOf(log, code)).toMatchObject({ route: '/api/invoices/sendPaymentLink/:id', status: 429 });
  });
});
