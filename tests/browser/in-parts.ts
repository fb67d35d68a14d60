import type { Page } from 'playwright-core';

/** Allows partial payments on the account, unless they are allowed already, and on the invoice, with a deposit. */
export async function openInvoice(page: Page, appUrl: string, invoiceId: string): Promise<void> {
  await page.goto(`${appUrl}/account/payments`);
  const section = page.getByRole('region', { name: 'Partial payments' });
  const allowButton = section.getByRole('button', { name: 'Allow partial payments', exact: true });
  await allowButton.or(section.getByRole('button', { name: 'Stop allowing partial payments' })).waitFor();
  if (await allowButton.isVisible()) {
    await allowButton.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Allow partial payments' }).click();
    await section.getByText('On', { exact: true }).waitFor();
  }
  await page.goto(`${appUrl}/invoice/${invoiceId}`);
  await page.getByRole('button', { name: /^Allow (partial payments|them here anyway)$/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Smallest payment/).fill('20');
  await dialog.getByLabel(/^Deposit/).fill('25%');
  await dialog.getByRole('button', { name: 'Allow partial payments' }).click();
  // The dialog has a field with the same label.
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Smallest payment').waitFor();
}
