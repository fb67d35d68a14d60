import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { PaymentAnalytics } from '#shared/contracts/analytics';
import type { Timeframe } from '#shared/contracts/analytics-request';
import { addDays } from '#shared/text/local-day';
import { answerCalls } from '#tests/support/browser/answer-calls';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { useMerchant, VIEWS } from './merchant.ts';
import { expectText, payerPage, payWith, succeeded } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const REFUSED = /Failed to load resource|Error fetching analytics data:/;
const LAST = '2026-03-04';
const DAYS: Record<Timeframe, number> = { week: 7, month: 30, year: 365 };
const NOTHING = { paymentMethods: {}, transactionStatus: {} };

const figuresOf = (timeframe: Timeframe): PaymentAnalytics => ({
  dailyPayments: Array.from({ length: DAYS[timeframe] }, (_, back) => ({
    date: addDays(LAST, back + 1 - DAYS[timeframe]),
    amount: back % 7 === 3 ? 0 : ((back * 7919) % 90_000) / 100 + 12.5,
  })),
  paymentMethods: {
    Visa: 412,
    Mastercard: 201,
    'American Express': 77,
    Discover: 31,
    'Bank account': 18,
    'Other card': 1,
  },
  transactionStatus: {
    approved: 740,
    declined: 38,
    cancelled: 12,
    timed_out: 4,
    refunded: 9,
    voided: 3,
    not_charged: 1,
  },
});

type Served = {
  asked: string[];
  state: 'answers' | 'empty' | 'fails';
  hold: Promise<void> | null;
};

async function serveAnalytics(page: Page): Promise<Served> {
  const served: Served = { asked: [], state: 'answers', hold: null };
  await answerCalls(
    page,
    ({ pathname }) => pathname === '/api/analytics/payments',
    async (call) => {
      const timeframe = (call.url.searchParams.get('timeframe') ?? '') as Timeframe;
      served.asked.push(timeframe);
      await served.hold;
      const figures = figuresOf(timeframe);
      const quiet = { ...NOTHING, dailyPayments: figures.dailyPayments.map(({ date }) => ({ date, amount: 0 })) };
      await (served.state === 'fails'
        ? call.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Please try again.' } } })
        : call.fulfill({ json: served.state === 'empty' ? quiet : figures }));
    },
  );
  return served;
}

async function open(page: Page, search = ''): Promise<void> {
  await page.goto(`${product.appUrl}/analytics${search}`);
  await page.getByRole('heading', { name: 'Payment Analytics', level: 2 }).waitFor();
}
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const VOLUME = 'Payment Volume Over Time';
const METHODS = 'Payment Methods';
const STATUSES = 'Transaction Status Distribution';
const dollars = (amount: number) => amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' });
const tableOf = async (page: Page, name: string): Promise<Record<string, string>> => {
  const rows = await card(page, name)
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
  return Object.fromEntries(rows);
};

const expectDays = (page: Page, count: number) =>
  expect.poll(() => card(page, VOLUME).locator('tbody tr').count(), { timeout: 15_000 }).toBe(count);

