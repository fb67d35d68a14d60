import type { Page } from 'playwright-core';

/** Through the login page and the CRM's consent page, as a person does it. */
export async function logIn(page: Page, appUrl: string, hub: { name: string }): Promise<void> {
  await page.goto(`${appUrl}/login`);
  await page.getByRole('link', { name: 'Login with CRM' }).click();
  await page.getByRole('radio', { name: hub.name }).check();
  await page.getByRole('button', { name: 'Grant access' }).click();
  await page.waitForURL(`${appUrl}/`);
}
