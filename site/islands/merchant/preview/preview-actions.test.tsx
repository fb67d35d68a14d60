import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { answerWith, calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button, findAlert, textOf, waitForTextIn } from '#tests/support/components/queries';
import { type Changes, NOTHING_YET, servePreview } from '#tests/support/servers/preview-server';

const ID = '902';
const CRM_UNAVAILABLE = { status: 503, code: 'x', message: 'HubSpot is not answering. No email was sent.' };

async function openInvoice(changes: Changes = {}) {
  const server = await servePreview(calls, ID, changes);
  const user = await openApp(`/invoice/${ID}`);
  await button('Save Invoice');
  return { user, server };
}

const linkButton = () => button(/^Email Payment Link/);
const receiptButton = () => button(/^Email Receipt/);
const isDisabled = async (element: Promise<HTMLElement>) => (await element).hasAttribute('disabled');
const hasFocus = (element: () => HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element()));
const buttonNamed = (name: string) => screen.getByRole('button', { name });
const primaryButtons = () => [...document.querySelectorAll('main .button-primary')].map(textOf);

const PAID_INVOICE: Changes = {
  properties: {
    hs_invoice_status: 'paid',
    hs_balance_due: '0.00',
    payment_date: '2026-03-04T15:42:00Z',
    payment_method: 'Visa 1111',
    paid_via: 'Online',
    transaction_id: '8442',
    receipt_id: 'R-1042',
  },
  mailed: 'pay-link',
  mailed_at: '2026-03-02T15:42:00Z',
  receipt_url: '/receipt/abc',
  pay_link: null,
};

