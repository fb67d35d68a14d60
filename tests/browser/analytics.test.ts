import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { PaymentAnalytics } from '#shared/contracts/payments/analytics';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { comparisonOf, figuresOf, serveAnalytics } from '#tests/support/servers/analytics-server';
import { phone, useMerchant, VIEWS } from './merchant.ts';
import { expectText, payerPage, payWith, successHeading } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

/** A layout shift, which TypeScript's DOM types lack. */
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
/** The element of a figure: its name, value and note. */
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

/** Returns the visible parts of a chart that are outside its card or cover the table below. */
const overflowOf = (chart: Locator): Promise<string[]> =>
  chart.evaluate((element) => {
    const frame = element.getBoundingClientRect();
    const end = element.querySelector('.chart-table')?.getBoundingClientRect().top ?? frame.bottom;
    return [...element.querySelectorAll('.chart-plot *')]
      .filter((part) => part.checkVisibility({ visibilityProperty: true }) && !part.closest('.sr-only'))
      .filter((part) => {
        const { left, right, bottom } = part.getBoundingClientRect();
        return left < frame.left || right > frame.right || bottom > end + 1;
      })
      .map((part) => `${part.tagName} ${part.textContent?.slice(0, 20)}`);
  });

describe('payment analytics', () => {
  it('is drawn when the browser reports an invalid language tag', async () => {
    const page = await merchantPage({ locale: 'en-US@posix' });
    await serveAnalytics(page);
    await open(page);
    await card(page, VOLUME).locator('canvas').waitFor();
  });

  it.each(VIEWS)('shows the last 30 days in three charts (%s)', async (name, options) => {
    const page = await merchantPage(options);
    const { requestedTimeframes: timeframes } = await serveAnalytics(page);
    await open(page);
    await card(page, VOLUME).locator('canvas').waitFor();
    await card(page, STATUSES)
      .locator(name.includes('phone') ? 'li' : 'canvas')
      .first()
      .waitFor();
    expect(timeframes).toEqual(['month']);
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

  it('draws cards 400, 400 and 300 pixels high across 8, 4 and 12 of 12 columns', async () => {
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

  describe.each([390, 320])('on a phone of %d px', (width) => {
    it.each(['answers', 'all-hours'] as const)(
      'keeps each chart in its card, and each label on one line: %s',
      async (compares) => {
        const page = await merchantPage({ ...phone, viewport: { width, height: 844 } });
        (await serveAnalytics(page)).comparisonState = compares;
        await open(page);
        await expect.poll(() => card(page, 'When people pay').locator('.heat-cell').count()).toBeGreaterThan(0);
        for (const name of [VOLUME, METHODS, STATUSES, 'When people pay'])
          expect(await overflowOf(card(page, name)), `${name} at ${width}`).toEqual([]);
        const labels = await page
          .locator('.heat-hour > span:visible')
          .evaluateAll((all) => all.map((label) => label.getBoundingClientRect().toJSON() as DOMRect));
        expect(labels.length).toBeGreaterThanOrEqual(3);
        for (const [at, { height, right }] of labels.entries()) {
          expect(height).toBeLessThan(24);
          expect(right).toBeLessThan(labels[at + 1]?.left ?? width);
        }
      },
    );
  });

  it('shows the value of a day on hover and by keyboard', async () => {
    const page = await merchantPage();
    await serveAnalytics(page);
    await open(page, '?timeframe=week');
    const line = card(page, VOLUME).getByRole('slider');
    const expectValue = (day: string) =>
      expect.poll(() => line.getAttribute('aria-valuetext'), { timeout: 15_000 }).toMatch(new RegExp(`^${day}: \\$`));
    const tip = card(page, VOLUME).locator('.plot-tip');
    await line.focus();
    await expectValue('Mar 4, 2026');
    await line.press('ArrowLeft');
    await expectValue('Mar 3, 2026');
    const amountOf = (days: PaymentAnalytics['dailyPayments']) => dollars(days[5]?.amount ?? 0);
    const [current, previous] = [figuresOf('week').dailyPayments, comparisonOf('week').before.dailyPayments];
    await expectText(tip, `Mar 3, 2026 ${amountOf(current)} before ${amountOf(previous)}`);
    await line.press('Home');
    await expectValue('Feb 26, 2026');
    await page.keyboard.press('Tab');
    await tip.waitFor({ state: 'hidden' });
    const box = await line.boundingBox();
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 32, (box?.y ?? 0) + 60);
    await expectValue('Mar 4, 2026');
    await tip.waitFor();
    await card(page, METHODS).getByRole('listitem').getByText('Discover').hover();
    await expectText(card(page, METHODS).locator('.ring-middle'), /^4%/);
  });

  it('shows an increase in green, but not a decrease', async () => {
    const page = await merchantPage();
    const server = await serveAnalytics(page);
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
    server.comparisonState = 'more';
    await page.reload();
    expect(await colourOf('50% less')).toBe(
      await page.locator('.figure-main').evaluate((value) => getComputedStyle(value).color),
    );
  });

  it.each(VIEWS)('shifts no layout when responses arrive late (%s)', async (_name, options) => {
    const page = await merchantPage(options);
    const server = await serveAnalytics(page);
    await page.addInitScript(() => {
      Object.assign(window, { moved: [] });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as Shift[]) {
          const names = entry.sources.map(({ node }) => (node as Element | null)?.className ?? '');
          if (!entry.hadRecentInput) (window as unknown as { moved: unknown[] }).moved.push([entry.value, ...names]);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    let release = () => {};
    server.hold = new Promise((resolve) => {
      release = resolve;
    });
    await open(page);
    await page.getByText('Loading analytics...').waitFor();
    await card(page, 'When people pay').waitFor();
    await page.evaluate(() => document.fonts.ready);
    const edges = () =>
      page
        .locator('.figures, .chart')
        .evaluateAll((all) => all.map((part) => JSON.stringify(part.getBoundingClientRect())));
    const waiting = await edges();
    // Resets the layout shifts that the shell caused before this view's code loaded.
    await page.evaluate(() => Object.assign(window, { moved: [] }));
    release();
    // On a phone the outcomes are rows, not a chart.
    await card(page, STATUSES).locator('li').first().waitFor();
    await expectText(figure(page, 'Busiest hour'), /Monday/);
    expect(await edges()).toEqual(waiting);
    const moved = await page.evaluate(() => (window as unknown as { moved: [number, ...string[]][] }).moved);
    expect(
      moved.reduce((sum, [value]) => sum + value, 0),
      JSON.stringify(moved),
    ).toBeLessThanOrEqual(0.02);
  });

  it('includes a payment as soon as it is made', async () => {
    const page = await merchantPage();
    await open(page, '?timeframe=week');
    const approvedCount = async () => {
      await card(page, STATUSES).locator('canvas').waitFor();
      // The row is missing until the product's first payment.
      return Number((await tableOf(page, STATUSES)).Approved?.replaceAll(',', '') ?? 0);
    };
    await card(page, STATUSES).locator('summary').click();
    const before = await approvedCount();
    const { address } = await product.makeLink();
    const payer = await payerPage(newPage);
    await payWith(payer, address);
    await successHeading(payer).waitFor();
    await page.reload();
    await card(page, STATUSES).locator('summary').click();
    expect(await approvedCount()).toBeGreaterThan(before);
  });
});
