import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { answerWith, calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button, findAlert, textOf } from '#tests/support/components/queries';
import { sampleSale } from '#tests/support/sample-sale';
import { serveCustomer } from '#tests/support/servers/customer-server';
import { makeOpenInvoice } from '#tests/support/servers/open-invoices-server';
import { answerReaders, busyReader, reader } from '#tests/support/servers/readers-server';

const findPicker = () => screen.findByLabelText('Device');
const selectedDevice = async () => (await screen.findByLabelText<HTMLInputElement>('Device')).value;
/** Opens the form with a customer and an invoice preselected. */
async function openWithInvoice(changes: Partial<OpenInvoiceItem> = {}) {
  await serveCustomer(calls);
  answerWith('/api/invoices/getOpenInvoices', [makeOpenInvoice(0, { crm_id: '42', ...changes })]);
  answerWith('/api/invoices/42/parts', { state: 'none' });
  return openApp('/payments?customer=7&invoice=42');
}

describe('card reader in Take Payment', () => {
  it('does not show the running sale of another customer to the chosen customer', async () => {
    answerReaders(busyReader(1, { invoice_number: 'INV-9', invoice_id: '9' }), reader(2));
    await openWithInvoice();
    await waitFor(async () =>
      expect(
        within(await screen.findByLabelText('Invoice')).getByRole<HTMLOptionElement>('option', { name: /^INV-/ })
          .selected,
      ).toBe(true),
    );
    expect(screen.queryByText('Please tap, insert or swipe')).toBeNull();
    expect(window.location.search).toBe('?customer=7&invoice=42');
  });

  it('does not show a sale again after staff have left it', async () => {
    answerReaders(busyReader(1));
    answerWith('/api/sales/s1', { sale: sampleSale({ id: 's1' }) });
    const user = await openApp('/payments');
    await user.click(await button('Leave'));
    await user.click(screen.getAllByRole('link', { name: 'Customers' })[0] as HTMLElement);
    await user.click(screen.getAllByRole('link', { name: 'Take Payment' })[0] as HTMLElement);
    await findPicker();
    expect(window.location.search).toBe('');
  });

  it('accepts no invoice whose amount cannot be read', async () => {
    answerReaders(reader(1));
    await openWithInvoice({ amount_due: null });
    const option = await screen.findByRole<HTMLOptionElement>('option', {
      name: /^INV-1042 – its amount cannot be read/,
    });
    expect(option.disabled).toBe(true);
    expect((await button('Proceed to Payment')).hasAttribute('disabled')).toBe(true);
  });

  it('is by default the one that was last chosen in this browser', async () => {
    answerReaders(reader(1), reader(2));
    const user = await openApp('/payments');
    expect(await selectedDevice()).toBe('');
    await screen.findByRole('option', { name: 'Front desk 2' });
    await user.selectOptions(await findPicker(), 'front-2');
    await openApp('/payments');
    await waitFor(async () => expect(await selectedDevice()).toBe('front-2'));
    expect(screen.getByRole('combobox', { name: 'Customer' }).hasAttribute('disabled')).toBe(false);
  });

  it('must be chosen again if the last one is gone', async () => {
    localStorage.setItem('last_device', 'front-9');
    answerReaders(reader(1), reader(2));
    await openApp('/payments');
    await screen.findByText('Choose a card reader first.');
    await screen.findByRole('option', { name: 'Front desk 2' });
    expect(await selectedDevice()).toBe('');
  });

  it('accepts no other payment while it may still read a card, and explains why', async () => {
    localStorage.setItem('last_device', 'front-1');
    answerReaders(busyReader(1, { is_own: false }), reader(2));
    const user = await openApp('/payments');
    await screen.findByText('Front desk 1 may still take a card for INV-1042. Let it finish, or press cancel on it.');
    expect((await button('Proceed to Payment')).hasAttribute('disabled')).toBe(true);
    await user.selectOptions(await findPicker(), 'front-2');
    await screen.findByText('Choose a customer first.');
  });
});

describe('customer on the phone', () => {
  const payId = 'pay-42';
  const sent = { status: 'sent', to: 'marta@payer.example', sent_at: '2026-11-30T10:00:00.000Z' };

  it('gets the link by email with one click, and the screen then shows the payment', async () => {
    answerReaders(reader(1));
    const requests: string[] = [];
    calls.answer(
      ({ pathname }) => pathname.startsWith('/api/invoices/sendPaymentLink/'),
      ({ url, method, fulfill }) => {
        requests.push(`${method} ${url.pathname}`);
        return fulfill({ json: sent });
      },
    );
    answerWith(`/api/invoices/${payId}/payment`, { state: 'paid', receiptUrl: '/receipt/r1' });
    const user = await openWithInvoice({ id: payId, email: 'marta@payer.example' });
    await screen.findByText('to marta@payer.example');
    await user.click(await button('Email Payment Link, INV-1042'));
    await screen.findByText('Payment link sent');
    expect(requests).toEqual(['POST /api/invoices/sendPaymentLink/42']);
    await screen.findByText('Paid by link: $184.00');
    // Nothing more can be taken for this invoice.
    await screen.findByText('INV-1042 already has a payment by link. Choose another invoice or customer.');
    expect((await button('Proceed to Payment')).hasAttribute('disabled')).toBe(true);
    expect(screen.queryByRole('button', { name: 'Email Payment Link, INV-1042' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Show the payment link as QR code' })).toBeNull();
  });

  it('can scan a QR code if no email can be sent', async () => {
    answerReaders(busyReader(1, { is_own: false }));
    await openWithInvoice({ email: '' });
    await screen.findByText('No email address in HubSpot');
    await button('Show the payment link as QR code');
  });

  it('gets no link if the email fails, and staff see why', async () => {
    answerReaders(reader(1));
    calls.answer(
      ({ pathname }) => pathname.startsWith('/api/invoices/sendPaymentLink/'),
      ({ fulfill }) => fulfill({ status: 503, json: { error: { code: 'paused', message: 'Payments are paused.' } } }),
    );
    const user = await openWithInvoice();
    await user.click(await button('Email Payment Link, INV-1042'));
    expect(textOf(await findAlert('Error sending payment link'))).toMatch(/INV-1042: Payments are paused\./);
  });
});
