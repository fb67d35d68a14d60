import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import type { AppView } from '#shared/contracts/staff/session';
import { answerWith, calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button, findAlert, gate, rowOf, textOf, waitForTextIn } from '#tests/support/components/queries';
import { makeOpenInvoice, serveOpenInvoices } from '#tests/support/servers/open-invoices-server';

const tenInvoices = () => Array.from({ length: 10 }, (_, index) => makeOpenInvoice(index));
const LAST_EMAIL = { kind: 'pay-link', at: '2025-03-04T15:42:00Z', delivery: 'delivered', told_at: null } as const;
const payLink = (name: string) => `${window.location.origin}/make/payment/${name.padEnd(22, '0')}`;

async function openInvoices(rows: OpenInvoiceItem[], view: Partial<AppView> = {}) {
  const server = await serveOpenInvoices(calls, rows);
  const user = await openApp('/openInvoices', view);
  await screen.findByRole('heading', { name: 'Open Invoices' });
  return { server, user };
}

/** Finds the email button of a row. */
const emailButton = async (number: string) => within(await rowOf(number)).findByRole('button', { name: /^Email / });
const findMenu = (number: string) => screen.findByRole('button', { name: `Payment link of ${number}` });
const findLastEmail = async (number: string) => (await rowOf(number)).querySelector('.at-note');
const expectLastEmail = async (number: string, text: string | RegExp) =>
  waitFor(async () => expect(textOf((await findLastEmail(number))?.lastChild)).toMatch(text));

