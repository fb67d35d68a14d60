import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import type { SkipReason } from '#shared/contracts/payments/pay-links';
import { calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button, rowOf, textOf, waitForTextIn } from '#tests/support/components/queries';
import { overdueRows, serveMailings, serveOwedList } from '#tests/support/servers/mailings-server';

const OVERDUE_PATH = '/openInvoices?sort=due_date&status=overdue';

async function openInvoicesTab(rows: OpenInvoiceItem[], path = OVERDUE_PATH) {
  await serveOwedList(calls, rows);
  const server = await serveMailings(calls);
  const user = await openApp(path);
  const pickPage = async () => {
    const [first] = await screen.findAllByRole('checkbox', { name: 'Select this page' });
    await user.click(first ?? document.body);
  };
  return { user, server, pickPage };
}

const findSelectionBar = () => screen.findByRole('region', { name: 'Selection' });
const findMailingBar = () => screen.findByRole('region', { name: 'Emailing links' });
const expectInBar = (text: string) =>
  waitFor(async () => expect(textOf(within(await findSelectionBar()).getByRole('status'))).toContain(text));
/** Triggers the next poll immediately. */
const pollNow = () => document.dispatchEvent(new Event('visibilitychange'));
const checkboxOf = (number: string) => screen.findByRole<HTMLInputElement>('checkbox', { name: `Select ${number}` });
const expectLastEmail = (number: string, text: string | RegExp) =>
  waitFor(async () => expect(textOf((await rowOf(number)).querySelector('.at-note'))).toMatch(text));

describe('emailing links for many invoices', () => {
  it('excludes an invoice that may already have been charged, and shows why in its row', async () => {
    const { pickPage } = await openInvoicesTab(overdueRows(3, (index) => (index === 1 ? { is_undecided: true } : {})));
    await pickPage();
    await expectInBar('2 selected $200.00');
    expect((await checkboxOf('INV-1041')).disabled).toBe(true);
    expect(textOf(await rowOf('INV-1041'))).toContain('Not known yet');
  });

  it('emails the selected invoices, shows the progress in each row, and reports the result', async () => {
    const rows = overdueRows(7, (index) => (index === 2 ? { email: '' } : {}));
    const { user, server, pickPage } = await openInvoicesTab(rows);
    await screen.findByText(/61\+ days/);
    await pickPage();
    expect((await checkboxOf('INV-1040')).disabled).toBe(true);
    await expectInBar('6 selected $600.00');
    await user.click(await checkboxOf('INV-1042'));
    await expectInBar('5 selected $500.00');
    await user.click(await button('Email 5 links', await findSelectionBar()));
    await screen.findByText(/^5 links will be emailed\.?/);
    const sent = { state: 'sent' as const };
    server.setStates([sent, sent, { state: 'left-out', why: 'bounced' }]);
    pollNow();
    await waitFor(async () =>
      expect(textOf(await findMailingBar())).toMatch(/^Emailing 5 links.*2 of 5 sent, 1 not sent/),
    );
    const progress = within(await findMailingBar()).getByRole('progressbar');
    expect([progress.getAttribute('value'), progress.getAttribute('max')]).toEqual(['2', '5']);
    await expectLastEmail('INV-1041', /Sent \d+:\d\d\s[AP]M$/);
    await expectLastEmail('INV-1038', /Not sent: with an address that came back/);
    await expectLastEmail('INV-1037', /waiting/);
    // A reload of the page still shows the progress.
    await openApp(OVERDUE_PATH);
    await waitFor(async () =>
      expect(textOf(await findMailingBar())).toMatch(/^Emailing 5 links.*2 of 5 sent, 1 not sent.*Stop after this one/),
    );
    // The next load of the list returns these values.
    const last_email = { kind: 'pay-link' as const, at: new Date().toISOString(), delivery: null, told_at: null };
    for (const index of [1, 3, 5, 6]) Object.assign(rows[index] ?? {}, { last_email, never_emailed: false });
    Object.assign(rows[4] ?? {}, { bad_address: 'bounced', never_emailed: false });
    server.setStates([sent, sent, {}, sent, sent], { is_over: true });
    pollNow();
    await waitForTextIn(
      '.banner',
      /^Payment link sent\s*4 sent, 1 not: 1 with an address that came back\.\s*With an address that came back: INV-1038/,
    );
    within(await rowOf('INV-1038')).getByText(/Correct the address in HubSpot\./);
    expect(server.methods.filter((method) => method === 'POST')).toHaveLength(1);
  });
});

