import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { PaymentAnalytics } from '#shared/contracts/payments/analytics';
import { calls } from '#tests/support/components/calls';
import { expectErrors } from '#tests/support/components/expected-errors';
import { openApp } from '#tests/support/components/merchant-app';
import { button, gate, textOf } from '#tests/support/components/queries';
import { figuresOf, serveAnalytics } from '#tests/support/servers/analytics-server';

const VOLUME = 'Payment Volume Over Time';
const METHODS = 'Payment Methods';
const STATUSES = 'Transaction Status Distribution';
const openAnalytics = async (search = '') => {
  const user = await openApp(`/analytics${search}`);
  await screen.findByRole('heading', { name: 'Payment Analytics', level: 2 });
  return user;
};
const findCard = (name: string) => screen.findByRole('region', { name });
const rowsOf = async (name: string) => [...(await findCard(name)).querySelectorAll('tbody tr')];
const tableOf = async (name: string): Promise<Record<string, string>> =>
  Object.fromEntries((await rowsOf(name)).map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
const expectDays = (count: number) => waitFor(async () => expect(await rowsOf(VOLUME)).toHaveLength(count));
const expectFigure = (name: string, text: RegExp) =>
  waitFor(() => {
    const figures = [...document.querySelectorAll('.figures .figure')].map(textOf);
    expect(figures.find((figure) => figure.startsWith(name))).toMatch(text);
  });
const formatDollars = (amount: number) => amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' });
const escapeForRegExp = (text: string) => text.replace(/[$.]/g, String.raw`\$&`);
const sumOf = (days: PaymentAnalytics['dailyPayments']) =>
  days.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100;

describe('payment analytics', () => {
  it('shows the last 30 days compared with the previous 30', async () => {
    const { requestedTimeframes } = await serveAnalytics(calls);
    await openAnalytics();
    await expectDays(30);
    expect(requestedTimeframes).toEqual(['month']);
    const timeframes = within(screen.getByLabelText('Timeframe')).getAllByRole('option');
    expect(timeframes.map(textOf)).toEqual(['Last 7 Days', 'Last 30 Days', 'Last 12 Months']);
    const [visa] = within(await findCard(METHODS)).getAllByRole('listitem');
    expect(textOf(visa)).toMatch(/^Visa ?412 ?56%$/);
    const [approved] = within(await findCard(STATUSES)).getAllByRole('listitem');
    expect(textOf(approved)).toMatch(/^740 ?Approved$/);
    const net = sumOf(figuresOf('month').dailyPayments);
    await expectFigure(
      'Net',
      new RegExp(`^Net ${escapeForRegExp(formatDollars(net))} 25% more than the 30 days before$`),
    );
    await expectFigure('Gross', new RegExp(`^Gross ${escapeForRegExp(formatDollars(net + 120.5))} 740 payments$`));
    await expectFigure('Refunds', /^Refunds −\$120\.50 3, \d\.\d% of gross$/);
    await expectFigure('Busiest hour', /^Busiest hour Monday, 10 AM 9 payments on average$/);
  });

  it('shows the data of each chart as a table', async () => {
    await serveAnalytics(calls);
    await openAnalytics('?timeframe=year');
    await expectDays(53);
    const { dailyPayments, paymentMethods } = figuresOf('year');
    const days = await tableOf(VOLUME);
    expect(days['Mar 2 to Mar 4, 2026']).toBe(formatDollars(sumOf(dailyPayments.slice(-3))));
    expect(await tableOf(METHODS)).toEqual(
      Object.fromEntries(Object.entries(paymentMethods).map(([method, count]) => [method, String(count)])),
    );
    expect(await tableOf(STATUSES)).toMatchObject({ Approved: '740', 'Timed out': '4', 'Not charged': '1' });
    // The data of this chart comes from a separate call.
    await waitFor(async () => expect(await tableOf('When people pay')).toMatchObject({ '10 AM': '36' }));
  });

  it('keeps showing its charts while another timeframe loads, and has the timeframe in the URL', async () => {
    const served = await serveAnalytics(calls);
    const user = await openAnalytics();
    await expectDays(30);
    const { closed, open: answer } = gate();
    served.hold = closed;
    await user.selectOptions(screen.getByLabelText('Timeframe'), 'Last 7 Days');
    expect(window.location.search).toBe('?timeframe=week');
    await waitFor(() => expect(document.querySelector('.charts[aria-busy=true]')).not.toBeNull());
    expect(await rowsOf(VOLUME)).toHaveLength(30);
    answer();
    await expectDays(7);
    expect(served.requestedTimeframes).toEqual(['month', 'week']);
    await openAnalytics('?timeframe=week');
    await expectDays(7);
  });

  it('shows a loading message before the first data arrives', async () => {
    const served = await serveAnalytics(calls);
    served.hold = new Promise(() => undefined);
    await openAnalytics();
    await screen.findByText('Loading analytics...');
  });

  it('shows empty charts with a message when nothing was paid', async () => {
    const served = await serveAnalytics(calls);
    served.state = 'empty';
    await openAnalytics();
    await within(await findCard(VOLUME)).findByText('No payments in this period.');
    await expectFigure('Net', /^Net \$0\.00/);
    await expectFigure('Busiest hour', /^Busiest hour None yet/);
  });

  it('reports a failed load in place of an empty chart, and reloads on Retry', async () => {
    expectErrors(/^Error fetching analytics data:/);
    const served = await serveAnalytics(calls);
    served.state = 'fails';
    const user = await openAnalytics();
    await screen.findByText(/The figures could not be loaded\./);
    expect(screen.queryByText('No payments in this period.')).toBeNull();
    await expectFigure('Net', /^Net N\/A/);
    served.state = 'answers';
    await user.click(await button('Retry'));
    await expectDays(30);
    expect(screen.queryByText(/The figures could not be loaded\./)).toBeNull();
  });

  it('shows no comparison if the previous period fails to load or has few payments', async () => {
    expectErrors(/^Error fetching analytics data:/);
    const served = await serveAnalytics(calls);
    served.comparisonState = 'fails';
    await openAnalytics();
    await expectDays(30);
    const net = new RegExp(`^Net ${escapeForRegExp(formatDollars(sumOf(figuresOf('month').dailyPayments)))}$`);
    await expectFigure('Net', net);
    await expectFigure('Gross', /^Gross N\/A 740 payments$/);
    expect(screen.queryByText(/The figures could not be loaded\./)).toBeNull();
    served.comparisonState = 'few';
    await openAnalytics();
    await expectFigure('Refunds', /^Refunds −\$120\.50/);
    await expectFigure('Net', net);
  });

  it('groups 12 months by week, or by month on request', async () => {
    await serveAnalytics(calls);
    const user = await openAnalytics('?timeframe=year');
    await expectDays(53);
    expect(textOf((await findCard(VOLUME)).querySelector('.legend'))).toMatch(/Net per week.*12 months before/);
    await user.click(screen.getByRole('radio', { name: 'Months' }));
    await expectDays(13);
    expect(textOf((await findCard(VOLUME)).querySelector('.legend'))).toMatch(/Net per month.*12 months before/);
  });
});