describe('payment analytics', () => {
  it('is drawn where the browser calls its language by a name that no browser knows', async () => {
    const page = await merchantPage({ locale: 'en-US@posix' });
    await serveAnalytics(page);
    await open(page);
    await card(page, VOLUME).locator('canvas').waitFor();
  });

  it.each(VIEWS)('shows the last 30 days in three charts (%s)', async (name, options) => {
    const page = await merchantPage(options);
    const { asked } = await serveAnalytics(page);
    await open(page);
    await card(page, VOLUME).locator('canvas').waitFor();
    await card(page, STATUSES).locator('canvas').waitFor();
    expect(asked).toEqual(['month']);
    expect(await page.getByLabel('Timeframe').getByRole('option').allInnerTexts()).toEqual([
      'Last 7 Days',
      'Last 30 Days',
      'Last 12 Months',
    ]);
    expect(await card(page, METHODS).locator('circle').count()).toBe(6);
    await expectText(card(page, METHODS).getByRole('listitem').first(), 'Visa 412 56%');
    await expectText(card(page, STATUSES).getByRole('listitem').first(), '740 Approved');
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await picture(page, `analytics-${name.replace(' ', '-')}`);
  });

  it('is in the sidebar, with its own address', async () => {
    const page = await merchantPage();
    await serveAnalytics(page);
    await page.goto(product.appUrl);
    const link = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Payment Analytics' });
    await link.click();
    await page.waitForURL(`${product.appUrl}/analytics`);
    await page.getByRole('heading', { name: 'Payment Analytics', level: 2 }).waitFor();
    expect(await link.getAttribute('aria-current')).toBe('page');
  });

  it('draws cards 400, 400 and 300 pixels high over 8, 4 and 12 of 12 columns', async () => {
    const page = await merchantPage();
    await serveAnalytics(page);
    await open(page);
    const boxes = await Promise.all([VOLUME, METHODS, STATUSES].map((name) => card(page, name).boundingBox()));
    expect(boxes.map((box) => box?.height)).toEqual([400, 400, 300]);
    const [volume = 0, methods = 0, statuses = 0] = boxes.map((box) => box?.width ?? 0);
    const column = (statuses - 11 * 16) / 12;
    expect(Math.abs(volume - (8 * column + 7 * 16))).toBeLessThan(1);
    expect(Math.abs(methods - (4 * column + 3 * 16))).toBeLessThan(1);
  });

  it('has an equal table for each chart', async () => {
    const page = await merchantPage();
    await serveAnalytics(page);
    await open(page, '?timeframe=year');
    for (const name of [VOLUME, METHODS, STATUSES]) await card(page, name).locator('summary').click();
    const { dailyPayments, paymentMethods } = figuresOf('year');
    const days = await tableOf(page, VOLUME);
    expect(Object.keys(days)).toHaveLength(365);
    expect(Object.values(days)).toEqual(dailyPayments.map(({ amount }) => dollars(amount)));
    expect(days['Mar 4, 2026']).toBe(dollars(dailyPayments.at(-1)?.amount ?? 0));
    expect(await tableOf(page, METHODS)).toEqual(
      Object.fromEntries(Object.entries(paymentMethods).map(([method, count]) => [method, String(count)])),
    );
    expect(await tableOf(page, STATUSES)).toMatchObject({ Approved: '740', 'Timed out': '4', 'Not charged': '1' });
    const sum = dailyPayments.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100;
    await card(page, VOLUME).locator('.chart-figure').getByText(dollars(sum), { exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('says the value of a day to the mouse and to the keyboard', async () => {
    const page = await merchantPage();
    await serveAnalytics(page);
    await open(page, '?timeframe=week');
    const line = card(page, VOLUME).getByRole('slider');
    const said = (day: string) =>
      expect.poll(() => line.getAttribute('aria-valuetext'), { timeout: 15_000 }).toMatch(new RegExp(`^${day}: \\$`));
    const tip = card(page, VOLUME).locator('.plot-tip');
    await line.focus();
    await said('Mar 4, 2026');
    await line.press('ArrowLeft');
    await said('Mar 3, 2026');
    await expectText(tip, `Mar 3, 2026 ${dollars(figuresOf('week').dailyPayments[5]?.amount ?? 0)}`);
    await line.press('Home');
    await said('Feb 26, 2026');
    await page.keyboard.press('Tab');
    await tip.waitFor({ state: 'hidden' });
    const box = await line.boundingBox();
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 32, (box?.y ?? 0) + 60);
    await said('Mar 4, 2026');
    await tip.waitFor();
    await card(page, METHODS).getByRole('listitem').getByText('Discover').hover();
    await expectText(card(page, METHODS).locator('.ring-middle'), /^4%/);
  });

  it('keeps its charts while another timeframe loads, and the address keeps the timeframe', async () => {
    const page = await merchantPage();
    const served = await serveAnalytics(page);
    await open(page);
    await card(page, VOLUME).locator('canvas').waitFor();
    let release = () => {};
    served.hold = new Promise((resolve) => {
      release = resolve;
    });
    await page.getByLabel('Timeframe').selectOption('Last 7 Days');
    await page.waitForURL(`${product.appUrl}/analytics?timeframe=week`);
    await page.locator('.charts[aria-busy=true]').waitFor();
    expect(await card(page, VOLUME).locator('tbody tr').count()).toBe(30);
    release();
    await expectDays(page, 7);
    expect(served.asked).toEqual(['month', 'week']);
    await page.reload();
    await expectDays(page, 7);
    await page.goBack();
    await expectDays(page, 30);
  });

  it('says that it is loading before there is anything', async () => {
    const page = await merchantPage();
    const served = await serveAnalytics(page);
    served.hold = new Promise(() => undefined);
    await open(page);
    await page.getByText('Loading analytics...').waitFor();
    await expectAccessible(page);
  });

  it('shows empty charts with a word when nothing was paid', async () => {
    const page = await merchantPage();
    const served = await serveAnalytics(page);
    served.state = 'empty';
    await open(page);
    await card(page, VOLUME).getByText('No payments in this time.').waitFor();
    await card(page, VOLUME).getByText('$0.00', { exact: true }).first().waitFor();
    await expectAccessible(page);
    await picture(page, 'analytics-empty');
  });

  it('reports a failed load, unlike an empty chart, and reads again when asked', async () => {
    const page = await merchantPage({ expected: REFUSED });
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    const served = await serveAnalytics(page);
    served.state = 'fails';
    await open(page);
    await page.getByText('The figures could not be loaded.').waitFor();
    expect(await page.getByText('No payments in this time.').count()).toBe(0);
    await card(page, VOLUME).getByText('N/A').waitFor();
    expect(logged.some((line) => line.startsWith('Error fetching analytics data:'))).toBe(true);
    await expectAccessible(page);
    await picture(page, 'analytics-failed');
    served.state = 'answers';
    await page.getByRole('button', { name: 'Retry' }).click();
    await card(page, VOLUME).locator('canvas').waitFor();
    await page.getByText('The figures could not be loaded.').waitFor({ state: 'detached' });
  });

  it('counts a payment as soon as it was made', async () => {
    const page = await merchantPage();
    await open(page, '?timeframe=week');
    const approved = async () => {
      await card(page, STATUSES).locator('canvas').waitFor();
      return Number((await tableOf(page, STATUSES)).Approved?.replaceAll(',', ''));
    };
    await card(page, STATUSES).locator('summary').click();
    const before = await approved();
    const { address } = await product.makeLink();
    const payer = await payerPage(newPage);
    await payWith(payer, address);
    await succeeded(payer).waitFor();
    await page.reload();
    await card(page, STATUSES).locator('summary').click();
    expect(await approved()).toBeGreaterThan(before);
  });
});
