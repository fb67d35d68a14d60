import { describe, expect, it } from 'vitest';
import { operator } from '#shared/operator';
import { picture, settle, useBrowser } from '#tests/support/browser/browser';
import { until, useProduct } from '#tests/support/product/product';
import { listenTo, parseLog } from '#tests/support/product/product-log';
import { phone, useMerchant, waitForShortcuts } from './merchant.ts';
import { expectGood, REFUSED } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

/** Waits for the log line of the request that a code identifies. */
const lineOf = (log: ReturnType<typeof listenTo>, code: string) =>
  until(
    async () =>
      parseLog(await log.lines()).find(
        ({ event, requestId }) => event === 'request' && `${requestId}`.startsWith(code),
      ),
    (line) => line !== undefined,
  );

describe('help', { timeout: 120_000 }, () => {
  it.each([
    ['a desk', {}],
    ['a phone', phone],
  ])(
    'opens over the screen, shows the contacts, and makes a code that finds the clinic in the log: %s',
    async (device, view) => {
      const log = listenTo(product);
      const page = await merchantPage(view);
      await page.goto(`${product.appUrl}/invoices?status=paid`);
      await page.getByRole('heading', { name: 'Invoices', level: 1 }).waitFor();
      await waitForShortcuts(page);
      if (device === 'a phone') await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'Help', exact: true }).click();
      const help = page.getByRole('dialog', { name: 'Help' });
      await help.getByRole('heading', { name: 'Questions on Invoices' }).waitFor();
      await help.getByText('How long does a payment link work?').first().waitFor();
      await help.getByText(/^All \d+ questions$/).waitFor();
      await help.getByText('Still having issues? Contact support.').waitFor();
      await help.getByRole('link', { name: operator.supportPhone }).waitFor();
      await help.getByRole('link', { name: operator.supportEmail }).waitFor();
      await help.getByText(/^Tell support the code IN-\w+, which names this page/).waitFor();
      await help.getByRole('button', { name: 'Make a code' }).click();
      const sentence = await help.getByText(/^Your code is/).innerText();
      await expectGood(page, `help-${device === 'a phone' ? 'phone' : 'desk'}`);
      const { x, width } = (await help.boundingBox()) ?? { x: 0, width: 0 };
      expect([x, width]).toEqual(device === 'a phone' ? [0, 390] : [1280 - 408, 408]);
      const code = /[0-9a-f]{8}/.exec(sentence)?.[0] ?? '';
      expect(await lineOf(log, code)).toMatchObject({ route: '/api/token/get-merchant', status: 200, clinic: 1 });
      await page.keyboard.press('Escape');
      await help.waitFor({ state: 'detached' });
      expect(page.url()).toBe(`${product.appUrl}/invoices?status=paid`);
    },
  );

  it('has its own page, which is used when opened by its address or in another tab', async () => {
    const page = await merchantPage({ theme: 'dark' });
    await page.goto(`${product.appUrl}/help?of=/payments`);
    await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Questions on Take Payment', level: 2 }).waitFor();
    await page.getByText(/^Tell support the code TP-\w+, which names this page/).waitFor();
    await expectGood(page, 'help-page-dark');
    await waitForShortcuts(page);
    await page.getByRole('link', { name: 'Help', exact: true }).click();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.goto(`${product.appUrl}/openInvoices`);
    await page.getByRole('heading', { name: 'Open Invoices', level: 2 }).waitFor();
    await waitForShortcuts(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Help' }).waitFor();
    await settle(page);
    await picture(page, 'help-drawer-dark');
  });

  it('shows the request code in an error, so that the log line can be found', async () => {
    const log = listenTo(product);
    const { number } = await product.makeLink();
    const page = await merchantPage({ expected: REFUSED });
    await page.goto(`${product.appUrl}/openInvoices?q=${number}`);
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: number, exact: true }) });
    await row.getByRole('button', { name: 'Email Payment Link' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Payment link sent', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Email Payment Link' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    const sentence = await page.getByText(/Try again in a minute\. \([0-9a-f]{8}\)$/).innerText();
    const code = /\(([0-9a-f]{8})\)$/.exec(sentence)?.[1] ?? '';
    expect(await lineOf(log, code)).toMatchObject({ route: '/api/invoices/sendPaymentLink/:id', status: 429 });
  });
});