describe('actions of the invoice preview', () => {
  it("emails the payment link, reports 'Payment link sent' and lists the email", async () => {
    const { user, server } = await openInvoice();
    await user.click(await linkButton());
    const dialog = await screen.findByRole('dialog', { name: 'Email the payment link of INV-1042?' });
    within(dialog).getByText('marta@payer.example');
    await user.keyboard('{Enter}');
    await waitForTextIn('.banner-ok', /^Payment link sent\s*INV-1042 went to marta@payer\.example\./);
    expect(server.writes.map(({ request }) => request)).toEqual([`POST /invoices/sendPaymentLink/${ID}`]);
    await waitForTextIn('.preview-facts', /Payment link, sent/);
    await waitForTextIn('.life', /marta@payer\.example/);
    await user.click(await button('Close message', document.querySelector<HTMLElement>('.banner-ok') ?? undefined));
    expect(document.querySelector('.banner-ok')).toBeNull();
  });

  it('offers no email, link or payment while the account is closing, and shows the date', async () => {
    answerWith('/api/counter-terminals', { desks: [], online_off: 'closing', closes_on: '2026-12-15' });
    await openInvoice({});
    await screen.findByText('This account closes on Dec 15.', { selector: '.mail-note span' });
    expect(await isDisabled(linkButton())).toBe(true);
    expect(within(screen.getByRole('main')).queryByRole('link', { name: 'Take Payment' })).toBeNull();
    expect(screen.queryByRole('button', { name: /Copy link|QR code|Create a payment link/ })).toBeNull();
    expect(primaryButtons()).toEqual([]);
  });

  it('offers the card reader but no email or link while online payments are paused', async () => {
    answerWith('/api/counter-terminals', { desks: [], online_off: 'paused' });
    await openInvoice({ customer_id: '501' });
    await screen.findByText('Online payments are paused.', { selector: '.mail-note span' });
    expect(await isDisabled(linkButton())).toBe(true);
    expect(screen.queryByRole('button', { name: /Copy link|QR code|Create a payment link/ })).toBeNull();
    expect(primaryButtons()).toEqual(['Take Payment']);
  });

  it('sends no link while a bank payment is on its way, and explains why', async () => {
    await openInvoice({ properties: { hs_invoice_status: 'submitted' }, email: '' });
    expect(await isDisabled(linkButton())).toBe(true);
    screen.getByText('A bank payment is on its way.');
    expect(screen.queryByText(/take the payment here/)).toBeNull();
    expect(primaryButtons()).toEqual([]);
  });

  it("shows 'Error sending payment link' with the reason when an email fails", async () => {
    const { user, server } = await openInvoice({ mailed: 'pay-link', mailed_at: new Date().toISOString() });
    const message = 'Not sent again: the last email was sent less than a minute ago. Try again in a minute.';
    server.refusal = { on: /^POST/, status: 429, code: 'too-many', message };
    await user.click(await linkButton());
    await user.click(await button('Send'));
    expect(textOf(await findAlert('Error sending payment link'))).toContain(`INV-1042: ${message}`);
  });

  it('blocks further emails to an address that bounced until it is corrected', async () => {
    const { user, server } = await openInvoice({
      customer_id: '501',
      mailed: 'pay-link',
      mailed_at: '2026-03-02T15:42:00Z',
      delivery: 'bounced',
      bad_address: 'bounced',
    });
    await screen.findByText('Sent Mar 2, 2026, came back');
    await waitForTextIn(
      '.banner-warn',
      /^Mail to marta@payer\.example came back\. Correct the address in HubSpot\.\s*Then press Check again\. Until then, copy the payment link or take the payment here\.\s*Check again\s*Email to another address$/,
    );
    expect(await isDisabled(linkButton())).toBe(true);
    await screen.findByText('Emails are not delivered');
    expect(primaryButtons()).toEqual(['Take Payment']);
    if (server.invoice) Object.assign(server.invoice, { bad_address: null, delivery: null, email: 'm@payer.example' });
    await user.click(await button('Check again'));
    await waitFor(async () => expect(await isDisabled(linkButton())).toBe(false));
    expect(document.querySelector('.banner-warn')).toBeNull();
  });

  it('asks for confirmation after a bounce, and does not report the new email as delivered', async () => {
    const { user } = await openInvoice({
      mailed: 'pay-link',
      mailed_at: '2026-03-02T15:42:00Z',
      delivery: 'bounced',
      bad_address: null,
    });
    await user.click(await linkButton());
    await user.click(await button('Send anyway'));
    await screen.findByText(/^Sent \d+:\d\d\s[AP]M$/);
  });

  it('does not report a queued email as sent', async () => {
    const { user, server } = await openInvoice();
    server.mail.status = 'queued';
    await user.click(await linkButton());
    await user.click(await button('Send'));
    await screen.findByText('INV-1042 is waiting for the mail service.');
    expect(screen.queryByText('Payment link sent')).toBeNull();
  });

  it('offers no link for an invoice in another currency and explains why', async () => {
    await openInvoice({ properties: { hs_currency: 'EUR' }, pay_link: null });
    await screen.findByText(/Invoices in EUR cannot be paid online\./);
    for (const name of ['Copy link', 'Revoke link', 'Create a payment link', /^Email Payment Link/])
      expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.queryByText(/^(Works until|Ended|There is no payment link)/)).toBeNull();
  });

  it.each<[string, Changes]>([
    ['an amount that cannot be read', { properties: { hs_balance_due: null } }],
    [
      'an amount that staff must confirm',
      { parts: { is_on: true, is_frozen: true, crm_allows: null, base: '220.50', paid: '0.00' } },
    ],
  ])('offers no email, link or payment for an invoice with %s', async (_title, changes) => {
    await openInvoice({ customer_id: '501', pay_link: null, ...changes });
    expect(await isDisabled(linkButton())).toBe(true);
    expect(screen.queryByRole('button', { name: 'Create a payment link' })).toBeNull();
    expect(within(screen.getByRole('main')).queryByRole('link', { name: 'Take Payment' })).toBeNull();
    expect(primaryButtons()).toEqual([]);
  });

  it('shows a void as the end of the timeline, not as a refund', async () => {
    const at = '2026-03-04T15:42:00Z';
    const batch = {
      id: '9',
      terminal_id: '70141',
      settled_at: '2026-03-04T22:00:00Z',
      confirmation: 'C1',
      funded_on: null,
      deposit: null,
      fees: null,
    };
    const card = 'Visa 1111';
    await openInvoice({
      ...PAID_INVOICE,
      can_collect_again: true,
      life: {
        ...NOTHING_YET,
        payments: [{ id: 'p1', at, amount: '220.50', card, via: 'Online', state: 'voided', batch, in_crm: null }],
        given_back: [
          {
            id: 'v1',
            kind: 'void',
            amount: '220.50',
            at,
            card,
            reason: '',
            by: 'Grace',
            is_earlier: false,
            batch: null,
          },
        ],
        paid: '220.50',
        refunded: '220.50',
      },
    });
    await screen.findByText(/^The payment was voided\. Payers cannot pay this invoice until you collect it again\./);
    screen.getByRole('heading', { name: 'Voids' });
    expect([...document.querySelectorAll('.life .line-name')].map(textOf).slice(-2)).toEqual(['In batch 9', 'Voided']);
    for (const part of document.querySelectorAll('.life, .preview-owed, .preview-sums'))
      expect(textOf(part)).not.toMatch(/refunded|Settled/i);
    screen.getByText('Voided', { selector: 'dt' });
  });

  it('disables the email button and explains why when the CRM has no email address', async () => {
    await openInvoice({ email: '', customer_id: '501' });
    expect(await isDisabled(linkButton())).toBe(true);
    screen.getByText('No email address in HubSpot');
    screen.getByText('There is no email address in HubSpot. Enter one there.');
  });

  it('emails the receipt of a paid invoice, and reports whether that failed', async () => {
    const { user, server } = await openInvoice(PAID_INVOICE);
    for (const name of [/^Email Payment Link/, 'Copy link']) expect(screen.queryByRole('button', { name })).toBeNull();
    await waitForTextIn('.preview-owed', '$220.50 paid Mar 4, 2026.');
    expect(screen.getByRole('link', { name: /^View receipt/ }).getAttribute('href')).toMatch(/\/receipt\/abc$/);
    await user.click(await receiptButton());
    await user.click(await button('Send'));
    await screen.findByText('Payment success email sent');
    server.refusal = { on: /^POST/, ...CRM_UNAVAILABLE };
    await user.click(await receiptButton());
    await user.click(await button('Send'));
    expect(textOf(await findAlert('Error sending payment success email'))).toContain(
      `INV-1042: ${CRM_UNAVAILABLE.message}`,
    );
  });

  it('sends an itemized receipt after confirmation, and repeats the same request on a retry', async () => {
    const { user, server } = await openInvoice(PAID_INVOICE);
    const sent: unknown[] = [];
    calls.answer(
      ({ pathname }) => pathname.endsWith('/itemised-receipt') && server.refusal !== null,
      async ({ readBody: body, fulfill }) => {
        sent.push(body());
        await fulfill({ status: CRM_UNAVAILABLE.status, json: { error: CRM_UNAVAILABLE } });
      },
    );
    const openDialog = async () => {
      await user.click(await button(/^Send itemized receipt/, document.querySelector('main') ?? undefined));
      return screen.findByRole('dialog', { name: 'Send itemized receipt?' });
    };
    const first = await openDialog();
    expect(textOf(first)).toContain('The receipt goes to marta@payer.example with each item of the bill.');
    await user.click(await button('Cancel', first));
    expect(server.writes).toEqual([]);
    const dialog = await openDialog();
    server.refusal = { on: /^POST/, ...CRM_UNAVAILABLE };
    await user.click(await button('Send itemized receipt', dialog));
    await within(dialog).findByText(CRM_UNAVAILABLE.message);
    server.refusal = null;
    await user.click(await button('Send itemized receipt', dialog));
    await screen.findByText('The itemized receipt of INV-1042 went to marta@payer.example.');
    // The retry repeats the same request, so that only one email is sent.
    expect(server.writes).toEqual([{ request: `POST /invoices/${ID}/itemised-receipt`, body: sent[0] }]);
    await waitForTextIn('.preview-facts', /Receipt, sent/);
  });

  it('copies the pay link, or shows it for manual copying when the browser refuses', async () => {
    const { user } = await openInvoice();
    await screen.findByText('Works until Jan 23, 2099.');
    await user.click(await button('Copy link'));
    await screen.findByText('Payment link copied.');
    expect(await navigator.clipboard.readText()).toMatch(/\/make\/payment\/first0+$/);
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('refused'));
    await user.click(await button('Copy link'));
    const linkField = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Payment link' });
    expect(linkField.value).toMatch(/\/make\/payment\/first0+$/);
    expect(screen.queryByText('Payment link copied.'), 'the toast of the first press').toBeNull();
  });

  it('revokes the pay link only after confirmation and replaces it with a new one', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'], shouldAdvanceTime: true });
    const { user, server } = await openInvoice();
    const openDialog = async () => {
      await user.click(await button('Revoke link'));
      return screen.findByRole('dialog', { name: 'Revoke the payment link of INV-1042?' });
    };
    const first = await openDialog();
    within(first).getByText('$220.50');
    await hasFocus(() => within(first).getByRole('button', { name: 'Cancel' }));
    // Escape fires this event on an open dialog.
    fireEvent(first, new Event('cancel', { cancelable: true }));
    await hasFocus(() => buttonNamed('Revoke link'));
    expect(server.writes).toEqual([]);

    const dialog = await openDialog();
    server.refusal = { on: /^DELETE/, status: 503, code: 'x', message: 'The CRM is not answering. Please try again.' };
    await user.click(await button('Revoke link', dialog));
    await within(dialog).findByText('The CRM is not answering. Please try again.');
    server.refusal = null;
    await user.click(await button('Revoke link', dialog));
    await screen.findByText(/^The payment link of INV-1042 will be revoked/);
    expect(screen.queryByRole('dialog')).toBeNull();
    await hasFocus(() => buttonNamed('Undo'));
    await user.keyboard('{Enter}');
    await screen.findByText('The payment link of INV-1042 stays.');
    expect(screen.queryByText(/will be revoked/)).toBeNull();
    await hasFocus(() => buttonNamed('Revoke link'));
    const [revoked, undone] = [`DELETE /invoices/${ID}/link`, `DELETE /invoices/${ID}/link/revocation`];
    expect(server.writes.map(({ request }) => request)).toEqual([revoked, undone]);

    await user.click(await button('Revoke link', await openDialog()));
    await screen.findByText(/^The payment link of INV-1042 will be revoked/);
    await vi.advanceTimersByTimeAsync(10_000);
    await screen.findByText('The old payment link of INV-1042 no longer works.');
    await hasFocus(() => buttonNamed('Revoke link'));
    expect(server.writes.map(({ request }) => request).slice(2)).toEqual([revoked, `POST /invoices/${ID}/link`]);
    await user.click(await button('Copy link'));
    await screen.findByText('Payment link copied.');
    expect(await navigator.clipboard.readText()).toMatch(/second0+$/);
  });

  it('creates a pay link when there is none', async () => {
    const { user } = await openInvoice({ pay_link: null });
    await screen.findByText('There is no payment link yet.');
    await user.click(await button('Create a payment link'));
    await screen.findByText('Works until Jan 23, 2099.');
    await button('Copy link');
  });
});

