import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button, textOf, waitForTextIn } from '#tests/support/components/queries';
import { serveCustomers } from '#tests/support/servers/list-server';
import { newClinicToday, serveBatches, serveToday } from '#tests/support/servers/today-server';

async function openDashboard() {
  await serveBatches(calls, await serveToday(calls, newClinicToday()));
  return openApp('/');
}

describe('dashboard', () => {
  it('opens with the batches, and preloads the first page of customers', async () => {
    const customers = await serveCustomers(calls, 44);
    const user = await openDashboard();
    await screen.findByRole('heading', { name: 'Dashboard', level: 1 });
    await screen.findByRole('heading', { name: 'Batches Dashboard', level: 2 });
    await waitFor(() => expect(customers.calls).toHaveLength(1));
    expect(customers.calls[0]?.searchParams.get('page')).toBe('1');
    expect(document.title).toBe('Batches Dashboard – Tillway');
    // A reopened screen shows its loaded data immediately.
    customers.hold = new Promise(() => undefined);
    calls.answer(
      ({ pathname }) => pathname === '/api/owed',
      () => new Promise(() => undefined),
    );
    await user.click(screen.getAllByRole('link', { name: 'Customers' })[0] ?? document.body);
    await screen.findByText('Ada Okafor 1');
  });

  it('lists its views in a sidebar, each with its own address', async () => {
    const user = await openDashboard();
    const sidebar = within(await screen.findByRole('navigation', { name: 'Dashboard' }));
    const views = sidebar.getAllByRole('link');
    expect(views.map((view) => [textOf(view), view.getAttribute('href')])).toEqual([
      ['Batches Dashboard', '/batches'],
      ['Open Invoices', '/openInvoices'],
      ['Payment Analytics', '/analytics'],
    ]);
    expect(views[0]?.getAttribute('aria-current')).toBe('page');
    calls.answer(
      ({ pathname }) => pathname === '/api/owed' || pathname.startsWith('/api/invoices'),
      () => new Promise(() => undefined),
    );
    await user.click(sidebar.getByRole('link', { name: 'Open Invoices' }));
    expect(window.location.pathname).toBe('/openInvoices');
    await screen.findByRole('heading', { name: 'Open Invoices', level: 2 });
    expect(sidebar.getByRole('link', { name: 'Open Invoices' }).getAttribute('aria-current')).toBe('page');
  });

  it('shows an error if the customers cannot be loaded, and recovers on Retry', async () => {
    const customers = await serveCustomers(calls, 44);
    customers.state = 'refuses';
    const user = await openDashboard();
    await waitForTextIn('[role=alert]', /^The CRM does not answer\. Please try again\./);
    screen.getByRole('heading', { name: 'Dashboard', level: 1 });
    expect(screen.queryByRole('heading', { name: 'Batches Dashboard' })).toBeNull();
    // A failed token renewal is reported in the same place.
    calls.answer(
      ({ pathname }) => pathname === '/api/refresh-access-token',
      ({ fulfill }) => fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Please try again.' } } }),
    );
    await user.click(await button('Refresh Access Token'));
    await screen.findByText('Refresh token failed try again or logout and back in.');
    customers.state = 'answers';
    await user.click(await button('Retry'));
    await screen.findByRole('heading', { name: 'Batches Dashboard', level: 2 });
  });
});
