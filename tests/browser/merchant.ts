import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { DESKTOP, type PageOptions, PHONE } from '#tests/support/browser/browser';

/** Logs in through the login page and the CRM's consent page, as a person does. */
export async function logIn(page: Page, appUrl: string, account: { name: string }): Promise<void> {
  await page.goto(`${appUrl}/login`);
  await page.getByRole('link', { name: 'Login with CRM' }).click();
  await page.getByRole('radio', { name: account.name }).check();
  await page.getByRole('button', { name: 'Grant access' }).click();
  await page.waitForURL(`${appUrl}/`);
}

type Options = PageOptions;
type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Well within the life of an access token, so that no test starts by renewing it. */
const FRESH_MS = 5 * 60_000;
const sessions = new Map<string, { state: StorageState; since: number }>();

/**
 * Pages on which a merchant of the first clinic is logged in and has accepted cookies. One login serves many tests,
 * so a test that ends its session must log in by itself, or it would log out the others.
 */
export function useMerchant(newPage: (options?: Options) => Promise<Page>, appUrl: string) {
  return async function merchantPage(options: Options = {}): Promise<Page> {
    const session = sessions.get(appUrl);
    if (session && session.since + FRESH_MS > Date.now()) return newPage({ storageState: session.state, ...options });
    const page = await newPage();
    await logIn(page, appUrl, hubs[0]);
    await page.evaluate(() => localStorage.setItem('cookieConsent', 'accepted'));
    const state = await page.context().storageState();
    sessions.set(appUrl, { state, since: Date.now() });
    return newPage({ storageState: state, ...options });
  };
}

/**
 * Waits until the shortcuts work: their code loads after the screen's and records the place in the session storage.
 */
export const waitForShortcuts = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => (sessionStorage.getItem('places') ?? '').includes(window.location.pathname)), {
      timeout: 20_000,
    })
    .toBe(true);

export const phone = { viewport: PHONE, hasTouch: true, isMobile: true };

/** The two views that screens are tested in. */
export const VIEWS: [string, Options][] = [
  ['light desktop', { theme: 'light', viewport: DESKTOP }],
  ['dark phone', { theme: 'dark', ...phone }],
];
