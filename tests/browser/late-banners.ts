import type { Page, Route } from 'playwright-core';
import type { TerminalsReply } from '#shared/contracts/payments/terminals';
import type { Today } from '#shared/contracts/payments/today';
import { serveCustomer } from '#tests/support/servers/customer-server';
import { paymentOf, servePayments } from '#tests/support/servers/payments-server';
import { fresh } from '#tests/support/servers/today-server';

/** A banner of the merchant's app that comes after a response or a press. */
type Late = {
  name: string;
  path(invoiceId: string): string;
  /** Sets up the server. A returned function lets the held responses come. */
  arrange?(page: Page): Promise<(() => void) | undefined>;
  /** Steps before, which may move things. */
  prepare?(page: Page): Promise<void>;
  act?(page: Page): Promise<void>;
  /** The text of the banner. */
  told: string | RegExp;
};

const refuse = (route: Route) =>
  route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Please try again.' } } });

/** Refuses these calls; all others are answered as usual. */
const refusing = (address: string | RegExp) => async (page: Page) => {
  await page.route(address, refuse);
  return undefined;
};

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

/** Answers with these figures of the day: payments of other tests would move what is below. */
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

/** The dashboard reads its figures again when the window becomes visible. */
const lookAgain = (page: Page) => page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));

const LISTS: [path: string, call: RegExp][] = [
  ['/invoices', /\/api\/invoices\?/],
  ['/customers', /\/api\/customers\?/],
  ['/openInvoices', /\/api\/invoices\/getOpenInvoices\?/],
  ['/transactions/all', /\/api\/payments\?/],
];

/** Answers of a list that are held, and then have these headers. */
const held = (call: RegExp, headers: Record<string, string>) => async (page: Page) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(call, async (route) => {
    const response = await route.fetch();
    await promise;
    await route.fulfill({ response, headers: { ...response.headers(), ...headers } });
  });
  return resolve;
};

const unreachable = (call: RegExp) => async (page: Page) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(call, async (route) => {
    await promise;
    await route.abort();
  });
  return resolve;
};

/** The browser denies access to the clipboard. */
const noClipboard = async (page: Page) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('denied')) } });
  });
  return undefined;
};

/** All of them: a new one gets its line here. */
export const lateBanners: Late[] = [
  ...LISTS.flatMap(([path, call]): Late[] => [
    {
      name: `old data at ${path}`,
      path: () => path,
      arrange: held(call, { 'x-data-stale': 'true' }),
      told: /HubSpot is not answering/,
    },
    {
      name: `the first copy at ${path}`,
      path: () => path,
      arrange: held(call, { 'x-copying': '12/4000' }),
      told: /You can already work/,
    },
    {
      name: `no answer at ${path}`,
      path: () => path,
      arrange: unreachable(call),
      told: /could not be loaded\. Last try/,
    },
    {
      name: `a refused export at ${path}`,
      path: () => path,
      arrange: refusing(/format=csv/),
      act: press('Export CSV'),
      told: /could not be exported/,
    },
  ]),
  {
    name: 'a mail that fails in Open Invoices',
    path: () => '/openInvoices?status=open',
    arrange: refusing('**/sendPaymentLink/**'),
    act: mailLink,
    told: 'Error sending payment link',
  },
  {
    name: 'a mail that fails for a customer',
    path: () => '/customers/7',
    arrange: async (page) => {
      await serveCustomer(page);
      return refusing('**/sendPaymentLink/**')(page);
    },
    act: mailLink,
    told: 'Error sending payment link',
  },
  {
    name: 'a mail that fails for an invoice',
    path: (invoiceId) => `/invoice/${invoiceId}`,
    arrange: refusing('**/sendPaymentLink/**'),
    act: mailLink,
    told: 'Error sending payment link',
  },
  {
    name: 'a link that cannot be copied',
    path: (invoiceId) => `/invoice/${invoiceId}`,
    arrange: noClipboard,
    act: press('Copy link'),
    told: /does not allow copying here/,
  },
  {
    name: 'a signature that is not saved',
    path: (invoiceId) => `/invoice/${invoiceId}`,
    arrange: refusing('**/signature'),
    prepare: async (page) => {
      await page.locator('summary', { hasText: 'Signature' }).click();
      await page.getByRole('button', { name: 'Type', exact: true }).click();
      await page.keyboard.press('Tab');
      await page.keyboard.type('Marta Núñez');
      await page.getByRole('button', { name: 'Save signature' }).click();
    },
    act: press('Save Invoice'),
    told: 'The signature was not saved.',
  },
  {
    name: 'a payment that cannot go back',
    path: () => '/transactions/all',
    arrange: async (page) => {
      await servePayments(page, [paymentOf()]);
      return refusing('**/reversal')(page);
    },
    act: press(/^Void or refund/),
    told: 'This payment cannot be voided or refunded now.',
  },
  {
    name: 'figures of the day that cannot be read again',
    path: () => '/',
    arrange: answerToday(fresh()),
    act: async (page) => {
      await page.route('**/api/today', refuse);
      await lookAgain(page);
    },
    told: 'The figures could not be updated.',
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
    told: 'Online payments are paused.',
  },
  {
    name: 'a batch that cannot be closed',
    path: () => '/',
    arrange: async (page) => {
      await answerToday(fresh())(page);
      return refusing('**/closing')(page);
    },
    act: press(/^Close Batch/),
    told: 'Failed to close batch',
  },
  {
    name: 'a check that fails',
    path: () => '/checks',
    act: async (page) => {
      await page.route('**/api/matching', refuse);
      await press('Check now')(page);
    },
    told: 'Please try again.',
  },
  {
    name: 'figures of another time that cannot be read',
    path: () => '/analytics',
    arrange: refusing(/timeframe=year/),
    act: async (page) => {
      await page.getByLabel('Timeframe').selectOption('year');
    },
    told: 'The figures could not be loaded.',
  },
  {
    name: 'a token that is not refreshed',
    path: () => '/userinfo',
    arrange: refusing('**/api/refresh-access-token'),
    act: press('Refresh Access Token'),
    told: /^Refresh token failed/,
  },
];
