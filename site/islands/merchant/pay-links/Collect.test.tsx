import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import type { LeftOutWhy } from '#shared/contracts/payments/pay-links';
import { calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button, rowOf, saysIn, textOf } from '#tests/support/components/seen';
import { overdueRows, serveMailings, serveOwedList } from '#tests/support/servers/mailings-server';

const OVERDUE = '/openInvoices?sort=due_date&status=overdue';

async function open(rows: OpenInvoiceItem[], path = OVERDUE) {
  await serveOwedList(calls, rows);
  const server = await serveMailings(calls);
  const person = await openApp(path);
  const pickPage = async () => {
    const [first] = await screen.findAllByRole('checkbox', { name: 'Select this page' });
    await person.click(first ?? document.body);
  };
  return { person, server, pickPage };
}

const bar = () => screen.findByRole('region', { name: 'Selection' });
const going = () => screen.findByRole('region', { name: 'Emailing links' });
const barSays = (words: string) =>
  waitFor(async () => expect(textOf(within(await bar()).getByRole('status'))).toContain(words));
/** Triggers the next poll at once. */
const lookAgain = () => document.dispatchEvent(new Event('visibilitychange'));
const tickOf = (number: string) => screen.findByRole<HTMLInputElement>('checkbox', { name: `Select ${number}` });
const saysLast = (number: string, words: string | RegExp) =>
  waitFor(async () => expect(textOf((await rowOf(number)).querySelector('.at-note'))).toMatch(words));

describe('mailing links for many invoices', () => {
  it('leaves out an invoice that may have been charged already, and says so in its row', async () => {
    const { pickPage } = await open(overdueRows(3, (at) => (at === 1 ? { is_undecided: true } : {})));
    await pickPage();
    await barSays('2 selected $200.00');
    expect((await tickOf('INV-1041')).disabled).toBe(true);
    expect(textOf(await rowOf('INV-1041'))).toContain('Not known yet');
  });

  it('mails the selected invoices with progress and a status per row, and reports the result', async () => {
    const rows = overdueRows(7, (at) => (at === 2 ? { email: '' } : {}));
    const { person, server, pickPage } = await open(rows);
    await screen.findByText(/61\+ days/);
    await pickPage();
    expect((await tickOf('INV-1040')).disabled).toBe(true);
    await barSays('6 selected $600.00');
    await person.click(await tickOf('INV-1042'));
    await barSays('5 selected $500.00');
    await person.click(await button('Email 5 links', await bar()));
    await screen.findByText(/^5 links will be emailed\.?/);
    const sent = { state: 'sent' as const };
    server.tell([sent, sent, { state: 'left-out', why: 'bounced' }]);
    lookAgain();
    await waitFor(async () => expect(textOf(await going())).toMatch(/^Emailing 5 links.*2 of 5 sent, 1 not sent/));
    const progress = within(await going()).getByRole('progressbar');
    expect([progress.getAttribute('value'), progress.getAttribute('max')]).toEqual(['2', '5']);
    await saysLast('INV-1041', /Sent \d+:\d\d\s[AP]M$/);
    await saysLast('INV-1038', /Not sent: with an address that came back/);
    await saysLast('INV-1037', /waiting/);
    // A reload of the page still shows the progress.
    await openApp(OVERDUE);
    await waitFor(async () =>
      expect(textOf(await going())).toMatch(/^Emailing 5 links.*2 of 5 sent, 1 not sent.*Stop after this one/),
    );
    // The list has these values at its next read.
    const last_email = { kind: 'pay-link' as const, at: new Date().toISOString(), delivery: null, told_at: null };
    for (const at of [1, 3, 5, 6]) Object.assign(rows[at] ?? {}, { last_email, never_emailed: false });
    Object.assign(rows[4] ?? {}, { bad_address: 'bounced', never_emailed: false });
    server.tell([sent, sent, {}, sent, sent], { is_over: true });
    lookAgain();
    await saysIn(
      '.banner',
      /^Payment link sent\s*4 sent, 1 not: 1 with an address that came back\.\s*With an address that came back: INV-1038/,
    );
    within(await rowOf('INV-1038')).getByText(/Correct the address in HubSpot\./);
    expect(server.asked.filter((method) => method === 'POST')).toHaveLength(1);
  });
});

describe('an empty tab of open invoices', () => {
  it.each([
    ['overdue', 'Nothing is overdue.'],
    ['due', 'Nothing is due.'],
    ['paid', 'Nothing is paid yet.'],
  ])('shows its own message: %s', async (status, words) => {
    await serveOwedList(calls, []);
    const person = await openApp(`/openInvoices?status=${status}`);
    await screen.findByText(words);
    await person.type(screen.getByRole('searchbox'), '1042x{Enter}');
    await screen.findByText('No invoice matches "1042x" and these filters.');
  });
});

