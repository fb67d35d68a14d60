import { beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP, PHONE, useBrowser, WITH_MOTION } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { serveCustomer } from '#tests/support/servers/customer-server';
import { makeOpenInvoice, owedOf, serveOpenInvoices } from '#tests/support/servers/open-invoices-server';
import { paymentOf, servePayments } from '#tests/support/servers/payments-server';
import { lateBanners } from './late-banners.ts';
import { useMerchant } from './merchant.ts';
import { useOperators } from './operators.ts';
import { delay, expectStill, rememberSpots } from './shifts.ts';

const product = useProduct();
const newPage = useBrowser(WITH_MOTION);
const merchantPage = useMerchant(newPage, product.appUrl);
const operatorPage = useOperators(product).operatorPage(newPage);

/** Delay (ms) of every response. */
const LATE_MS = 1500;
/** Delay (ms) of the code, so that the page is painted first. */
const CODE_LATE_MS = 300;

let invoiceId = '';
/** Every screen of the merchant. Add new ones here. `last` is a text of the late response. */
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

/** The code of a list that loads after its rows. */
const LATER_CODE = /\/(Collect|OwingFilter)\.[^/]*\.js$/;
const listsWithLateParts = [
  { path: '/openInvoices', last: { code: 'Overdue', count: 'of 10' } },
  { path: '/customers', last: { code: 'Owes', count: '12,345' } },
];
const EMAIL = { kind: 'pay-link', at: '2025-03-04T15:42:00Z', told_at: null } as const;
/** Invoices with each number of lines in their email history. */
const invoicesWithMails = [
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

/** Every screen of the operator, with a heading of the late response. */
const operatorScreens: [name: string, path: string, last: string | RegExp][] = [
  ['overview', '', 'Alerts'],
  ['clinics', '/clinics', 'Clinics'],
  ['clinic', '/clinics/1', 'Contact'],
  ['health', '/health', 'Checks'],
  ['mails', '/mails', 'Sent'],
  ['builds', '/builds', 'Newest builds'],
  ['runbook', '/runbook', 'Alerts'],
  ['section of the runbook', '/runbook?event=payment-needs-a-person', /A payment is waiting/],
  ['audit trail', '/audit', 'Newest seal'],
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
    /** Opens a screen whose responses are all late. */
    const openLateScreen = async (path: string) => {
      const page = await merchantPage({ viewport });
      await serveCustomer(page, undefined, LATE_MS);
      await servePayments(page, [paymentOf()], { unknown: { count: 12, amount: '14968.00' } }, LATE_MS);
      await delay(page, '**/api/**', LATE_MS);
      // The brand font is late too: its fallback must break lines at the same places.
      await delay(page, '**/*.woff2', LATE_MS);
      await delay(page, '**/*.js', CODE_LATE_MS);
      await page.goto(`${product.appUrl}${path}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      return page;
    };

    it.each(screens)('%s does not shift', async (_name, path, last) => {
      const page = await openLateScreen(path());
      const movedSpots = await rememberSpots(page);
      if (last) await page.getByText(last).first().waitFor();
      await expectStill(page);
      expect(await movedSpots()).toEqual([]);
    });

    it.each(lateBanners)(
      'moves no control for a late banner: $name',
      async ({ path, arrange, prepare, trigger, text }) => {
        const page = await merchantPage({ viewport, expected: /status of|net::ERR|^Failed|^Error|^the / });
        const releaseAnswers = arrange && (await arrange(page));
        await page.goto(`${product.appUrl}${path(invoiceId)}`);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        if (trigger) await page.waitForLoadState('networkidle');
        await prepare?.(page);
        const movedSpots = await rememberSpots(page);
        await trigger?.(page);
        releaseAnswers?.();
        await page.getByText(text).first().waitFor();
        expect(await movedSpots()).toEqual([]);
      },
    );

    it.each(operatorScreens)('operator %s does not shift', async (_name, path, last) => {
      const page = await operatorPage({ viewport });
      await delay(page, '**/api/**', LATE_MS);
      await delay(page, '**/*.woff2', LATE_MS);
      await delay(page, '**/*.js', CODE_LATE_MS);
      await page.goto(`${product.appUrl}/operator${path}`);
      await page.getByRole('heading', { name: last }).first().waitFor();
      await expectStill(page);
    });

    it.each(listsWithLateParts)('moves no control of $path when counts come after the rows', async ({ path, last }) => {
      const page = await merchantPage({ viewport });
      const [rows, code] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await page.route(LATER_CODE, async (route) => {
        await rows.promise;
        await route.continue();
      });
      const server = await serveOpenInvoices(page, invoicesWithMails);
      server.owed = async (query) => {
        await code.promise;
        return { ...owedOf(query), customers: { all: 123_456, owes: 12_345, overdue: 1234 } };
      };
      const loaded = page.waitForResponse(LATER_CODE);
      await page.goto(`${product.appUrl}${path}`);
      await page.locator('tbody tr:not(.row-skeleton)').first().waitFor();
      const movedSpots = await rememberSpots(page);
      rows.resolve();
      await (await loaded).finished();
      await page.getByText(last.code).first().waitFor();
      code.resolve();
      await page.getByText(last.count).first().waitFor();
      expect(await movedSpots()).toEqual([]);
    });

    it('the dialog of the reminders does not shift', async () => {
      const page = await openLateScreen('/openInvoices');
      // Late enough that the browser does not count the shift as a response to the click.
      await delay(page, '**/*.js', 2 * CODE_LATE_MS + 200);
      await page.getByRole('button', { name: /^Reminders/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save reminders' }).waitFor();
      await expectStill(page);
    });
  });
});
