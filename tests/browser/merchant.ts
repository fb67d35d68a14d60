import type { BrowserContextOptions, Page } from 'playwright-core';
import { hubs } from '#sandbox/credentials';
import { DESKTOP, PHONE, type Theme } from '#tests/support/browser';

/** Through the login page and the CRM's consent page, as a person does it. */
export async function logIn(page: Page, appUrl: string, hub: { name: string }): Promise<void> {
  await page.goto(`${appUrl}/login`);
  await page.getByRole('link', { name: 'Login with CRM' }).click();
  await page.getByRole('radio', { name: hub.name }).check();
  await page.getByRole('button', { name: 'Grant access' }).click();
  await page.waitForURL(`${appUrl}/`);
}

type Options = BrowserContextOptions & { theme?: Theme; expected?: RegExp };

/** Pages on which a merchant of the first clinic is logged in and has taken the cookies; one login for a test file. */
export function useMerchant(newPage: (options?: Options) => Promise<Page>, appUrl: string) {
  let storageState: BrowserContextOptions['storageState'];
  return async function merchantPage(options: Options = {}): Promise<Page> {
    if (!storageState) {
      const page = await newPage();
      await logIn(page, appUrl, hubs[0]);
      await page.evaluate(() => localStorage.setItem('cookieConsent', 'accepted'));
      storageState = await page.context().storageState();
    }
    return newPage({ storageState, ...options });
  };
}

export const phone = { viewport: PHONE, hasTouch: true, isMobile: true };

/** A screen is looked at on a desk by day and on a phone by night. */
export const VIEWS: [string, Options][] = [
  ['light desktop', { theme: 'light', viewport: DESKTOP }],
  ['dark phone', { theme: 'dark', ...phone }],
];
