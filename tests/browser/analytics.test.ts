import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { PaymentAnalytics } from '#shared/contracts/analytics';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { comparisonOf, figuresOf, serveAnalytics } from '#tests/support/servers/analytics-server';
import { useMerchant, VIEWS } from './merchant.ts';
import { expectText, payerPage, payWith, succeeded } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const REFUSED = /Failed to load resource|Error fetching analytics data:/;
/** A layout shift, which TypeScript does not know yet. */
type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] };

async function open(page: Page, search = ''): Promise<void> {
  await page.goto(`${product.appUrl}/analytics${search}`);
  await page.getByRole('heading', { name: 'Payment Analytics', level: 2 }).waitFor();
}
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const VOLUME = 'Payment Volume Over Time';
const METHODS = 'Payment Methods';
const STATUSES = 'Transaction Status Distribution';
const sumOf = (days: PaymentAnalytics['dailyPayments']) =>
  days.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100;
const figures = (page: Page) => page.locator('.figures');
/** The words of a figure: its name, value and note. */
const figure = (page: Page, name: string) =>
  figures(page)
    .locator('.figure')
    .filter({ has: page.getByText(name, { exact: true }) });
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
    await card(page, STATUSES)
      .locator(name.includes('phone') ? 'li' : 'canvas')
      .first()
      .waitFor();
    expect(asked).toEqual(['month']);
    expect(await page.getByLabel('Timeframe').getByRole('option').allInnerTexts()).toEqual([
      'Last 7 Days',
      'Last 30 Days',
      'Last 12 Months',
    ]);
    expect(await card(page, METHODS).locator('circle').count()).toBe(6);
    await expectText(card(page, METHODS).getByRole('listitem').first(), 'Visa 412 56%');
    await expectText(card(page, STATUSES).getByRole('listitem').first(), '740 Approved');
    const net = sumOf(figuresOf('month').dailyPayments);
    await expectText(figure(page, 'Net'), `Net ${dollars(net)} 25% more than the 30 days before`);
    await expectText(figure(page, 'Gross'), `Gross ${dollars(net + 120.5)} 740 payments`);
    await expectText(figure(page, 'Refunds'), /^Refunds −\$120\.50 3, \d\.\d% of gross$/);
    await expectText(figure(page, 'Busiest hour'), 'Busiest hour Monday, 10 AM 9 payments on average');
    await expectText(card(page, VOLUME).locator('.legend'), 'Net per day 30 days before');
    await expect.poll(() => card(page, 'When people pay').locator('.heat-cell').count()).toBe(6 * 10);
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
    await expectDays(page, 53);
    for (const name of [VOLUME, METHODS, STATUSES]) await card(page, name).locator('summary').click();
    const { dailyPayments, paymentMethods } = figuresOf('year');
    const days = await tableOf(page, VOLUME);
    expect(Object.keys(days)).toHaveLength(53);
    const running = dailyPayments.slice(-3);
    expect(days['Mar 2 to Mar 4, 2026']).toBe(dollars(sumOf(running)));
    expect(await tableOf(page, METHODS)).toEqual(
      Object.fromEntries(Object.entries(paymentMethods).map(([method, count]) => [method, String(count)])),
    );
    expect(await tableOf(page, STATUSES)).toMatchObject({ Approved: '740', 'Timed out': '4', 'Not charged': '1' });
    await figures(page)
      .getByText(dollars(sumOf(dailyPayments)), { exact: true })
      .waitFor();
    await card(page, 'When people pay').locator('summary').click();
    // Its figures are another call's.
    await expect.poll(() => tableOf(page, 'When people pay')).toMatchObject({ '10 AM': '36' });
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
    const shown = (days: PaymentAnalytics['dailyPayments']) => dollars(days[5]?.amount ?? 0);
    const [own, before] = [figuresOf('week').dailyPayments, comparisonOf('week').before.dailyPayments];
    await expectText(tip, `Mar 3, 2026 ${shown(own)} before ${shown(before)}`);
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
    await expectText(figure(page, 'Net'), 'Net $0.00');
    await expectText(figure(page, 'Busiest hour'), 'Busiest hour None yet');
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
    await expectText(figure(page, 'Net'), 'Net N/A');
    expect(logged.some((line) => line.startsWith('Error fetching analytics data:'))).toBe(true);
    await expectAccessible(page);
    await picture(page, 'analytics-failed');
    served.state = 'answers';
    await page.getByRole('button', { name: 'Retry' }).click();
    await card(page, VOLUME).locator('canvas').waitFor();
    await page.getByText('The figures could not be loaded.').waitFor({ state: 'detached' });
  });

  it('shows what it has when the period before cannot be read, and no percentage of a few payments', async () => {
    const page = await merchantPage({ expected: REFUSED });
    const served = await serveAnalytics(page);
    served.compares = 'fails';
    await open(page);
    await card(page, VOLUME).locator('canvas').waitFor();
    const net = dollars(sumOf(figuresOf('month').dailyPayments));
    await expectText(figure(page, 'Net'), `Net ${net}`);
    await expectText(figure(page, 'Gross'), 'Gross N/A 740 payments');
    expect(await page.getByText('The figures could not be loaded.').count()).toBe(0);
    await card(page, VOLUME).locator('.legend-before').waitFor({ state: 'hidden' });
    await expectAccessible(page);
    served.compares = 'few';
    await page.reload();
    await expectText(figure(page, 'Refunds'), /^Refunds −\$120\.50/);
    await expectText(figure(page, 'Net'), `Net ${net}`);
  });

  it('shows a rise in green, and no fall', async () => {
    const page = await merchantPage();
    const served = await serveAnalytics(page);
    const colourOf = (name: string) =>
      figure(page, 'Net')
        .getByText(name)
        .evaluate((word) => getComputedStyle(word).color);
    const green = () =>
      page.evaluate(() => {
        const probe = document.body.appendChild(document.createElement('p'));
        probe.style.color = 'var(--ok)';
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      });
    await open(page);
    await expect.poll(() => colourOf('25% more')).toBe(await green());
    served.compares = 'more';
    await page.reload();
    expect(await colourOf('50% less')).toBe(
      await page.locator('.figure-main').evaluate((value) => getComputedStyle(value).color),
    );
  });

  it('puts 12 months together by weeks, and by months when asked', async () => {
    const page = await merchantPage({ theme: 'dark' });
    await serveAnalytics(page);
    await open(page, '?timeframe=year');
    await expectDays(page, 53);
    await expectText(card(page, VOLUME).locator('.legend'), 'Net per week 12 months before');
    await picture(page, 'analytics-weeks');
    await page.getByText('Months', { exact: true }).click();
    expect(await page.getByRole('radio', { name: 'Months' }).isChecked()).toBe(true);
    await expectDays(page, 13);
    await expectText(card(page, VOLUME).locator('.legend'), 'Net per month 12 months before');
    await expectAccessible(page);
  });

  it.each(VIEWS)('moves nothing when answers come late (%s)', async (_name, options) => {
    const page = await merchantPage(options);
    const served = await serveAnalytics(page);
    await page.addInitScript(() => {
      Object.assign(window, { moved: [] });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as Shift[]) {
          const of = entry.sources.map(({ node }) => (node as Element | null)?.className ?? '');
          if (!entry.hadRecentInput) (window as unknown as { moved: unknown[] }).moved.push([entry.value, ...of]);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    let release = () => {};
    served.hold = new Promise((resolve) => {
      release = resolve;
    });
    await open(page);
    await page.getByText('Loading analytics...').waitFor();
    await card(page, 'When people pay').waitFor();
    await page.evaluate(() => document.fonts.ready);
    const edges = () =>
      page
        .locator('.figures, .chart')
        .evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));
    const waiting = await edges();
    // What the shell moved before this view's code came is the shell's.
    await page.evaluate(() => Object.assign(window, { moved: [] }));
    release();
    // On a phone the outcomes are rows and no drawing.
    await card(page, STATUSES).locator('li').first().waitFor();
    await expectText(figure(page, 'Busiest hour'), /Monday/);
    expect(await edges()).toEqual(waiting);
    const moved = await page.evaluate(() => (window as unknown as { moved: [number, ...string[]][] }).moved);
    expect(
      moved.reduce((sum, [value]) => sum + value, 0),
      JSON.stringify(moved),
    ).toBeLessThanOrEqual(0.02);
  });

  it('counts a payment as soon as it was made', async () => {
    const page = await merchantPage();
    await open(page, '?timeframe=week');
    const approved = async () => {
      await card(page, STATUSES).locator('canvas').waitFor();
      // There is no such row before the product's first payment.
      return Number((await tableOf(page, STATUSES)).Approved?.replaceAll(',', '') ?? 0);
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
