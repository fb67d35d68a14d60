import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { answerWith, calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button, findAlert, gate, recordNavigations, titlesOf } from '#tests/support/components/queries';
import { serveCustomers, serveInvoices } from '#tests/support/servers/list-server';
import { owedOf } from '#tests/support/servers/open-invoices-server';

const expectFirstTitle = (title: string) => waitFor(() => expect(titlesOf()[0]).toBe(title));
const clickButton = async (name: string) => fireEvent.click(await button(name));

async function openInvoices(count = 137) {
  const server = await serveInvoices(calls, count);
  const user = await openApp('/invoices');
  if (count > 0) await expectFirstTitle('INV-1042');
  return { server, user };
}

async function serveAllCustomers() {
  const server = await serveCustomers(calls, 44);
  answerWith('/api/owed', { ...owedOf([]), customers: { all: 44, owes: 29, overdue: 0 } });
  return server;
}

describe('states of the invoice list', () => {
  it('shows a loading message', async () => {
    const server = await serveInvoices(calls, 137);
    const { closed, open } = gate();
    server.hold = closed;
    await openApp('/invoices');
    await screen.findByText('Loading invoices...');
    await waitFor(() => expect(document.querySelector('.at-title .skeleton')).not.toBeNull());
    open();
    await expectFirstTitle('INV-1042');
    expect(screen.queryByText('Loading invoices...')).toBeNull();
  });

  it('keeps its rows while the next page loads', async () => {
    const { server } = await openInvoices();
    const { closed, open } = gate();
    server.hold = closed;
    await clickButton('Next page');
    const table = screen.getByRole('region', { name: 'Table of invoices' });
    await waitFor(() => expect(table.getAttribute('aria-busy')).toBe('true'));
    expect(titlesOf()[0]).toBe('INV-1042');
    open();
    await screen.findByText(/11-20 of 137/);
    expect(titlesOf()[0]).toBe('INV-1032');
    expect(table.getAttribute('aria-busy')).toBeNull();
  });

  it('shows the response to the newest request, even if an older one arrives later', async () => {
    const { server } = await openInvoices();
    const { closed, open } = gate();
    server.hold = closed;
    await clickButton('Next page');
    await waitFor(() => expect(server.calls).toHaveLength(2));
    server.hold = null;
    await clickButton('Last page');
    await screen.findByText(/131-137 of 137/);
    open();
    await closed;
    await new Promise((resolve) => setImmediate(resolve));
    expect(screen.getByText(/131-137 of 137/)).toBeTruthy();
    expect(titlesOf()).toHaveLength(7);
  });

  it('shows a message when the clinic has no invoices', async () => {
    await openInvoices(0);
    await screen.findByText('No invoices available.');
  });

  it('keeps its rows and reports an error if the server is unreachable, and recovers on Retry', async () => {
    const { server } = await openInvoices();
    server.state = 'unreachable';
    await clickButton('Next page');
    const alert = await findAlert(/^Invoices could not be loaded\. Last try \d+:\d\d/);
    expect(titlesOf()[0]).toBe('INV-1042');
    server.state = 'answers';
    fireEvent.click(await button('Retry', alert));
    await screen.findByText(/11-20 of 137/);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows the age of the data while HubSpot is not answering', async () => {
    const server = await serveInvoices(calls, 137);
    server.state = 'stale';
    await openApp('/invoices');
    await screen.findByText(/HubSpot is not answering\. Showing data from Mar 4, 2026, 5:41/);
    await expectFirstTitle('INV-1042');
  });

  it('shows the progress of the first copy, and can be used while it runs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const server = await serveInvoices(calls, 137);
    server.state = 'copying';
    await openApp('/invoices');
    const progressText = (count: string) =>
      `Copying invoices from your CRM: ${count} of 100,000. You can already work.`;
    await screen.findByText(progressText('12,400'));
    await clickButton('Invoice Number');
    await waitFor(() => expect(server.calls.at(-1)?.searchParams.get('sort')).toBe('hs_number'));
    server.copiedCount = 99_000;
    await vi.advanceTimersByTimeAsync(2000);
    await screen.findByText(progressText('99,000'));
    server.state = 'answers';
    await vi.advanceTimersByTimeAsync(2000);
    await waitFor(() => expect(screen.queryByText(/You can already work/)).toBeNull());
    const callCount = server.calls.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.calls).toHaveLength(callCount);
  });

  it('removes its rows on a server error, which Customers then shows too', async () => {
    const customers = await serveAllCustomers();
    const { server, user } = await openInvoices();
    server.state = 'refuses';
    await clickButton('Next page');
    await screen.findByText(/The CRM does not answer\. Please try again\./);
    expect(titlesOf()).toEqual([]);
    await user.click(screen.getAllByRole('link', { name: 'Customers' })[0] ?? document.body);
    await screen.findByRole('heading', { name: 'Customers' });
    const alert = await findAlert('The CRM does not answer. Please try again.');
    await button('Refresh Access Token');
    await button('Logout');
    expect(customers.calls).toEqual([]);
    fireEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
    await screen.findByText(/1-10 of 44/);
  });

  it('logs out a user whose session has expired after one attempt to renew the token', async () => {
    const redirects = recordNavigations();
    const { server } = await openInvoices();
    const renewals: string[] = [];
    calls.answer(
      ({ pathname }) => pathname === '/api/refresh-access-token',
      async ({ url, fulfill }) => {
        renewals.push(url.pathname);
        await fulfill({ json: { accessToken: 'next' } });
      },
    );
    server.state = 'signed-out';
    await clickButton('Next page');
    await waitFor(() => expect(redirects).toEqual(['/logout']));
    expect(renewals).toHaveLength(1);
  });
});

describe('customer list', () => {
  it('shows name, email, phone and company, and sorts and searches like invoices', async () => {
    const server = await serveAllCustomers();
    const { closed, open } = gate();
    server.hold = closed;
    const user = await openApp('/customers');
    await screen.findByText('Loading...', { selector: '.pager-range' });
    server.hold = null;
    open();
    await screen.findByText('Ada Okafor 1');
    await screen.findByText('(317) 555-1001');
    for (const header of ['Name', 'Email', 'Phone', 'Company']) {
      await clickButton(header);
      await waitFor(() => expect(server.calls.at(-1)?.searchParams.get('sort')).toMatch(new RegExp(header, 'i')));
    }
    await user.type(screen.getByRole('searchbox'), 'brandt 13');
    await screen.findByText(/1-1 of 1/);
  });

  it('shows a server error and recovers on Refresh Access Token', async () => {
    const server = await serveAllCustomers();
    server.state = 'refuses';
    await openApp('/customers');
    await findAlert('The CRM does not answer. Please try again.');
    expect(screen.queryByRole('table')).toBeNull();
    server.state = 'answers';
    answerWith('/api/refresh-access-token', { accessToken: 'next' });
    await clickButton('Refresh Access Token');
    await screen.findByText('Ada Okafor 1');
  });
});