describe('Open Invoices', () => {
  it("offers 'Email Receipt' for paid invoices, and 'Email Payment Link' for all others", async () => {
    await openInvoices([
      ...tenInvoices().slice(0, 9),
      makeOpenInvoice(10, { status: 'submitted', crm_status: 'open' }),
    ]);
    // The checkbox of the page appears after the rows.
    await screen.findAllByRole('checkbox', { name: 'Select this page' });
    const headers = screen.getAllByRole('columnheader').map(textOf);
    expect(headers.map((header) => header.replace(/^Select this page/, '').trim())).toEqual([
      ...['Action', 'Invoice ID', 'Company', 'Customer', 'Amount', 'Due Date', 'Status', 'Last email'],
    ]);
    expect(screen.getByRole('link', { name: 'Payments and refunds' }).getAttribute('href')).toBe('/transactions/all');
    expect((await emailButton('INV-1042')).textContent).toBe('Email Payment Link');
    expect((await emailButton('INV-1041')).textContent).toBe('Email Receipt');
    expect((await emailButton('INV-1032')).textContent).toBe('Email Payment Link');
    expect((await emailButton('INV-1032')).hasAttribute('disabled'), 'a bank payment is on its way').toBe(true);
    within(await rowOf('INV-1032')).getByText('A bank payment is on its way.');
    expect(
      screen.queryByRole('button', { name: 'Payment link of INV-1041' }),
      'a paid invoice needs no link',
    ).toBeNull();
    await expectLastEmail('INV-1039', /never$/);
    const cells = [...(await rowOf('INV-1039')).children].slice(1).map(textOf);
    expect(cells).toEqual([
      'INV-1039',
      expect.stringMatching(/^Brandt and Daughters Heating, Cooling and Plumbing…/),
      'Jonas Brandt',
      '$295.57',
      expect.stringMatching(/^Due Mar 4, 2026\d+ days late$/),
      expect.stringMatching(/^Overdue/),
      expect.stringMatching(/never$/),
    ]);
    expect(textOf(await screen.findByRole('link', { name: /^All/ }))).toBe('All 10 1 with another status');
    expect(textOf(screen.getByRole('link', { name: /^Paid/ }))).toMatch(/^Paid \d all time$/);
  });

  it('offers no pay link for an unpaid invoice in another currency and explains why', async () => {
    const euros = makeOpenInvoice(12, { currency: 'EUR', status: 'open', link_ends_at: null });
    await openInvoices([euros, makeOpenInvoice(13, { currency: 'EUR', status: 'paid' })]);
    const row = await rowOf('INV-1030');
    within(row).getByText('Invoices in EUR cannot be paid online.');
    expect(within(row).queryByRole('button')).toBeNull();
    expect((await emailButton('INV-1029')).textContent).toBe('Email Receipt');
  });

  it("emails a payment link, reports 'Payment link sent' and shows the time in the row", async () => {
    const { user, server } = await openInvoices(tenInvoices());
    await user.click(await emailButton('INV-1042'));
    const dialog = await screen.findByRole('dialog', { name: 'Email the payment link of INV-1042?' });
    within(dialog).getByText('payer0@example.test');
    expect(server.writes, 'its recipient is shown before it leaves').toEqual([]);
    await user.keyboard('{Enter}');
    await waitForTextIn('.banner-ok', /^Payment link sent\s*INV-1042 went to payer0@example\.test\./);
    await expectLastEmail('INV-1042', /^Sent \d+:\d\d\s[AP]M/);
    expect(server.writes).toEqual(['POST /sendPaymentLink/90412']);
    const banner = document.querySelector<HTMLElement>('.banner-ok') ?? document.body;
    await user.click(within(banner).getByRole('button'));
    expect(document.querySelector('.banner-ok')).toBeNull();
    await expectLastEmail('INV-1042', /^Sent \d+:\d\d\s[AP]M/);
  });

  it('sends no email if the dialog is canceled', async () => {
    const { user, server } = await openInvoices(tenInvoices());
    await user.click(await emailButton('INV-1042'));
    await user.click(await button('Cancel'));
    await waitFor(async () => expect(document.activeElement).toBe(await emailButton('INV-1042')));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(server.writes).toEqual([]);
  });

  it('lets managers send the email to another valid address', async () => {
    const { user, server } = await openInvoices(tenInvoices());
    await user.click(await emailButton('INV-1042'));
    await user.click(await button('Use another address'));
    const field = await screen.findByRole('textbox', { name: 'Email address' });
    expect(document.activeElement).toBe(field);
    await user.type(field, 'nobody{Enter}');
    await screen.findByText('Please enter a valid email address.');
    // A browser accepts this address, the Worker does not.
    await user.type(field, '@family{Enter}');
    await screen.findByText('Please enter a valid email address.');
    expect(server.writes).toEqual([]);
    await user.type(field, '.example{Enter}');
    await waitForTextIn('.banner-ok', /^Payment link sent\s*INV-1042 went to nobody@family\.example\./);
    expect(server.writes).toEqual(['POST /90412/emails']);
    await user.click(await findMenu('INV-1042'));
    await user.click(await button('Email to another address'));
    expect(document.activeElement).toBe(await screen.findByRole('textbox', { name: 'Email address' }));
  });

  it('offers no other address to front desk staff', async () => {
    const { user } = await openInvoices(tenInvoices(), { may: ['collect'] });
    await user.click(await emailButton('INV-1042'));
    await screen.findByRole('dialog');
    expect(screen.queryByRole('button', { name: 'Use another address' })).toBeNull();
  });

  it("emails a receipt and reports 'Payment success email sent'", async () => {
    const { user, server } = await openInvoices(tenInvoices());
    await user.click(await emailButton('INV-1041'));
    await user.click(await button('Send'));
    await screen.findByText('Payment success email sent');
    await expectLastEmail('INV-1041', /^Receipt \d+:\d\d\s[AP]M$/);
    expect(server.writes).toEqual(['POST /sendPaymentSuccessEmail/90413']);
  });

  it.each([
    ['INV-1042', 'Error sending payment link'],
    ['INV-1041', 'Error sending payment success email'],
  ])('reports why the email for %s failed: %s', async (number, sentence) => {
    const { user, server } = await openInvoices(tenInvoices());
    const message = 'Not sent again: the last email was sent less than a minute ago. Try again in a minute.';
    server.refusal = { on: /^POST/, status: 429, code: 'too-many', message };
    await user.click(await emailButton(number));
    await user.click(await button('Send'));
    expect(textOf(await findAlert(sentence))).toContain(`${number}: ${message}`);
    expect(textOf(await findLastEmail(number))).not.toContain('Sent');
    expect((await emailButton(number)).getAttribute('aria-disabled')).toBeNull();
    server.refusal = null;
    await user.click(await emailButton(number));
    await user.click(await button('Send'));
    await waitFor(() => expect(server.writes).toHaveLength(1));
  });

  it('disables the email button if there is no email address, and explains why', async () => {
    const { user, server } = await openInvoices([makeOpenInvoice(0, { email: '' }), makeOpenInvoice(1)]);
    within(await rowOf('INV-1042')).getByText('No email address in HubSpot');
    await user.click(await emailButton('INV-1042'));
    await user.click(await emailButton('INV-1041'));
    await user.click(await button('Send'));
    await waitFor(() => expect(server.writes).toEqual(['POST /sendPaymentSuccessEmail/90413']));
  });

  it('shows a payment made here while the CRM still shows the invoice as open', async () => {
    await openInvoices([
      makeOpenInvoice(0, { status: 'paid', crm_status: 'open' }),
      makeOpenInvoice(1, { status: 'paid', crm_status: 'paid', last_email: LAST_EMAIL }),
      makeOpenInvoice(2, { last_email: LAST_EMAIL }),
    ]);
    within(await rowOf('INV-1042')).getByText('Paid here. HubSpot says open: mark it paid there.');
    await expectLastEmail('INV-1041', /^Sent Mar 4, 2025$/);
    await expectLastEmail('INV-1040', /payment page not opened$/);
    expect(textOf(await rowOf('INV-1041'))).not.toContain('Paid here');
  });

  it('sorts all invoices by status by default', async () => {
    const sorts: string[] = [];
    await openInvoices(tenInvoices());
    calls.answer(
      ({ pathname, searchParams }) => {
        if (pathname.endsWith('getOpenInvoices')) sorts.push(searchParams.get('sort') ?? '');
        return false;
      },
      async () => undefined,
    );
    await openApp('/openInvoices');
    await waitFor(() => expect(sorts).toEqual(['status']));
    const header = await screen.findByRole('columnheader', { name: 'Status' });
    expect(header.getAttribute('aria-sort')).toBe('ascending');
  });

  it('copies the pay link from the row menu, by mouse and by keyboard', async () => {
    const { user } = await openInvoices(tenInvoices());
    await user.click(await findMenu('INV-1042'));
    const copy = await button('Copy link');
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(copy);
    await user.keyboard('{Enter}');
    await screen.findByText('Payment link copied.');
    expect(document.activeElement).toBe(await findMenu('INV-1042'));
    expect(await navigator.clipboard.readText()).toBe(payLink('pay0'));
    await user.click(await findMenu('INV-1042'));
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(await findMenu('INV-1042'));
    expect(screen.queryByRole('button', { name: 'Copy link' })).toBeNull();
  });

  it("copies a link with the product's public address, even if the browser uses another host name", async () => {
    answerWith('/app_url', { appUrl: 'https://pay.example' });
    const { user } = await openInvoices(tenInvoices());
    await user.click(await findMenu('INV-1042'));
    await user.click(await button('Copy link'));
    await screen.findByText('Payment link copied.');
    expect(await navigator.clipboard.readText()).toBe(`https://pay.example/make/payment/${'pay0'.padEnd(22, '0')}`);
  });

  it('shows the link in the menu if the browser refuses clipboard access', async () => {
    const { user } = await openInvoices(tenInvoices());
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('refused'));
    await user.click(await findMenu('INV-1042'));
    await user.click(await button('Copy link'));
    expect(textOf(await findAlert(/does not allow copying here/))).toBe(
      `Your browser does not allow copying here. Please copy the address yourself: ${payLink('pay0')}`,
    );
  });

  it('revokes a pay link only after confirmation, and then copies the new link', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'], shouldAdvanceTime: true });
    const { user, server } = await openInvoices(tenInvoices());
    const openDialog = async () => {
      await user.click(await findMenu('INV-1042'));
      await user.click(await button('Revoke link'));
      return screen.findByRole('dialog', { name: 'Revoke the payment link of INV-1042?' });
    };
    const dialog = await openDialog();
    within(dialog).getByText('$184.00');
    await user.click(await button('Cancel', dialog));
    expect(server.writes).toEqual([]);
    await user.click(await button('Revoke link', await openDialog()));
    await screen.findByText(/^The payment link of INV-1042 will be revoked/);
    await vi.advanceTimersByTimeAsync(10_000);
    await screen.findByText('The old payment link of INV-1042 no longer works.');
    expect(server.writes).toEqual(['DELETE /90412/link', 'POST /90412/link']);
    await waitFor(async () => expect(document.activeElement).toBe(await findMenu('INV-1042')));
    await user.click(await findMenu('INV-1042'));
    await user.click(await button('Copy link'));
    await screen.findByText('Payment link copied.');
    expect(await navigator.clipboard.readText()).toBe(payLink('replaced'));
  });

  it('shows different messages while loading, without rows, without matches, and for stale data', async () => {
    const { user, server } = await openInvoices([]);
    await screen.findByText('No invoices available.');
    await user.type(screen.getByRole('searchbox'), '1042x{Enter}');
    await screen.findByText('No invoice matches "1042x".');
    server.rows = tenInvoices();
    server.headers = { 'x-data-stale': 'true', 'x-data-as-of': '2026-03-04T15:42:00Z' };
    const { closed, open: answer } = gate();
    server.hold = closed;
    await openApp('/openInvoices');
    await screen.findByText('Loading invoices...');
    server.hold = null;
    answer();
    await screen.findByText(/HubSpot is not answering\./);
    await rowOf('INV-1042');
    server.headers = {};
    fireEvent.click(await button('Retry'));
    await waitFor(() => expect(screen.queryByText(/HubSpot is not answering\./)).toBeNull());
  });
});
