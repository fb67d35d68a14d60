import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { Today } from '#shared/contracts/payments/today';
import { calls } from '#tests/support/components/calls';
import { expectErrors } from '#tests/support/components/expected-errors';
import { openApp } from '#tests/support/components/merchant-app';
import { button, textOf } from '#tests/support/components/queries';
import {
  busyToday,
  dayBefore,
  movement,
  newClinicToday,
  serveBatches,
  serveToday,
} from '#tests/support/servers/today-server';

const headerText = () => textOf(document.querySelector('.today'));
const announcement = () => textOf(document.querySelector('.today [role=status]'));
/** Triggers the next poll immediately. */
const pollNow = () => document.dispatchEvent(new Event('visibilitychange'));

async function openDashboard(today: Today | null) {
  const state = await serveToday(calls, today);
  await serveBatches(calls, state);
  return { state, user: await openApp('/') };
}

describe('dashboard header', () => {
  it('shows the takings, the amounts owed, the items for manual review and the latest payments', async () => {
    await openDashboard(busyToday());
    await screen.findAllByText('$753.35');
    for (const part of [
      /Taken today.*\$753\.35.*\$421\.65 more than last \w+day by \d+:\d\d\s[AP]M.*12 payments, 1 refund of \$38\.40/,
      /the mark: last \w+day by \d+:\d\d\s[AP]M/,
      /\$588\.50 is not known yet INV-1121, Owen Hartley, online.*\. Do not take it again\. Check payment/,
      /Two payments look alike: \$71\.10 Visa 1111 on Front desk 1, .* and .* Compare/,
      /\$142\.20 matches no invoice XXXX4242, .* Find invoice/,
      /A refund or void of \$20\.00 is waiting for approval INV-8, Ada, .* Decide/,
      /2 payment links came back INV-9 and 1 more: emails to this address are not delivered\. Fix first address/,
      /Ivy Whitfield.*INV-1129, online, Visa 1111.*\$147\.20/,
      /Daniel Raman.*INV-1071, refund.*minus.*−\$38\.40/,
    ])
      expect(headerText()).toMatch(part);
    const sums = within(screen.getByRole('navigation', { name: 'Outstanding' })).getAllByRole('link');
    expect(sums.map(textOf)).toEqual([
      expect.stringMatching(/^Owed ?, ?\$54,214\.25 ?, 96 invoices$/),
      expect.stringMatching(/^Overdue ?, ?\$9,846\.20 ?, 23 invoices, oldest 74 days$/),
      expect.stringMatching(/^To check ?, ?\$801\.80 ?, 3 payments to check$/),
    ]);
    // The header row, 14 days and the mark.
    expect(within(screen.getByRole('figure')).getAllByRole('row')).toHaveLength(16);
  });

  it('draws no bar above the line for a day with more refunds than payments', async () => {
    const today = busyToday();
    const days = today.days.map((entry, index) => (index === 3 ? { ...entry, amount: '-118.25' } : entry));
    await openDashboard({ ...today, days });
    const day = await screen.findByRole('link', { name: /, −\$118\.25$/ });
    expect(day.querySelector('.strip-fill')).toBeNull();
    expect(day.querySelector<HTMLElement>('.strip-minus')?.style.height).toBe('');
    expect(document.querySelectorAll('.strip-minus')).toHaveLength(1);
  });

  it('links each outstanding amount to its items', async () => {
    await openDashboard(busyToday());
    await screen.findAllByText('$753.35');
    const sums = within(screen.getByRole('navigation', { name: 'Outstanding' })).getAllByRole('link');
    expect(sums.map((sum) => sum.getAttribute('href'))).toEqual([
      expect.stringMatching(/^\/openInvoices\?(.*&)?status=owed$/),
      expect.stringMatching(/^\/openInvoices\?(.*&)?status=overdue$/),
      '/checks',
    ]);
  });

  it('links the day’s takings to its payments, and the latest payments to all payments', async () => {
    await openDashboard(busyToday());
    const [figure] = await screen.findAllByRole('link', { name: /^\$753\.35 ?, all payments of today$/ });
    const { day } = busyToday();
    expect(figure?.getAttribute('href')).toBe(`/transactions/all?day=${day}..${day}`);
    expect(screen.getByRole('link', { name: 'All payments' }).getAttribute('href')).toBe('/transactions/all');
  });

  it('links each bar to the takings of its day', async () => {
    await openDashboard(busyToday());
    await screen.findAllByText('$753.35');
    const bars = within(screen.getByRole('figure')).getAllByRole('link');
    expect(bars).toHaveLength(14);
    expect(bars[0]?.getAttribute('aria-label')).toMatch(/^\w+day, \w{3} \d+, \$870\.00$/);
    expect(bars[0]?.getAttribute('href')).toBe(`/takings?date=${dayBefore(13)}`);
  });

  it('shows no comparison for a new clinic', async () => {
    await openDashboard(newClinicToday());
    await screen.findByText('No payments yet today');
    for (const part of [
      '$0.00',
      'Nothing needs a person.',
      'Today’s first payment will appear here.',
      'nothing to check',
    ])
      expect(headerText()).toContain(part);
    expect(headerText()).not.toMatch(/last \w+day|mark/);
    await waitFor(() => expect(screen.getAllByText('No batches found.')).toHaveLength(3));
  });

  it('leaves the batches visible if its figures cannot be loaded, and recovers on Retry', async () => {
    expectErrors(/^Failed to fetch today/);
    const { state, user } = await openDashboard(null);
    await serveBatches(calls, { today: busyToday() });
    await screen.findByText(/The day’s figures could not be loaded\./);
    await waitFor(() => expect(screen.getAllByRole('link', { name: /More Details/ }).length).toBeGreaterThan(0));
    state.today = busyToday();
    await user.click(await button('Retry'));
    await screen.findAllByText('$753.35');
  });

  it('announces no payments after announcements are turned off in the account menu', async () => {
    const first = await openDashboard(busyToday());
    const { state } = first;
    await screen.findAllByText('$753.35');
    const switchAnnouncements = async ({ user }: Pick<typeof first, 'user'>, isOn: boolean) => {
      await user.click(await button(/^Account, /));
      const announce = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Announce new payments' });
      expect(announce.checked).toBe(!isOn);
      await user.click(announce);
      await user.keyboard('{Escape}');
    };
    const addPayment = async (id: string, customer: string) => {
      const newer = busyToday();
      newer.latest = [movement(id, 1, '100.00', customer), ...newer.latest.slice(0, 4)];
      state.today = newer;
      pollNow();
      await screen.findByRole('link', { name: customer });
    };
    await switchAnnouncements(first, false);
    await addPayment('1130', 'June Park');
    expect(announcement()).toBe('');
    // The setting also applies after the page is loaded again.
    const user = await openApp('/');
    await screen.findByRole('link', { name: 'June Park' });
    await addPayment('1131', 'Kai Moss');
    expect(announcement()).toBe('');
    await switchAnnouncements({ user }, true);
    await addPayment('1132', 'Lena Ortiz');
    expect(announcement()).toBe('Payment, $100.00, Lena Ortiz');
  });

  it('refreshes while visible, and shows the age of its figures when a refresh fails', async () => {
    const { state, user } = await openDashboard(busyToday());
    await serveBatches(calls, { today: { ...busyToday(), taken: '863.35', payments: 14 } });
    await screen.findAllByText('$753.35');
    const newer = busyToday();
    newer.latest = [movement('1130', 2, '100.00', 'June Park'), ...newer.latest.slice(0, 4)];
    state.today = { ...newer, taken: '853.35', payments: 13 };
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
    pollNow();
    await screen.findAllByText('$853.35');
    await waitFor(() => expect(announcement()).toBe('Payment, $100.00, June Park'));
    state.today = {
      ...newer,
      taken: '863.35',
      payments: 14,
      latest: [movement('1131', 1, '10.00', 'Kai Moss'), ...newer.latest.slice(0, 4)],
    };
    pollNow();
    await screen.findByText('Kai Moss');
    // Announcements are at least 10 seconds apart.
    expect(announcement()).toBe('Payment, $100.00, June Park');
    clock.mockRestore();
    expectErrors(/^Failed to fetch today/);
    state.today = null;
    pollNow();
    await screen.findByText(/^Showing figures of \d+:\d\d\s[AP]M, last try \d+:\d\d\s[AP]M\. Press Retry/);
    expect(headerText()).toMatch(/Taken today.*by \d+:\d\d\s[AP]M.*\$863\.35.* Paused/);
    state.today = busyToday();
    await user.click(await button('Retry'));
    await screen.findByText('Live');
  });
});