describe('an undeliverable address', () => {
  const told = (delivery: 'bounced' | 'delivered') => ({
    last_email: { kind: 'reminder' as const, at: '2025-11-10T15:00:00Z', delivery, told_at: '2025-11-21T15:00:00Z' },
  });

  it('is reported before links are sent and disables its own mail button', async () => {
    const bad = { ...told('bounced'), bad_address: 'bounced' as const };
    const { server, pickPage } = await open(overdueRows(7, (at) => (at === 2 ? bad : {})));
    await pickPage();
    await barSays('7 selected $700.00');
    await barSays('No email arrives at 1 of these addresses');
    await saysLast('INV-1040', /Came back Nov 21, 2025.*address unknown$/);
    const row = within(await rowOf('INV-1040'));
    row.getByText('Mail to payer2@example.test came back. Correct the address in HubSpot.');
    const mail = row.getByRole('button', { name: 'Email Payment Link, INV-1040' });
    expect(mail.hasAttribute('disabled')).toBe(true);
    expect(server.asked).not.toContain('POST');
  });

  it('requires confirmation when the last mail bounced but the next may arrive', async () => {
    const { person } = await open(overdueRows(2, (at) => (at === 0 ? told('bounced') : told('delivered'))));
    const sent: string[] = [];
    calls.answer(
      ({ pathname }) => pathname.includes('sendPaymentLink'),
      ({ url, fulfill }) => {
        sent.push(url.pathname);
        return fulfill({ json: { status: 'sent', to: 'payer@example.test', sent_at: new Date().toISOString() } });
      },
    );
    const press = async (number: string) =>
      person.click(await button(`Email Payment Link, ${number}`, await rowOf(number)));
    await saysLast('INV-1042', /Came back/);
    await press('INV-1042');
    await screen.findByText(/^The last email did not arrive\./, { selector: 'dialog *' });
    await person.click(await button('Cancel'));
    expect(sent).toEqual([]);
    await press('INV-1042');
    await person.click(await button('Send anyway'));
    await waitFor(() => expect(document.querySelector('.banner-ok')).not.toBeNull());
    expect(sent).toHaveLength(1);
    await press('INV-1041');
    await person.click(await button('Send'));
    await waitFor(() => expect(sent).toHaveLength(2));
  });
});

describe('stopping and confirming a mailing', () => {
  it('can be undone within ten seconds and stopped after that', async () => {
    const { person, server, pickPage } = await open(overdueRows(3));
    await pickPage();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    await person.click(await button('Email 3 links', await bar()));
    await person.click(await button('Undo'));
    await saysIn('.banner', /^No link was emailed\./);
    clock.mockRestore();
    await person.click(await button('Close message'));
    await pickPage();
    await person.click(await button('Email 3 links', await bar()));
    await screen.findByText(/^3 links will be emailed\.?/);
    server.tell([{ state: 'sent' }]);
    await person.click(await button('Stop after this one', await going()));
    await saysIn('.banner', /^Payment link sent\s*1 sent, 2 not: 2 stopped by you\./);
  });

  it('selects the rows of all pages with one more click and asks for confirmation above 25', async () => {
    const { person, server, pickPage } = await open(overdueRows(132));
    await pickPage();
    await person.click(await button('Select all 132', await bar()));
    await barSays('132 selected $13,200.00');
    await person.click(await button('Email 132 links', await bar()));
    await barSays('Email 132 links? $13,200.00 in all.');
    expect(server.asked).not.toContain('POST');
    await person.click(await button('Email 132 links', await bar()));
    await screen.findByText(/^132 links will be emailed\.?/);
    expect(server.mailing?.invoices).toHaveLength(132);
  });

  it('counts one number of invoices in the tab, the selection and the result, with each reason', async () => {
    const rows = overdueRows(33, (at) =>
      at === 30 ? { currency: 'EUR' } : at > 30 ? { email: '' } : { bad_address: null },
    );
    const { person, server, pickPage } = await open(rows);
    await screen.findByRole('link', { name: /^Overdue 33 \$3,200\.00$/ });
    await pickPage();
    await person.click(await button('Select all 33', await bar()));
    await barSays('33 selected $3,200.00 3 of them cannot be emailed: 2 without an address, 1 in euros');
    expect(screen.queryByRole('button', { name: 'Select all 33' })).toBeNull();
    await person.click(await button('Email 30 links', await bar()));
    await barSays('Email 30 links? $3,000.00 in all.');
    await person.click(await button('Email 30 links', await bar()));
    await screen.findByText(/^33 links will be emailed\.?/);
    const left = (why: LeftOutWhy, currency = 'USD') => ({ state: 'left-out' as const, why, currency });
    server.tell(
      [
        ...Array.from({ length: 29 }, () => ({ state: 'sent' as const })),
        left('paid'),
        left('not-payable-online', 'EUR'),
        left('no-address'),
        left('no-address'),
      ],
      { is_over: true },
    );
    lookAgain();
    await saysIn('.banner', /^Payment link sent\s*29 sent, 4 not: 2 without an address, 1 paid, 1 in euros\./);
    const lines = [...document.querySelectorAll('.mailing-left li')].map(textOf);
    expect(lines).toEqual(['Without an address: INV-1011 , INV-1010', 'Paid: INV-1013', 'In euros: INV-1012']);
    const [first] = screen.getAllByRole('link', { name: 'INV-1011' });
    expect(first?.getAttribute('href')).toBe('/invoice/90443');
  });

  it('selects only unpaid invoices in the list of all', async () => {
    const rows = overdueRows(12);
    const asked: (string | null)[] = [];
    const { person, pickPage } = await open(rows, '/openInvoices');
    calls.answer(
      ({ pathname, searchParams }) => {
        if (pathname === '/api/invoices/getOpenInvoices') asked.push(searchParams.get('status'));
        return false;
      },
      async () => undefined,
    );
    await pickPage();
    await person.click(await button('Select all unpaid', await bar()));
    await barSays('12 selected');
    expect(asked.at(-1)).toBe('overdue,due');
  });
});
