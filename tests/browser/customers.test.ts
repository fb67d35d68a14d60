import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { useMerchant, VIEWS } from './merchant.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const filter = (page: Page) => page.getByRole('navigation', { name: 'Customers by what they owe' });

/** Last names that no other customer's name starts with. */
const lastNames = ['Tranholm', 'Trandahl', 'Tranberg', 'Tranquist', 'Tranwick', 'Tranmore', 'Transtad', 'Tranfield'];

/** Creates a customer with one open invoice, and waits until the CRM copy has both. */
async function makeOwingCustomer(page: Page, amount: string) {
  const lastname = lastNames.shift() ?? `Tran${crypto.randomUUID().slice(0, 8)}`;
  const contact = { firstname: 'Hannah', lastname, email: `${lastname.toLowerCase()}@payer.example` };
  const link = await product.makeLink({ amount, contact });
  // Each load requests a new copy of the CRM, but at most one every few seconds.
  const isCopied = async () => {
    await page.goto(`${product.appUrl}/customers?q=${lastname}`);
    const row = page.getByRole('link', { name: `Hannah ${lastname}` });
    await row.or(page.getByText('No customer matches')).waitFor();
    return row.isVisible();
  };
  await expect.poll(isCopied, { timeout: 60_000 }).toBe(true);
  await page.goto(`${product.appUrl}/openInvoices?q=${link.number}`);
  await page.getByRole('link', { name: link.number, exact: true }).waitFor();
  return { ...link, lastname };
}

describe('customer list', { timeout: 120_000 }, () => {
  it.each(VIEWS)('shows what each customer owes and last paid, and links to their page (%s)', async (name, options) => {
    const page = await merchantPage(options);
    const { lastname, payId } = await makeOwingCustomer(page, '588.50');
    await page.goto(`${product.appUrl}/customers?q=${lastname}`);
    const row = rowOf(page, lastname);
    await row.getByText('$588.50').waitFor();
    await row.getByText('never').waitFor();
    expect(await row.getByText('overdue').count()).toBe(0);
    await filter(page)
      .getByRole('link', { name: /^Owes \d+$/ })
      .click();
    await page.waitForURL(new RegExp(`/customers\\?q=${lastname}&owed=owes$`));
    await row.getByText('$588.50').waitFor();
    await expectAccessible(page);
    await picture(page, `customers-owe-${name.replace(' ', '-')}`);
    await filter(page)
      .getByRole('link', { name: /^Overdue \d+$/ })
      .click();
    await page.getByText('No customer matches').waitFor();
    await page.goBack();

    expect((await product.pay(payId, await product.form({}))).status).toBe(200);
    await page.reload();
    await page.getByText('No customer matches').waitFor();
    await filter(page)
      .getByRole('link', { name: /^All \d+$/ })
      .click();
    await row.getByText('$0.00').waitFor();
    await row.getByText(/today, \d+:\d\d/).waitFor();
    await row.getByRole('link', { name: `Hannah ${lastname}` }).click();
    await page.getByRole('heading', { name: `Hannah ${lastname}` }).waitFor();
  });

  it('sorts by amount owed, highest first', async () => {
    const page = await merchantPage();
    await makeOwingCustomer(page, '9999.99');
    await page.goto(`${product.appUrl}/customers`);
    await page.getByRole('columnheader', { name: 'Owed' }).getByRole('button').click();
    await page.waitForURL(/sort=-owed/);
    const sums = page.locator('tbody tr:not(.row-skeleton) .at-amount .money');
    const cents = async () => (await sums.allInnerTexts()).map((sum) => Number(sum.replaceAll(/[^\d]/g, '')));
    // The old rows stay until the sorted ones arrive.
    await expect.poll(async () => (await cents())[0] ?? 0).toBeGreaterThanOrEqual(999_999);
    const sortedCents = await cents();
    expect(sortedCents).toEqual(sortedCents.toSorted((a, b) => b - a));
  });
});

describe('a customer in the command palette', { timeout: 120_000 }, () => {
  it('shows the amount owed at the end of the line', async () => {
    const page = await merchantPage();
    const { lastname } = await makeOwingCustomer(page, '588.50');
    await page.getByRole('button', { name: 'Search or jump to' }).click();
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill(lastname);
    await page
      .getByRole('group', { name: 'Customers' })
      .getByRole('option', { name: new RegExp(`Hannah ${lastname}.*owes \\$588\\.50`) })
      .waitFor();
  });
});
