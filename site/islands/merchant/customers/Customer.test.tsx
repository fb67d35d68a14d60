import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { CustomerReply } from '#shared/contracts/lists/customers';
import type { CustomerData } from '#shared/contracts/staff/customer-data';
import { answerWith, calls } from '#tests/support/components/calls';
import { expectErrors } from '#tests/support/components/expected-errors';
import { openApp } from '#tests/support/components/merchant-app';
import { button, recordDownloads, textOf } from '#tests/support/components/queries';
import { DUE_DATE, HANNAH, serveCustomer } from '#tests/support/servers/customer-server';

/** Opens the page of customer 7. If `reply` is null, the request for the customer fails. */
const openCustomer = async (reply: CustomerReply | null) => {
  await serveCustomer(calls, reply);
  return openApp('/customers/7');
};
const findRegion = (name: string) => screen.findByRole('region', { name });

describe('customer page', () => {
  it('shows the amount owed, the payments, the emails and the next step', async () => {
    await openCustomer(HANNAH);
    await screen.findByRole('heading', { name: 'Hannah Tran' });
    const due = new Date(DUE_DATE).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'medium' });
    expect(textOf(await findRegion('Owes'))).toBe(`Owes $588.50 1 invoice, due ${due}. Nothing overdue.`);
    const [newest] = within(await findRegion('Payments')).getAllByRole('listitem');
    expect(textOf(newest)).toMatch(/Refund to Visa 1111.*INV-1130.*\$52\.55/);
    const mail = within(await findRegion('Emails')).getByRole('listitem');
    expect(textOf(mail)).toMatch(/Receipt for INV-1130.*to hannah\.tran@example\.com.*delivered/);
    await screen.findByText('2 days after we send');
    expect(screen.getByText('Paid through Tillway').tagName).toBe('DT');
    expect(screen.getByText('Last paid through Tillway').tagName).toBe('DT');
    expect(within(screen.getByRole('main')).getByRole('link', { name: 'Take Payment' }).getAttribute('href')).toBe(
      '/payments?customer=7&invoice=900',
    );
    await button('Email Payment Link, INV-1131');
  });

  it('offers the link of each open invoice, and names the recipient', async () => {
    const [first, , third, last] = HANNAH.invoices;
    const openCopyOf = (invoice: typeof first, amount: string) =>
      invoice && {
        ...invoice,
        properties: { ...invoice.properties, hs_invoice_status: 'open', hs_balance_due: amount },
      };
    const invoices = [first, openCopyOf(third, '20.00'), last].filter((invoice) => invoice !== undefined);
    await serveCustomer(calls, { ...HANNAH, invoices, owed: HANNAH.owed.map((sum) => ({ ...sum, invoices: 2 })) });
    const sent: string[] = [];
    calls.answer(
      ({ pathname }) => pathname.startsWith('/api/invoices/sendPaymentLink/'),
      ({ url, fulfill }) => {
        sent.push(url.pathname);
        return fulfill({
          json: { status: 'sent', to: 'hannah.tran@example.com', sent_at: '2026-11-24T19:16:00.000Z' },
        });
      },
    );
    const user = await openApp('/customers/7');
    await user.click(await button('Email Payment Link'));
    await user.click(await button('INV-1129, $20.00'));
    const dialog = await screen.findByRole('dialog', { name: 'Email the payment link of INV-1129?' });
    expect(textOf(dialog)).toContain('To hannah.tran@example.com, the address in HubSpot.');
    await user.click(await button('Send', dialog));
    await screen.findByText('Payment link sent');
    expect(sent).toEqual(['/api/invoices/sendPaymentLink/902']);
  });

  it('names an invoice with an unreadable amount beside the sum of the others, and can email the others', async () => {
    const [first, , third] = HANNAH.invoices;
    if (!first || !third) throw new Error('too few invoices');
    const unread = { ...third, properties: { ...third.properties, hs_invoice_status: 'open', hs_balance_due: null } };
    const owed = HANNAH.owed.map((sum) => ({ ...sum, invoices: 2, unreadable: 1 }));
    const user = await openCustomer({ ...HANNAH, invoices: [first, unread], owed });
    await screen.findByRole('heading', { name: 'Hannah Tran' });
    expect(textOf(await findRegion('Owes'))).toMatch(
      /^Owes \$588\.50 plus INV-1129 \(amount unreadable\) 2 invoices, the first due /,
    );
    await user.click(await button('Email Payment Link'));
    await button('INV-1131, $588.50');
  });

  it('shows "Cannot be read" if no amount can be read', async () => {
    const owed = HANNAH.owed.map((sum) => ({ ...sum, amount: '0.00', unreadable: 1 }));
    await openCustomer({ ...HANNAH, owed });
    await screen.findByRole('heading', { name: 'Hannah Tran' });
    expect(textOf(await findRegion('Owes'))).toMatch(/^Owes Cannot be read 1 invoice, due /);
  });

  it('shows empty states when nothing is owed, paid or emailed', async () => {
    await openCustomer({
      ...HANNAH,
      owed: [],
      invoices: [],
      invoice_count: 0,
      payments: [],
      mails: [],
      since: null,
      paid: { amount: '0.00', currency: 'USD', payments: 0, given_back: 0, last_at: null, usual_days: null },
    });
    await screen.findByText('Nothing is owed.');
    expect(textOf(await findRegion('Owes'))).toBe('Owes $0.00 Nothing is owed.');
    for (const text of ['No invoices available.', 'No payments yet.', 'No emails sent.']) await screen.findByText(text);
    expect(within(screen.getByRole('main')).queryByRole('link', { name: 'Take Payment' })).toBeNull();
    expect(screen.queryByText('Usually pays')).toBeNull();
  });

  it('shows the sum of submitted bank payments beside the amount owed', async () => {
    await openCustomer({ ...HANNAH, owed: [], on_its_way: '1152.55' });
    await screen.findByText('Nothing else is owed.');
    expect(textOf(await findRegion('Owes'))).toBe(
      'Owes $0.00 Nothing else is owed. $1,152.55 on its way from the bank.',
    );
  });

  it('marks bank payments that are on their way or were returned before they arrived', async () => {
    const [first] = HANNAH.payments;
    if (!first) throw new Error('no payment');
    const debit = { ...first, how: 'Bank account', where: 'online', amount: '184.00', invoice_number: 'INV-1131' };
    await openCustomer({
      ...HANNAH,
      payments: [
        { ...debit, id: 'a', kind: 'submitted' },
        { ...debit, id: 'b', kind: 'returned' },
      ],
    });
    await screen.findByRole('heading', { name: 'Hannah Tran' });
    const [submitted, returned] = within(await findRegion('Payments')).getAllByRole('listitem');
    expect(textOf(submitted)).toMatch(/Bank account, online, on its way INV-1131 \$184\.00$/);
    expect(textOf(returned)).toMatch(/Bank account, online, returned before it arrived INV-1131 \$184\.00$/);
    expect(submitted?.querySelector('s')).toBeNull();
    expect(returned?.querySelector('s')?.textContent).toBe('$184.00');
  });

  it('sorts its invoices by the chosen column, newest first by default', async () => {
    const user = await openCustomer(HANNAH);
    await screen.findAllByRole('link', { name: 'INV-1131' });
    const invoices = within(await findRegion('Invoices'));
    const numbers = () => invoices.getAllByRole('link').map(textOf);
    expect(numbers()).toEqual(['INV-1131', 'INV-1130', 'INV-1129', 'INV-1128']);
    const header = invoices.getByRole('columnheader', { name: 'Invoice Number' });
    await user.click(within(header).getByRole('button'));
    expect(numbers()).toEqual(['INV-1128', 'INV-1129', 'INV-1130', 'INV-1131']);
    expect(header.getAttribute('aria-sort')).toBe('ascending');
  });

  it('exports a person’s data as a file, or shows why that failed', async () => {
    const downloads = recordDownloads();
    const shown = [{ name: 'outbox: mails', rows: [{ id: 'm' }], erasable: 1, stays: '' }];
    let isRefused = true;
    calls.answer(
      ({ pathname }) => pathname === '/api/customers/7/data/export',
      ({ fulfill }) =>
        fulfill(
          isRefused
            ? { status: 409, json: { error: { code: 'conflict', message: 'No address.' } } }
            : { json: { shown } },
        ),
    );
    const user = await openCustomer(HANNAH);
    await user.click(await button('Export this person’s data'));
    await screen.findByText('No address.');
    isRefused = false;
    await user.click(await button('Export this person’s data'));
    await screen.findByText('The data are in the downloaded file.');
    expect(screen.queryByText('No address.')).toBeNull();
    expect(downloads.map(({ name }) => name)).toEqual(['customer-7-data.json']);
    expect(JSON.parse((await downloads[0]?.file.text()) ?? '')).toEqual({ shown });
  });

  it('lists the data that an erasure removes and the data that stay, and sends the typed address', async () => {
    answerWith('/api/customers/7/data', {
      email: 'hannah.tran@example.com',
      places: [
        { label: 'Emails to them', rows: 3, erasable: 2, stays: 'still to be sent' },
        { label: 'Contact details', rows: 1, erasable: 0, stays: 'the business’s own record' },
        { label: 'Link to stop reminders', rows: 1, erasable: 1, stays: 'they stopped them' },
      ],
    } satisfies CustomerData);
    const bodies: unknown[] = [];
    calls.answer(
      ({ pathname }) => pathname === '/api/customers/7/data/erasure',
      ({ readBody, fulfill }) => {
        bodies.push(readBody());
        const isFirst = bodies.length === 1;
        const error = { code: 'invalid', message: 'Type “hannah.tran@example.com”.', fields: ['email'] };
        const erased = [{ name: 'outbox: mails', found: 3, erased: 3, stays: '' }];
        return fulfill(isFirst ? { status: 422, json: { error } } : { json: { erased } });
      },
    );
    const user = await openCustomer(HANNAH);
    await user.click(await button('Erase this person’s data'));
    const dialog = await screen.findByRole('dialog', { name: 'Erase the data of Hannah Tran?' });
    await within(dialog).findByRole('heading', { name: 'Stays' });
    expect(within(dialog).getAllByRole('listitem').map(textOf)).toEqual([
      'Emails to them: 2',
      'Link to stop reminders: 1',
      'Emails to them: 1, still to be sent.',
      'Contact details: 1, the business’s own record.',
    ]);
    await user.click(await button('Erase', dialog));
    await within(dialog).findByText('Type “hannah.tran@example.com”.', { selector: '.banner *' });
    await user.type(within(dialog).getByRole('textbox'), 'hannah.tran@example.com');
    await user.click(await button('Erase', dialog));
    await screen.findByText('Erased: 3 records.');
    expect(bodies).toEqual([{ email: '' }, { email: 'hannah.tran@example.com' }]);
  });

  it('explains when a user may not export and erase, and when there is no email address', async () => {
    await serveCustomer(calls);
    await openApp('/customers/7', { may: ['collect'] });
    expect(textOf(await findRegion('Stored data'))).toBe(
      'Stored data Only an administrator of this account may export or erase a person’s data. Ask Grace Lindqvist (administrator).',
    );
    const properties = { ...HANNAH.customer.properties, email: '' };
    await openCustomer({ ...HANNAH, customer: { ...HANNAH.customer, properties } });
    expect(textOf(await findRegion('Stored data'))).toBe(
      'Stored data Stored data are found by the email address, and HubSpot has none of this customer.',
    );
  });

  it('reports a failed load and reloads on Retry', async () => {
    expectErrors(/internal 503/);
    const user = await openCustomer(null);
    await screen.findByText(/The customer could not be loaded\./);
    await serveCustomer(calls);
    await user.click(await button('Retry'));
    await screen.findByRole('heading', { name: 'Hannah Tran' });
  });
});