describe('footer text', () => {
  it('can be edited in place by an administrator, and keeps the typed text if saving fails', async () => {
    const { user, server } = await openInvoice();
    await user.click(await button('Edit footer text'));
    const area = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Footer text' });
    await hasFocus(() => area);
    await user.clear(area);
    await user.type(area, 'Payable within 30 days.{Enter}Thank you.');
    const message = 'Please keep the footer text to 500 characters.';
    server.refusal = { on: /footer-text$/, status: 422, code: 'invalid', message };
    await user.click(await button('Save footer text'));
    await screen.findByText(message);
    await hasFocus(() => area);
    expect(area.value).toContain('Payable');
    server.refusal = null;
    await user.click(await button('Save footer text'));
    await screen.findByText('Footer text saved.');
    await waitForTextIn('.preview-footer p', 'Payable within 30 days. Thank you.');
    await hasFocus(() => buttonNamed('Edit footer text'));
    expect(server.writes).toEqual([
      { request: 'PUT /token/footer-text', body: { footer_text: 'Payable within 30 days.\nThank you.' } },
    ]);
  });

  it('is read-only for users without the right to edit it', async () => {
    await openInvoice({ can_edit_footer: false });
    await screen.findByText(/^Thank you\. Please call us/);
    expect(screen.queryByRole('button', { name: 'Edit footer text' })).toBeNull();
  });
});

describe('signature', () => {
  it('is not requested once the invoice is paid', async () => {
    const { user, server } = await openInvoice({ properties: { hs_invoice_status: 'paid', hs_balance_due: '0.00' } });
    await screen.findByText(/not signed/);
    await user.click(await button('Save Invoice'));
    await screen.findByText('There is nothing new to save for INV-1042.');
    expect(screen.queryByText(/^Sign with your finger/)).toBeNull();
    expect(server.writes).toEqual([]);
  });

  it('is not treated as missing if the saved signature fails to load', async () => {
    const server = await servePreview(calls, ID, { signature_saved_at: '2026-03-04T15:42:00Z' });
    server.signature = 'iVBORw0KGgo=';
    server.refusal = { on: /GET .*signature$/, status: 503, code: 'unavailable', message: 'Please try again.' };
    const user = await openApp(`/invoice/${ID}`);
    await screen.findByText('The signature could not be loaded.');
    await user.click(await button('Save Invoice'));
    server.refusal = null;
    await user.click(await button('Retry'));
    await screen.findByAltText('Your signature');
    expect(server.writes).toEqual([]);
  });
});
