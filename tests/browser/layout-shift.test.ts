import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP, PHONE, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { serveCustomer } from './customer-server.ts';
import { useMerchant } from './merchant.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

/** How late (ms) every answer is. */
const LATE_MS = 1500;
const MOST = 0.02;

let invoiceId = '';
/** Every screen of the merchant: a new one gets its line here. `last`: a text of the late answer. */
const screens: [name: string, path: () => string, last?: RegExp][] = [
  ['dashboard', () => '/'],
  ['open invoices', () => '/openInvoices'],
  ['analytics', () => '/analytics'],
  ['transactions', () => '/transactions'],
  ['checks', () => '/checks'],
  ['customers', () => '/customers'],
  ['invoices', () => '/invoices'],
  ['invoice', () => `/invoice/${invoiceId}`],
  ['takings', () => '/takings'],
  ['customer', () => '/customers/7', /\$588\.50/],
  ['take payment', () => '/payments'],
  ['user info', () => '/userinfo'],
  ['team', () => '/account/team'],
  ['sessions', () => '/account/sessions'],
  ['passkeys and PIN', () => '/account/sign-in'],
  ['approvals', () => '/account/approvals'],
  ['payment in parts', () => '/account/parts'],
  ['what the CRM is told', () => '/account/write-back'],
  ['what payers see', () => '/account/pay-page'],
  ['records', () => '/account/records'],
  ['audit trail', () => '/audit'],
  ['help', () => '/help'],
];

type Shift = { value: number; of: string[] };

/** What moved by itself since the page began; the parts are named for whoever mends it. */
const shiftsOf = (page: Page): Promise<Shift[]> =>
  page.evaluate(
    () =>
      new Promise<Shift[]>((resolve) => {
        const read = (entries: PerformanceEntryList) =>
          resolve(
            (
              entries as (PerformanceEntry & {
                value: number;
                hadRecentInput: boolean;
                sources: { node?: Element; previousRect: DOMRect; currentRect: DOMRect }[];
              })[]
            )
              .filter(({ hadRecentInput }) => !hadRecentInput)
              .map(({ value, sources }) => ({
                value,
                of: sources.map(
                  ({ node, previousRect, currentRect }) =>
                    `${node?.nodeName} ${node?.className ?? ''} ${previousRect.y}+${previousRect.height} -> ${currentRect.y}+${currentRect.height}`,
                ),
              })),
          );
        const observer = new PerformanceObserver((list) => read(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        // Without any shift it is never called.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => read(observer.takeRecords()), 0)));
      }),
  );

describe('with answers that are late, nothing moves', { timeout: 120_000 }, () => {
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
      await page.route('**/api/**', async (route) => {
        await pause(LATE_MS);
        await route.continue();
      });
      // The brand's font as well: until it is there, its fallback must take the same lines.
      await page.route('**/*.woff2', async (route) => {
        await pause(LATE_MS);
        await route.continue();
      });
      await page.goto(`${product.appUrl}${path}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      return page;
    };
    const expectStill = async (page: Page) => {
      await page.waitForLoadState('networkidle');
      const shifts = await shiftsOf(page);
      const sum = shifts.reduce((all, { value }) => all + value, 0);
      expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThanOrEqual(MOST);
    };

    it.each(screens)('%s', async (_name, path, last) => {
      const page = await lateScreen(path());
      if (last) await page.getByText(last).first().waitFor();
      await expectStill(page);
    });

    it('reminders', async () => {
      const page = await lateScreen('/openInvoices');
      await page.getByRole('button', { name: /^Reminders/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save reminders' }).waitFor();
      await expectStill(page);
    });
  });
});
