import type { Page } from 'playwright-core';

/** Staff switch parts on for the account, if nobody has yet, and open an invoice for them with a deposit. */
export async function openInvoice(page: Page, appUrl: string, invoiceId: string): Promise<void> {
  await page.goto(`${appUrl}/account/payments`);
  const part = page.getByRole('region', { name: 'Partial payments' });
  const on = part.getByRole('button', { name: 'Allow partial payments', exact: true });
  await on.or(part.getByRole('button', { name: 'Stop allowing partial payments' })).waitFor();
  if (await on.isVisible()) {
    await on.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Allow partial payments' }).click();
    await part.getByText('On', { exact: true }).waitFor();
  }
  await page.goto(`${appUrl}/invoice/${invoiceId}`);
  await page.getByRole('button', { name: /^Allow (partial payments|them here anyway)$/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Smallest payment/).fill('20');
  await dialog.getByLabel(/^Deposit/).fill('25%');
  await dialog.getByRole('button', { name: 'Allow partial payments' }).click();
  // A field of the dialog is called so too.
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Smallest payment').waitFor();
}
