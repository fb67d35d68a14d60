import type { Page, Route } from 'playwright-core';
import type { TerminalsReply } from '#shared/contracts/payments/terminals';
import type { Today } from '#shared/contracts/payments/today';
import { serveCustomer } from '#tests/support/servers/customer-server';
import { paymentOf, servePayments } from '#tests/support/servers/payments-server';
import { newClinicToday } from '#tests/support/servers/today-server';

/** A banner of the merchant's app that appears after a response or a click. */
type LateBanner = {
  name: string;
  path(invoiceId: string): string;
  /** Sets up the server. If it holds responses, the returned function releases them. */
  arrange?(page: Page): Promise<(() => void) | undefined>;
  /** Steps before the banner appears; these may shift the layout. */
  prepare?(page: Page): Promise<void>;
  trigger?(page: Page): Promise<void>;
  /** The text of the banner. */
  text: string | RegExp;
};

const refuse = (route: Route) =>
  route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Please try again.' } } });

/** Refuses the calls to this address; all others are answered as usual. */
const refuseCalls = (address: string | RegExp) => async (page: Page) => {
  await page.route(address, refuse);
  return undefined;
};

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

/** Serves fixed figures of the day, because payments of other tests would shift the content below. */
const answerToday = (json: Today) => async (page: Page) => {
  await page.route('**/api/today', (route) => route.fulfill({ json }));
  return undefined;
};

/** Sends the first link that can be sent. */
async function mailLink(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Email Payment Link/, disabled: false })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
}

/** Makes the dashboard read its figures again, which it does when the window becomes visible. */
const refreshFigures = (page: Page) => page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));

const LISTS: [path: string, call: RegExp][] = [
  ['/invoices', /\/api\/invoices\?/],
  ['/customers', /\/api\/customers\?/],
  ['/openInvoices', /\/api\/invoices\/getOpenInvoices\?/],
  ['/transactions/all', /\/api\/payments\?/],
];

/** Holds the responses of a list, then sends them with these headers. */
const holdResponses = (call: RegExp, headers: Record<string, string>) => async (page: Page) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(call, async (route) => {
    const response = await route.fetch();
    await promise;
    await route.fulfill({ response, headers: { ...response.headers(), ...headers } });
  });
  return resolve;
};

/** Holds the calls of a list, then aborts them. */
const abortCalls = (call: RegExp) => async (page: Page) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(call, async (route) => {
    await promise;
    await route.abort();
  });
  return resolve;
};

/** Makes the browser deny access to the clipboard. */
const denyClipboard = async (page: Page) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('denied')) } });
  });
  return undefined;
};

/** Every late banner of the app. Add new ones here. */
export const lateBanners: LateBanner[] = [
  ...LISTS.flatMap(([path, call]): LateBanner[] => [
    {
      name: `old data at ${path}`,
      path: () => path,
      arrange: holdResponses(call, { 'x-data-stale': 'true' }),
      text: /HubSpot is not answering/,
    },
    {
      name: `the first copy at ${path}`,
      path: () => path,
      arrange: holdResponses(call, { 'x-copying': '12/4000' }),
      text: /You can already work/,
    },
    {
      name: `no answer at ${path}`,
      path: () => path,
      arrange: abortCalls(call),
      text: /could not be loaded\. Last try/,
    },
    {
      name: `a refused export at ${path}`,
      path: () => path,
      arrange: refuseCalls(/format=csv/),
      trigger: press('Export CSV'),
      text: /could not be exported/,
    },
  ]),
  {
    name: 'a mail that fails in Open Invoices',
    path: () => '/openInvoices?status=open',
    arrange: refuseCalls('**/sendPaymentLink/**'),
    trigger: mailLink,
    text: 'Error sending payment link',
  },
  {
    name: 'a mail that fails for a customer',
    path: () => '/customers/7',
    arrange: async (page) => {
      await serveCustomer(page);
      return refuseCalls('**/sendPaymentLink/**')(page);
    },
    trigger: mailLink,
    text: 'Error sending payment link',
  },
  {
    name: 'a mail that fails for an invoice',
    path: (invoiceId) => `/invoice/${invoiceId}`,
    arrange: refuseCalls('**/sendPaymentLink/**'),
    trigger: mailLink,
    text: 'Error sending payment link',
  },
  {
    name: 'a link that cannot be copied',
    path: (invoiceId) => `/invoice/${invoiceId}`,
    arrange: denyClipboard,
    trigger: press('Copy link'),
    text: /does not allow copying here/,
  },
  {
    name: 'a signature that is not saved',
    path: (invoiceId) => `/invoice/${invoiceId}`,
    arrange: refuseCalls('**/signature'),
    prepare: async (page) => {
      await page.locator('summary', { hasText: 'Signature' }).click();
      await page.getByRole('button', { name: 'Type', exact: true }).click();
      await page.keyboard.press('Tab');
      await page.keyboard.type('Marta Núñez');
      await page.getByRole('button', { name: 'Save signature' }).click();
    },
    trigger: press('Save Invoice'),
    text: 'The signature was not saved.',
  },
  {
    name: 'a payment that cannot be voided or refunded',
    path: () => '/transactions/all',
    arrange: async (page) => {
      await servePayments(page, [paymentOf()]);
      return refuseCalls('**/reversal')(page);
    },
    trigger: press(/^Void or refund/),
    text: 'This payment cannot be voided or refunded now.',
  },
  {
    name: 'figures of the day that cannot be refreshed',
    path: () => '/',
    arrange: answerToday(newClinicToday()),
    trigger: async (page) => {
      await page.route('**/api/today', refuse);
      await refreshFigures(page);
    },
    text: 'The figures could not be updated.',
  },
  {
    name: 'payments that are paused while a screen is open',
    path: () => '/customers',
    arrange: async (page) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const json = { desks: [], online_off: 'paused' } satisfies TerminalsReply;
      await page.route('**/api/counter-terminals', async (route) => {
        await promise;
        await route.fulfill({ json });
      });
      return resolve;
    },
    text: 'Online payments are paused.',
  },
  {
    name: 'a batch that cannot be closed',
    path: () => '/',
    arrange: async (page) => {
      await answerToday(newClinicToday())(page);
      return refuseCalls('**/closing')(page);
    },
    trigger: press(/^Close Batch/),
    text: 'Failed to close batch',
  },
  {
    name: 'a check that fails',
    path: () => '/checks',
    trigger: async (page) => {
      await page.route('**/api/matching', refuse);
      await press('Check now')(page);
    },
    text: 'Please try again.',
  },
  {
    name: 'figures of another timeframe that cannot be read',
    path: () => '/analytics',
    arrange: refuseCalls(/timeframe=year/),
    trigger: async (page) => {
      await page.getByLabel('Timeframe').selectOption('year');
    },
    text: 'The figures could not be loaded.',
  },
  {
    name: 'a token that is not refreshed',
    path: () => '/userinfo',
    arrange: refuseCalls('**/api/refresh-access-token'),
    trigger: press('Refresh Access Token'),
    text: /^Refresh token failed/,
  },
];
