import { beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP, MOVING, PHONE, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { serveCustomer } from '#tests/support/servers/customer-server';
import { makeOpenInvoice, owedOf, serveOpenInvoices } from '#tests/support/servers/open-invoices-server';
import { paymentOf, servePayments } from '#tests/support/servers/payments-server';
import { lateBanners } from './late-banners.ts';
import { useMerchant } from './merchant.ts';
import { useOperators } from './operators.ts';
import { delay, expectStill, rememberSpots } from './shifts.ts';

const product = useProduct();
const newPage = useBrowser(MOVING);
const merchantPage = useMerchant(newPage, product.appUrl);
const operatorPage = useOperators(product).operatorPage(newPage);

/** How late (ms) every answer is. */
const LATE_MS = 1500;
/** How late (ms) the code is, so that the page is drawn before it. */
const CODE_LATE_MS = 300;

let invoiceId = '';
/** Every screen of the merchant: a new one gets its line here. `last`: a text of the late answer. */
const screens: [name: string, path: () => string, last?: RegExp][] = [
  ['dashboard', () => '/'],
  ['open invoices', () => '/openInvoices'],
  ['analytics', () => '/analytics'],
  ['transactions', () => '/transactions'],
  ['payments', () => '/transactions/all', /12 with no outcome yet/],
  ['checks', () => '/checks'],
  ['customers', () => '/customers'],
  ['invoices', () => '/invoices'],
  ['invoice', () => `/invoice/${invoiceId}`],
  ['takings', () => '/takings'],
  ['customer', () => '/customers/7', /\$588\.50/],
  ['take payment', () => '/payments'],
  ['user info', () => '/userinfo', /The browsers in which/],
  ['team', () => '/account/team'],
  ['approvals', () => '/account/approvals'],
  ['payments settings', () => '/account/payments', /Paid here, not in/],
  ['records', () => '/account/records'],
  ['audit trail', () => '/audit'],
  ['help', () => '/help'],
];

/** The code of a list that its rows do not wait for. */
const LATER_CODE = /\/(Collect|OwingFilter)\.[^/]*\.js$/;
const listsWithMore = [
  { path: '/openInvoices', last: { code: 'Overdue', count: 'of 10' } },
  { path: '/customers', last: { code: 'Owes', count: '12,345' } },
];
const EMAIL = { kind: 'pay-link', at: '2025-03-04T15:42:00Z', told_at: null } as const;
/** Invoices with each number of lines in their email history. */
const mailed = [
  makeOpenInvoice(0, { last_email: { ...EMAIL, delivery: 'delivered' }, never_emailed: false }),
  makeOpenInvoice(1),
  makeOpenInvoice(2, {
    last_email: { ...EMAIL, delivery: 'delayed' },
    opened_at: EMAIL.at,
    next_reminder_at: EMAIL.at,
  }),
  makeOpenInvoice(3, { last_email: { ...EMAIL, delivery: 'bounced' }, bad_address: 'bounced' }),
  ...[4, 5, 6, 7, 8, 9].map((at) => makeOpenInvoice(at)),
];

/** Every screen of the operator, with a heading of the late answer. */
const operatorScreens: [name: string, path: string, last: string | RegExp][] = [
  ['overview', '', 'Alerts'],
  ['clinics', '/clinics', 'Clinics'],
  ['clinic', '/clinics/1', 'Contact'],
  ['health', '/health', 'Checks'],
  ['mails', '/mails', 'Sent'],
  ['builds', '/builds', 'Newest builds'],
  ['runbook', '/runbook', 'Alerts'],
  ['section of the runbook', '/runbook?event=payment-needs-a-person', /A payment waits/],
  ['restore', '/restore?clinic=1', 'Choose a dump'],
  ['operators', '/operators', 'Let another operator in'],
];

describe('layout stability with late responses', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    invoiceId = (await product.makeLink()).invoiceId;
  });

  describe.each([
    ['desk', DESKTOP],
    ['phone', PHONE],
  ])('on a %s', (_on, viewport) => {
    /** A screen whose answers all come late. */
    const lateScreen = async (path: string) => {
      const page = await merchantPage({ viewport });
      await serveCustomer(page, undefined, LATE_MS);
      await servePayments(page, [paymentOf()], { unknown: { count: 12, amount: '14968.00' } }, LATE_MS);
      await delay(page, '**/api/**', LATE_MS);
      // The brand's font as well: until it is there, its fallback must take the same lines.
      await delay(page, '**/*.woff2', LATE_MS);
      await delay(page, '**/*.js', CODE_LATE_MS);
      await page.goto(`${product.appUrl}${path}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      return page;
    };

    it.each(screens)('%s', async (_name, path, last) => {
      const page = await lateScreen(path());
      const moved = await rememberSpots(page);
      if (last) await page.getByText(last).first().waitFor();
      await expectStill(page);
      expect(await moved()).toEqual([]);
    });

    it.each(lateBanners)('nothing that can be pressed moves: $name', async ({ path, arrange, prepare, act, told }) => {
      const page = await merchantPage({ viewport, expected: /status of|net::ERR|^Failed|^Error|^the / });
      const answer = arrange && (await arrange(page));
      await page.goto(`${product.appUrl}${path(invoiceId)}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      if (act) await page.waitForLoadState('networkidle');
      await prepare?.(page);
      const moved = await rememberSpots(page);
      await act?.(page);
      answer?.();
      await page.getByText(told).first().waitFor();
      expect(await moved()).toEqual([]);
    });

    it.each(operatorScreens)('operator: %s', async (_name, path, last) => {
      const page = await operatorPage({ viewport });
      await delay(page, '**/api/**', LATE_MS);
      await delay(page, '**/*.woff2', LATE_MS);
      await delay(page, '**/*.js', CODE_LATE_MS);
      await page.goto(`${product.appUrl}/operator${path}`);
      await page.getByRole('heading', { name: last }).first().waitFor();
      await expectStill(page);
    });

    it.each(listsWithMore)('$path, whose further code and counts come after the rows', async ({ path, last }) => {
      const page = await merchantPage({ viewport });
      const [rows, code] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await page.route(LATER_CODE, async (route) => {
        await rows.promise;
        await route.continue();
      });
      const server = await serveOpenInvoices(page, mailed);
      server.owed = async (of) => {
        await code.promise;
        return { ...owedOf(of), customers: { all: 123_456, owes: 12_345, overdue: 1234 } };
      };
      const loaded = page.waitForResponse(LATER_CODE);
      await page.goto(`${product.appUrl}${path}`);
      await page.locator('tbody tr:not(.row-skeleton)').first().waitFor();
      const moved = await rememberSpots(page);
      rows.resolve();
      await (await loaded).finished();
      await page.getByText(last.code).first().waitFor();
      code.resolve();
      await page.getByText(last.count).first().waitFor();
      expect(await moved()).toEqual([]);
    });

    it('reminders', async () => {
      const page = await lateScreen('/openInvoices');
      // Later than what a browser takes as the answer to a press.
      await delay(page, '**/*.js', 2 * CODE_LATE_MS + 200);
      await page.getByRole('button', { name: /^Reminders/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save reminders' }).waitFor();
      await expectStill(page);
    });
  });
});
