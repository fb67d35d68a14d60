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

/** Opens a page as a new person with this role, and records the calls that the Worker refuses for the role. */
async function openAsRole(first: string, role: string, view: object = {}) {
  const { page, leave } = await colleague(first, role, { ...view, expected: /nothing/ });
  const refusedCalls: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refusedCalls.push(response.url());
  });
  return { page, refusedCalls, leave };
}

const refusalText = (page: Page, words: string) =>
  page.getByText(new RegExp(`^Only .* of this account may ${words}\\.( Ask .+\\.)?$`));
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

describe('staff permissions', { timeout: 120_000 }, () => {
  it.each(VIEWS)('a reader sees no forbidden actions, but all the rest and a contact (%s)', async (name, view) => {
    const { page, refusedCalls, leave } = await openAsRole('Rita', 'Reader', view);
    const [paidLink, openLink] = [await paidInvoice(), await product.makeLink()];

    await page.goto(`${appUrl}/payments`);
    const device = page.getByRole('listitem').filter({ hasText: 'Front desk 1' });
    await device.waitFor();
    await refusalText(page, 'take payments').waitFor();
    await page
      .getByText(/Ask .+ \(administrator\)/)
      .first()
      .waitFor();
    expect(await button(page, 'Proceed to Payment').count()).toBe(0);
    await picture(page, `payments-reader-${name.replace(' ', '-')}`);

    await page.goto(`${appUrl}/openInvoices`);
    // The list starts with invoices of other tests.
    await page.locator('main a[href^="/invoice/"]').first().waitFor();
    expect(await page.getByRole('columnheader', { name: 'Action' }).count()).toBe(0);
    expect(await button(page, /^(Email|Copy|Revoke)/).count()).toBe(0);

    await page.goto(`${appUrl}/invoice/${openLink.invoiceId}`);
    await refusalText(page, 'make and send payment links').waitFor();
    expect(await button(page, /^(Save Invoice|Create a payment link|Clear)/).count()).toBe(0);
    await expectAccessible(page);
    await page.goto(`${appUrl}/invoice/${paidLink.invoiceId}`);
    await refusalText(page, 'send receipts').waitFor();
    await page.getByRole('link', { name: 'View receipt' }).waitFor();
    expect(await button(page, 'Void or refund').count()).toBe(0);

    for (const path of ['/account/team', '/account/approvals', '/account/records', '/audit']) {
      await page.goto(`${appUrl}${path}`);
      await refusalText(page, 'see this').waitFor();
      expect(await page.getByRole('alert').count(), path).toBe(0);
    }
    await page.goto(`${appUrl}/checks`);
    await page.getByRole('heading', { name: 'Payments to check' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await button(page, 'Check now').count()).toBe(0);
    expect(refusedCalls).toEqual([]);
    await leave();
  });

  it('front desk staff can take payments, but see no voids, refunds and batch closes', async () => {
    const { page, refusedCalls, leave } = await openAsRole('Dora', 'Front desk');
    const paidLink = await paidInvoice();
    await page.goto(`${appUrl}/invoice/${paidLink.invoiceId}`);
    await button(page, /^Email Receipt/)
      .first()
      .waitFor();
    expect(await button(page, 'Void or refund').count()).toBe(0);
    await page.goto(`${appUrl}/payments`);
    await button(page, 'Proceed to Payment').waitFor();
    await page.goto(appUrl);
    await page.getByRole('region', { name: 'Front desk 1' }).getByRole('listitem').first().waitFor();
    expect(await button(page, /^Close Batch/).count()).toBe(0);
    expect(refusedCalls).toEqual([]);
    await leave();
  });

  it('a manager without a refund limit sees the refusal before any form opens', async () => {
    const { page, leave } = await openAsRole('Max', 'Manager');
    const paidLink = await paidInvoice();
    await page.goto(`${appUrl}/invoice/${paidLink.invoiceId}`);
    await button(page, 'Void or refund').click();
    await page
      .getByText(/^Only an administrator of this account may void or refund a payment\./)
      .first()
      .waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expectAccessible(page);
    await leave();
  });

  it('staff see no sign-up form when an administrator has to sign the clinic up', async () => {
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
    await refusalText(page, 'sign it up').waitFor();
    expect(await page.getByLabel('DBA Name:').count()).toBe(0);
    await expectAccessible(page);
  });
});
