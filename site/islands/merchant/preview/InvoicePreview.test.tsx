import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button, gate, textOf, waitForTextIn } from '#tests/support/components/queries';
import { type Changes, servePreview } from '#tests/support/servers/preview-server';

const ID = '900';

/** Serves an invoice with these changes. The returned `show` opens its preview. */
async function prepareInvoice(changes: Changes = {}) {
  const server = await servePreview(calls, ID, changes);
  return { server, show: () => openApp(`/invoice/${ID}`) };
}

const waitForInvoice = () => button('Save Invoice');
const rowTexts = () =>
  within(screen.getByRole('table', { name: 'Line items' }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(textOf).join(' | '));
const gridTexts = () =>
  Object.fromEntries(
    [...document.querySelectorAll('.preview-grid > div')].map((cell) => [
      textOf(cell.querySelector('dt')),
      textOf(cell.querySelector('dd')),
    ]),
  );

describe('invoice preview', () => {
  it('shows the biller, the customer, each line with price and quantity, and the total', async () => {
    const { show } = await prepareInvoice();
    await show();
    await waitForInvoice();
    screen.getByRole('heading', { name: 'INV-1042', level: 1 });
    expect(document.title).toContain('INV-1042');
    await waitForTextIn('.preview-clinic', /^Maple Street Dental.*12 Maple Street.*317-555-0100.*INV-1042$/);
    expect(rowTexts()).toEqual([
      'Product | Amount | Quantity | Total',
      'Cleaning | $92.00 | 2 | $184.00',
      'Fluoride treatment | $36.50 | 1 | $36.50',
      'Total | $220.50',
    ]);
    expect(gridTexts()).toEqual({
      'Bill to': 'Marta Núñez',
      'Invoice number': 'INV-1042',
      'Invoice date': 'Mar 1, 2026',
      'Payment method': 'N/A',
      'Payment date': 'N/A',
      'Paid via': 'N/A',
      'Transaction id': 'N/A',
      'Receipt id': 'N/A',
      Address: '4 Elm St, Carmel, IN 46032',
    });
    screen.getByText(/^Thank you\. Please call us/);
    expect(screen.queryByText(/do not add up/)).toBeNull();
  });

  it('labels a missing customer name, address and phone, and shows N/A for other missing values', async () => {
    const { show } = await prepareInvoice({
      properties: {
        clinic_name: '',
        clinic_address: '',
        clinic_phone: '',
        customer_name: '',
        customer_address: '',
        hs_number: '',
        hs_invoice_date: null,
        hs_createdate: null,
        hs_due_date: null,
      },
      // Without lines, the server reports no match.
      lines: [],
      lines_match: false,
    });
    await show();
    await waitForInvoice();
    for (const label of ['Customer Name', 'Customer Address', 'Customer Phone']) screen.getByText(label);
    expect(new Set(Object.values(gridTexts()))).toEqual(new Set(['N/A']));
    expect(rowTexts().slice(1)).toEqual(['No line items in HubSpot', 'Total | $220.50']);
    expect(screen.queryByText(/do not add up/)).toBeNull();
  });

  it('warns when the lines do not add up and shows both totals', async () => {
    const { show } = await prepareInvoice({
      lines_match: false,
      lines: [
        {
          name: 'A treatment whose name goes on for more than the fifty characters of a cell',
          amount: '9999999.99',
          quantity: '1',
        },
        { name: '', amount: null, quantity: null },
        { name: 'Third of a hundred', amount: '33.333333', quantity: '3' },
        { name: 'Discount', amount: '-0.10', quantity: '3' },
      ],
    });
    await show();
    await waitForTextIn(
      '.banner-warn',
      /The line items do not add up to the billed amount\.\s*HubSpot billed \$220\.50, which applies. The line items add up to \$10,000,099\.69\. The difference is a tax, fee or discount on the whole invoice, or a line item to correct in HubSpot\./,
    );
    expect(rowTexts().slice(2)).toEqual([
      'N/A | N/A | 1 | N/A',
      'Third of a hundred | $33.333333 | 3 | $100.00',
      'Discount | −$0.10 | 3 | −$0.30',
      'Total | $10,000,099.69',
      'Amount billed | $220.50',
    ]);
  });

  it('renders CRM text as plain text, not as markup', async () => {
    const markup = '<img src=x onerror="document.title=1">';
    const { show } = await prepareInvoice({
      properties: { clinic_name: markup, customer_name: markup },
      lines: [{ name: markup, amount: '1.00', quantity: '1' }],
      footer_text: markup,
    });
    await show();
    await waitForInvoice();
    expect(screen.getAllByText(markup)).toHaveLength(4);
    expect(document.querySelector('main img')).toBeNull();
  });

  it('shows that it is loading, reports why loading failed, and reloads on Retry', async () => {
    const { server, show } = await prepareInvoice();
    const { closed, open: answer } = gate();
    server.hold = closed;
    await show();
    await screen.findByText('Loading invoice...');
    const message = 'The CRM is not answering. Please try again.';
    server.refusal = { on: /^GET/, status: 503, code: 'crm-unavailable', message };
    server.hold = null;
    answer();
    await screen.findByText('The invoice could not be loaded.');
    await screen.findByText(/^The CRM is not answering\. Please try again\./);
    server.refusal = null;
    fireEvent.click(await button('Retry'));
    await waitForInvoice();
  });

  it("shows 'No invoice data available.' when the invoice does not exist", async () => {
    const { server, show } = await prepareInvoice();
    server.invoice = null;
    await show();
    await screen.findByText('No invoice data available.');
    const link = screen.getByRole('link', { name: 'Go to the invoices' });
    expect(link.getAttribute('href')).toBe('/invoices');
  });

  it('shows the age of its data while the CRM is not answering', async () => {
    const { server, show } = await prepareInvoice();
    server.headers = { 'x-data-stale': 'true', 'x-data-as-of': '2026-03-04T15:42:00Z' };
    await show();
    await waitForTextIn(
      '.banner-warn',
      /^HubSpot is not answering\.\s*Showing data from Mar 4, 2026\. No payment can be taken and no email sent until it answers: press Retry\./,
    );
    await screen.findByText('Press Retry first');
    server.headers = {};
    fireEvent.click(await button('Retry'));
    await waitFor(() => expect(screen.queryByText('HubSpot is not answering.')).toBeNull());
  });

  it('reports that HubSpot has deleted the invoice, and offers its receipt but no link or new payment', async () => {
    const properties = { hs_invoice_status: 'paid', hs_balance_due: '0.00' };
    const { show } = await prepareInvoice({
      is_deleted_in_crm: true,
      lines: [],
      receipt_url: '/receipt/r1',
      properties,
    });
    await show();
    await waitForTextIn(
      '.banner-warn',
      /^HubSpot no longer has this invoice\.\s*Its payments stay here and can still be voided or refunded, and their receipts emailed\./,
    );
    await screen.findByText('HubSpot no longer has the line items.');
    await screen.findByRole('link', { name: 'View receipt' });
    await button(/^Email Receipt, /);
    for (const name of ['Retry', /^Email Payment Link/, 'Copy link'])
      expect(screen.queryByRole('button', { name })).toBeNull();
    expect(within(screen.getByRole('main')).queryByRole('link', { name: 'Take Payment' })).toBeNull();
  });

  it('shows how and when the payer signed', async () => {
    const words = 'I am Ivy Whitfield and sign this payment';
    const { show } = await prepareInvoice({ payer_signature: { kind: 'ticked', words, at: '2026-03-04T15:42:00Z' } });
    await show();
    await waitForTextIn(
      'main',
      /Signature by the payer, Mar 4.*The payer ticked “I am Ivy Whitfield and sign this payment”, .*Mar 4.*\./,
    );
  });
});
