import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { useColleagues } from './colleagues.ts';
import { useMerchant, VIEWS } from './merchant.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
const { colleague, paidInvoice } = useColleagues(product, newPage);
const { appUrl } = product;

/** Somebody of this role on a page of theirs, with the calls that the Worker refused for their role. */
async function asRole(first: string, role: string, view: object = {}) {
  const { page, leave } = await colleague(first, role, { ...view, expected: /nothing/ });
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  return { page, refused, leave };
}

const only = (page: Page, words: string) =>
  page.getByText(new RegExp(`^Only .* of this account may ${words}\\.( Ask .+\\.)?$`));
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

describe('staff permissions', { timeout: 120_000 }, () => {
  it.each(VIEWS)('hide forbidden actions from a reader, who sees the rest and whom to ask (%s)', async (name, view) => {
    const { page, refused, leave } = await asRole('Rita', 'Reader', view);
    const [paid, open] = [await paidInvoice(), await product.makeLink()];

    await page.goto(`${appUrl}/payments`);
    const device = page.getByRole('listitem').filter({ hasText: 'Front desk 1' });
    await device.waitFor();
    await only(page, 'take payments').waitFor();
    await page
      .getByText(/Ask .+ \(administrator\)/)
      .first()
      .waitFor();
    expect(await button(page, 'Proceed to Payment').count()).toBe(0);
    await picture(page, `payments-reader-${name.replace(' ', '-')}`);

    await page.goto(`${appUrl}/openInvoices`);
    // Whatever bills other tests have made stand first.
    await page.locator('main a[href^="/invoice/"]').first().waitFor();
    expect(await page.getByRole('columnheader', { name: 'Action' }).count()).toBe(0);
    expect(await button(page, /^(Email|Copy|Revoke)/).count()).toBe(0);

    await page.goto(`${appUrl}/invoice/${open.invoiceId}`);
    await only(page, 'make and send pay links').waitFor();
    expect(await button(page, /^(Save Invoice|Create a pay link|Clear)/).count()).toBe(0);
    await expectAccessible(page);
    await page.goto(`${appUrl}/invoice/${paid.invoiceId}`);
    await only(page, 'send receipts').waitFor();
    await page.getByRole('link', { name: 'View receipt' }).waitFor();
    expect(await button(page, 'Void or refund').count()).toBe(0);

    for (const path of ['/account/team', '/account/approvals', '/account/records', '/audit']) {
      await page.goto(`${appUrl}${path}`);
      await only(page, 'see this').waitFor();
      expect(await page.getByRole('alert').count(), path).toBe(0);
    }
    await page.goto(`${appUrl}/checks`);
    await page.getByRole('heading', { name: 'Payments to check' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await button(page, 'Check now').count()).toBe(0);
    expect(refused).toEqual([]);
    await leave();
  });

  it('let front desk staff take payments but hide voids, refunds and batch closes', async () => {
    const { page, refused, leave } = await asRole('Dora', 'Front desk');
    const paid = await paidInvoice();
    await page.goto(`${appUrl}/invoice/${paid.invoiceId}`);
    await button(page, /^Email Receipt/)
      .first()
      .waitFor();
    expect(await button(page, 'Void or refund').count()).toBe(0);
    await page.goto(`${appUrl}/payments`);
    await button(page, 'Proceed to Payment').waitFor();
    await page.goto(appUrl);
    await page.getByRole('region', { name: 'Front desk 1' }).getByRole('listitem').first().waitFor();
    expect(await button(page, /^Close Batch/).count()).toBe(0);
    expect(refused).toEqual([]);
    await leave();
  });

  it('show a manager without a refund limit the refusal before any form opens', async () => {
    const { page, leave } = await asRole('Max', 'Manager');
    const paid = await paidInvoice();
    await page.goto(`${appUrl}/invoice/${paid.invoiceId}`);
    await button(page, 'Void or refund').click();
    await page
      .getByText(/^Only an administrator of this account may void or refund a payment\./)
      .first()
      .waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expectAccessible(page);
    await leave();
  });

  it('show no sign-up form to staff when an administrator has to sign the clinic up', async () => {
    const page = await merchantPage();
    await page.route(`${appUrl}/`, async (route) => {
      const answer = await route.fetch();
      const html = (await answer.text())
        .replace(/"gate":"shell"/, '"gate":"sign-up"')
        .replace(/"may":\[[^\]]*\]/, '"may":["reader"]');
      await route.fulfill({ response: answer, body: html });
    });
    await page.route('**/api/token/get-merchant', (route) => route.fulfill({ json: { merchant: null } }));
    await page.goto(appUrl);
    await page.getByRole('heading', { name: 'Merchant Account Sign Up' }).waitFor();
    await only(page, 'sign it up').waitFor();
    expect(await page.getByLabel('DBA Name:').count()).toBe(0);
    await expectAccessible(page);
  });
});