describe('empty tab of open invoices', () => {
  it.each([
    ['overdue', 'Nothing is overdue.'],
    ['due', 'Nothing is due.'],
    ['paid', 'Nothing is paid yet.'],
  ])('explains why there are no rows: %s', async (status, text) => {
    await serveOwedList(calls, []);
    const user = await openApp(`/openInvoices?status=${status}`);
    await screen.findByText(text);
    await user.type(screen.getByRole('searchbox'), '1042x{Enter}');
    await screen.findByText('No invoice matches "1042x" and these filters.');
  });
});

describe('undeliverable address', () => {
  const lastEmailWith = (delivery: 'bounced' | 'delivered') => ({
    last_email: { kind: 'reminder' as const, at: '2025-11-10T15:00:00Z', delivery, told_at: '2025-11-21T15:00:00Z' },
  });

  it('is reported before links are sent, and disables the email button of its row', async () => {
    const undeliverable = { ...lastEmailWith('bounced'), bad_address: 'bounced' as const };
    const { server, pickPage } = await openInvoicesTab(overdueRows(7, (index) => (index === 2 ? undeliverable : {})));
    await pickPage();
    await expectInBar('7 selected $700.00');
    await expectInBar('Email does not reach 1 of these addresses');
    await expectLastEmail('INV-1040', /Came back Nov 21, 2025.*address unknown$/);
    const row = within(await rowOf('INV-1040'));
    row.getByText('Mail to payer2@example.test came back. Correct the address in HubSpot.');
    const mail = row.getByRole('button', { name: 'Email Payment Link, INV-1040' });
    expect(mail.hasAttribute('disabled')).toBe(true);
    expect(server.methods).not.toContain('POST');
  });

  it('requires a confirmation if the last email bounced but the next one may arrive', async () => {
    const { user } = await openInvoicesTab(
      overdueRows(2, (index) => (index === 0 ? lastEmailWith('bounced') : lastEmailWith('delivered'))),
    );
    const sent: string[] = [];
    calls.answer(
      ({ pathname }) => pathname.includes('sendPaymentLink'),
      ({ url, fulfill }) => {
        sent.push(url.pathname);
        return fulfill({ json: { status: 'sent', to: 'payer@example.test', sent_at: new Date().toISOString() } });
      },
    );
    const clickEmailButton = async (number: string) =>
      user.click(await button(`Email Payment Link, ${number}`, await rowOf(number)));
    await expectLastEmail('INV-1042', /Came back/);
    await clickEmailButton('INV-1042');
    await screen.findByText(/^The last email to .* was not delivered\./, { selector: 'dialog *' });
    await user.click(await button('Cancel'));
    expect(sent).toEqual([]);
    await clickEmailButton('INV-1042');
    await user.click(await button('Send anyway'));
    await waitFor(() => expect(document.querySelector('.banner-ok')).not.toBeNull());
    expect(sent).toHaveLength(1);
    await clickEmailButton('INV-1041');
    await user.click(await button('Send'));
    await waitFor(() => expect(sent).toHaveLength(2));
  });
});

describe('mailing', () => {
  it('can be undone for ten seconds, and stopped after that', async () => {
    const { user, server, pickPage } = await openInvoicesTab(overdueRows(3));
    await pickPage();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    await user.click(await button('Email 3 links', await findSelectionBar()));
    await user.click(await button('Undo'));
    await waitForTextIn('.banner', /^No link was emailed\./);
    clock.mockRestore();
    await user.click(await button('Close message'));
    await pickPage();
    await user.click(await button('Email 3 links', await findSelectionBar()));
    await screen.findByText(/^3 links will be emailed\.?/);
    server.setStates([{ state: 'sent' }]);
    await user.click(await button('Stop after this one', await findMailingBar()));
    await waitForTextIn('.banner', /^Payment link sent\s*1 sent, 2 not: 2 stopped by you\./);
  });

  it('can include the rows of all pages, and needs a confirmation for more than 25 links', async () => {
    const { user, server, pickPage } = await openInvoicesTab(overdueRows(132));
    await pickPage();
    await user.click(await button('Select all 132', await findSelectionBar()));
    await expectInBar('132 selected $13,200.00');
    await user.click(await button('Email 132 links', await findSelectionBar()));
    await expectInBar('Email 132 links? $13,200.00 in all.');
    expect(server.methods).not.toContain('POST');
    await user.click(await button('Email 132 links', await findSelectionBar()));
    await screen.findByText(/^132 links will be emailed\.?/);
    expect(server.mailing?.invoices).toHaveLength(132);
  });

  it('accounts for each selected invoice in its result, with the reason if no email was sent', async () => {
    const rows = overdueRows(33, (index) =>
      index === 30 ? { currency: 'EUR' } : index > 30 ? { email: '' } : { bad_address: null },
    );
    const { user, server, pickPage } = await openInvoicesTab(rows);
    await screen.findByRole('link', { name: /^Overdue 33 \$3,200\.00$/ });
    await pickPage();
    await user.click(await button('Select all 33', await findSelectionBar()));
    await expectInBar('33 selected $3,200.00 3 of them cannot be emailed: 2 without an address, 1 in euros');
    expect(screen.queryByRole('button', { name: 'Select all 33' })).toBeNull();
    await user.click(await button('Email 30 links', await findSelectionBar()));
    await expectInBar('Email 30 links? $3,000.00 in all.');
    await user.click(await button('Email 30 links', await findSelectionBar()));
    await screen.findByText(/^33 links will be emailed\.?/);
    const leftOut = (reason: SkipReason, currency = 'USD') => ({ state: 'left-out' as const, why: reason, currency });
    server.setStates(
      [
        ...Array.from({ length: 29 }, () => ({ state: 'sent' as const })),
        leftOut('paid'),
        leftOut('not-payable-online', 'EUR'),
        leftOut('no-address'),
        leftOut('no-address'),
      ],
      { is_over: true },
    );
    pollNow();
    await waitForTextIn('.banner', /^Payment link sent\s*29 sent, 4 not: 2 without an address, 1 paid, 1 in euros\./);
    const lines = [...document.querySelectorAll('.mailing-left li')].map(textOf);
    expect(lines).toEqual(['Without an address: INV-1011 , INV-1010', 'Paid: INV-1013', 'In euros: INV-1012']);
    const [first] = screen.getAllByRole('link', { name: 'INV-1011' });
    expect(first?.getAttribute('href')).toBe('/invoice/90443');
  });

  it('includes only unpaid invoices in the list of all invoices', async () => {
    const rows = overdueRows(12);
    const requestedStatuses: (string | null)[] = [];
    const { user, pickPage } = await openInvoicesTab(rows, '/openInvoices');
    calls.answer(
      ({ pathname, searchParams }) => {
        if (pathname === '/api/invoices/getOpenInvoices') requestedStatuses.push(searchParams.get('status'));
        return false;
      },
      async () => undefined,
    );
    await pickPage();
    await user.click(await button('Select all unpaid', await findSelectionBar()));
    await expectInBar('12 selected');
    expect(requestedStatuses.at(-1)).toBe('overdue,due');
  });
});
