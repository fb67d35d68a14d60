import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { InvoiceParts } from '#shared/contracts/payments/installments';
import type { StoredCard } from '#shared/contracts/payments/stored-cards';
import type { AppView } from '#shared/contracts/staff/session';
import { answerWith, calls } from '#tests/support/components/calls';
import { expectErrors } from '#tests/support/components/expected-errors';
import { openApp } from '#tests/support/components/merchant-app';
import { button, textOf } from '#tests/support/components/queries';
import { HANNAH, serveCustomer } from '#tests/support/servers/customer-server';
import { makeOpenInvoice } from '#tests/support/servers/open-invoices-server';
import { type Changes, servePreview } from '#tests/support/servers/preview-server';
import { answerReaders, reader } from '#tests/support/servers/readers-server';
import { CONSENT, EXPIRED, MASTERCARD, serveStoredCards, VISA } from '#tests/support/servers/stored-cards-server';

const LABEL = 'Charge card on file';
const ID = '902';
const NO_PARTS: InvoiceParts = {
  is_on: false,
  state: 'whole',
  base: null,
  paid: '0.00',
  left: null,
  deposit: null,
  range: null,
  only: null,
  decision: null,
};
const IN_PARTS: InvoiceParts = {
  ...NO_PARTS,
  is_on: true,
  state: 'open',
  base: '220.50',
  left: '220.50',
  range: { least: '22.05', most: '198.45' },
};

type Options = { cards?: StoredCard[]; parts?: InvoiceParts; changes?: Changes; view?: Partial<AppView> };

/** Opens an open invoice of $220.50. */
async function openInvoice({ cards = [VISA], parts = NO_PARTS, changes, view }: Options = {}) {
  const preview = await servePreview(calls, ID, { customer_id: '501', ...changes });
  const server = await serveStoredCards(calls, ...cards);
  answerWith(`/api/invoices/${ID}/parts`, parts);
  const user = await openApp(`/invoice/${ID}`, { cardsOnFile: true, ...view });
  await screen.findByRole('heading', { name: 'INV-1042' });
  return { user, server, preview };
}

/** Opens the dialog on the invoice. */
async function openDialog(options: Options = {}) {
  const page = await openInvoice(options);
  await page.user.click(await button(LABEL));
  const dialog = await screen.findByRole('dialog', { name: 'Charge the card on file?' });
  return { ...page, dialog };
}

const banner = async (text: string | RegExp): Promise<HTMLElement> => {
  const lead = await screen.findByText(text, { selector: '.banner-lead' });
  return lead.closest<HTMLElement>('.banner') ?? lead;
};
const pollNow = () => document.dispatchEvent(new Event('visibilitychange'));

describe('charge of a card on file', () => {
  it('names the amount, the card and the words of consent before it, and the receipt after it', async () => {
    const { user, server, preview, dialog } = await openDialog();
    expect(textOf(dialog)).toContain('INV-1042, $220.50 due');
    expect(textOf(dialog)).toContain('Visa 1111, expires 12/2099');
    expect(textOf(within(dialog).getByRole('figure'))).toMatch(/^The customer agreed on May 3, 2026:/);
    within(dialog).getByText(CONSENT, { selector: 'blockquote[lang=en]' });
    if (preview.invoice) preview.invoice.properties.hs_invoice_status = 'paid';
    await user.click(await button('Charge $220.50', dialog));
    const paid = await banner('Charged $220.50 to Visa 1111.');
    expect(textOf(paid)).toContain('INV-1042: the receipt goes to marta@payer.example.');
    expect(within(paid).getByRole('link', { name: 'View receipt' }).getAttribute('href')).toMatch(/\/receipt\/r1$/);
    expect(server.contactIds).toEqual(['501']);
    expect(server.charges).toMatchObject([{ cardId: 'card-1', invoiceId: ID, amountCents: 22_050 }]);
    // The outcome stays on the reloaded invoice, which offers no further charge.
    await waitFor(() => expect(screen.queryByRole('button', { name: LABEL })).toBeNull());
    await banner('Charged $220.50 to Visa 1111.');
  });

  it('charges the chosen card of several', async () => {
    const { user, server, dialog } = await openDialog({ cards: [VISA, EXPIRED, MASTERCARD] });
    const options = within(await within(dialog).findByLabelText('Card')).getAllByRole('option');
    expect(options.map(textOf)).toEqual(['Visa 1111, expires 12/2099', 'Mastercard 4444, expires 12/2099']);
    await user.selectOptions(within(dialog).getByLabelText('Card'), 'card-2');
    await user.click(await button('Charge $220.50', dialog));
    await banner('Charged $220.50 to Mastercard 4444.');
    expect(server.charges.map(({ cardId }) => cardId)).toEqual(['card-2']);
  });

  it('takes an installment, and shows why an amount is refused', async () => {
    const { user, server, dialog } = await openDialog({ parts: IN_PARTS });
    const amount = await within(dialog).findByLabelText<HTMLInputElement>(/^Amount to take now/);
    expect(amount.value).toBe('220.50');
    await user.clear(amount);
    await user.type(amount, 'ten');
    await user.click(await button('Charge', dialog));
    await within(dialog).findByText('Please enter an amount like 71.10.');
    expect(server.charges).toEqual([]);
    const message = 'Enter $22.05 to $198.45, or $220.50.';
    server.replies = [{ status: 422, code: 'part-refused', message }, { amountCents: 5000 }];
    await user.clear(amount);
    await user.type(amount, '10');
    await user.click(await button('Charge $10.00', dialog));
    await within(dialog).findByText(message);
    await user.clear(amount);
    await user.type(amount, '50');
    await user.click(await button('Charge $50.00', dialog));
    await banner('Charged $50.00 to Visa 1111.');
    expect(server.charges.map(({ amountCents }) => amountCents)).toEqual([1000, 5000]);
    expect(new Set(server.charges.map(({ key }) => key)).size).toBe(2);
  });

  it('offers a payment link after a decline', async () => {
    const { user, server, dialog } = await openDialog();
    server.replies = [{ state: 'declined', message: 'The card has insufficient funds.' }];
    await user.click(await button('Charge $220.50', dialog));
    const declined = await banner('Visa 1111 was declined. Nothing was charged.');
    expect(textOf(declined)).toContain('INV-1042, $220.50. The card has insufficient funds.');
    await user.click(await button('Send a payment link', declined));
    await screen.findByRole('dialog', { name: 'Email the payment link of INV-1042?' });
  });

  it.each([
    ['card-removed', 'This card is no longer on file. Nothing was charged.'],
    ['card-expired', 'This card has expired. Nothing was charged.'],
  ])('offers a payment link after the refusal %s', async (code, message) => {
    const { user, server, dialog } = await openDialog();
    server.replies = [{ status: 409, code, message }];
    await user.click(await button('Charge $220.50', dialog));
    const refused = await banner(message);
    expect(textOf(refused)).toContain('INV-1042, $220.50.');
    await button('Send a payment link', refused);
  });

  it('reloads the invoice if its amount has changed, and offers no link instead', async () => {
    const { user, server, preview, dialog } = await openDialog();
    const message = 'The amount due has changed. Nothing was charged.';
    server.replies = [{ status: 409, code: 'amount-changed', message }];
    if (preview.invoice) preview.invoice.properties.hs_balance_due = '240.00';
    await user.click(await button('Charge $220.50', dialog));
    const refused = await banner(message);
    expect(within(refused).queryByRole('button', { name: 'Send a payment link' })).toBeNull();
    await screen.findByText(/\$240\.00/, { selector: '.preview-owed *' });
    await user.click(await button(LABEL));
    await button('Charge $240.00');
  });

  it('closes if the card provider cannot be reached, and the next charge is another one', async () => {
    const { user, server, dialog } = await openDialog();
    const message = 'The card provider cannot be reached. Nothing was charged.';
    server.replies = [{ status: 503, code: 'gateway-unavailable', message }, {}];
    await user.click(await button('Charge $220.50', dialog));
    await banner(message);
    await user.click(await button(LABEL));
    await user.click(await button('Charge $220.50'));
    await banner('Charged $220.50 to Visa 1111.');
    expect(new Set(server.charges.map(({ key }) => key)).size).toBe(2);
  });

  it('shows the outcome of an unknown charge once the card provider has answered', async () => {
    const { user, server, dialog } = await openDialog();
    server.replies = [{ state: 'unknown' }];
    await user.click(await button('Charge $220.50', dialog));
    const unknown = await banner('We do not know yet whether Visa 1111 was charged.');
    expect(textOf(unknown)).toContain('INV-1042: do not take the $220.50 again.');
    server.replies = [{}];
    pollNow();
    await banner('Charged $220.50 to Visa 1111.');
    expect(new Set(server.charges.map(({ key }) => key)).size).toBe(1);
  });

  it('stops asking once an unknown charge turns out to be refused', async () => {
    const { user, server, dialog } = await openDialog();
    server.replies = [{ state: 'unknown' }];
    await user.click(await button('Charge $220.50', dialog));
    await banner('We do not know yet whether Visa 1111 was charged.');
    const message = 'The card provider refused the charge. Nothing was charged.';
    server.replies = [{ status: 409, code: 'gateway-refused', message }];
    pollNow();
    await banner(message);
    pollNow();
    expect(server.charges).toHaveLength(2);
  });

  it('says that nothing was charged if the card provider has no record of it', async () => {
    const { user, server, dialog } = await openDialog();
    server.replies = [{ state: 'not-charged' }];
    await user.click(await button('Charge $220.50', dialog));
    const notCharged = await banner('Visa 1111 was not charged: the card provider has no record of it.');
    await button('Send a payment link', notCharged);
  });

  it('repeats only the same charge after a lost reply', async () => {
    const { user, server, dialog } = await openDialog({ cards: [VISA, MASTERCARD] });
    server.replies = ['no answer', {}];
    await user.click(await button('Charge $220.50', dialog));
    await within(dialog).findByText(/The card may have been charged\. If you try again, it is charged only once\./);
    expect(within(dialog).queryByLabelText('Card')).toBeNull();
    expect(textOf(dialog)).toContain('$220.50 for INV-1042, from Visa 1111.');
    await user.click(await button('Try again', dialog));
    await banner('Charged $220.50 to Visa 1111.');
    const [first, second] = server.charges;
    expect(second).toEqual(first);
  });

  it('explains if the customer has no card, or only an expired one', async () => {
    const { user, server } = await openInvoice({ cards: [] });
    await user.click(await button(LABEL));
    const none = await banner('This customer has no card on file.');
    expect(textOf(none)).toContain('Customers can keep a card when they pay by link.');
    await button('Send a payment link', none);
    server.cards = [EXPIRED];
    await user.click(await button(LABEL));
    const expired = await banner('No card on file can be charged.');
    expect(textOf(expired)).toContain('Visa 1111, expired 03/2026.');
  });

  it('reports cards that could not be loaded', async () => {
    expectErrors(/Failed to fetch the cards on file/);
    const { user } = await openInvoice();
    calls.answer(
      ({ pathname }) => pathname === '/api/stored-cards',
      ({ fulfill }) => fulfill({ status: 503, json: { error: { code: 'internal', message: 'Please try again.' } } }),
    );
    await user.click(await button(LABEL));
    expect(textOf(await banner('The cards on file could not be loaded.'))).toContain('Please try again.');
  });

  it.each<[string, Options]>([
    ['while the account keeps no cards', { view: { cardsOnFile: false } }],
    ['to staff who may not take payments', { view: { may: [] } }],
    ['for a paid invoice', { changes: { properties: { hs_invoice_status: 'paid', hs_balance_due: '0.00' } } }],
    ['for an invoice without a customer', { changes: { customer_id: '' } }],
  ])('is not offered %s', async (_, options) => {
    const { server } = await openInvoice(options);
    expect(screen.queryByRole('button', { name: LABEL })).toBeNull();
    expect(server.contactIds).toEqual([]);
  });
});

describe('cards on file of a customer', () => {
  const openCustomer = async (cards: StoredCard[], view: Partial<AppView> = {}, reply = HANNAH) => {
    await serveCustomer(calls, reply);
    const server = await serveStoredCards(calls, ...cards);
    const user = await openApp('/customers/7', { cardsOnFile: true, ...view });
    return { user, server, region: await screen.findByRole('region', { name: 'Cards on file' }) };
  };

  it('are listed with their expiry, and can be removed', async () => {
    const { user, server, region } = await openCustomer([VISA, EXPIRED]);
    const rows = await within(region).findAllByRole('listitem');
    expect(textOf(rows[0])).toMatch(/^Since May 3, 2026.*Visa 1111, expires 12\/2099 Remove Visa 1111$/);
    expect(textOf(rows[1])).toMatch(/^Since May 3, 2026.*Visa 1111, expired 03\/2026 Remove Visa 1111$/);
    await user.click(await button('Remove Visa 1111', rows[0]));
    const dialog = await screen.findByRole('dialog', { name: 'Remove Visa 1111?' });
    await user.click(await button('Remove', dialog));
    await screen.findByText('Visa 1111 is removed.');
    await waitFor(() => expect(within(region).getAllByRole('listitem')).toHaveLength(1));
    expect(server.removed).toEqual(['card-1']);
    expect(server.contactIds).toEqual(['7', '7']);
  });

  it('cannot be removed by staff who may not take payments', async () => {
    const { region } = await openCustomer([VISA], { may: [] });
    expect(textOf(await within(region).findByRole('listitem'))).toMatch(/Visa 1111, expires 12\/2099$/);
    expect(screen.queryByRole('button', { name: LABEL })).toBeNull();
  });

  it('show an empty state, and are not requested while the account keeps no cards', async () => {
    const { region } = await openCustomer([]);
    await within(region).findByText('No cards on file.');
    await openApp('/customers/7');
    await screen.findByRole('region', { name: 'Stored data' });
    expect(screen.queryByRole('region', { name: 'Cards on file' })).toBeNull();
  });

  it('are charged for the chosen invoice, and listed again after a refusal of the card', async () => {
    const [first, , third] = HANNAH.invoices;
    if (!first || !third) throw new Error('too few invoices');
    const properties = { ...third.properties, hs_invoice_status: 'open', hs_balance_due: '20.00' };
    const owed = HANNAH.owed.map((sum) => ({ ...sum, invoices: 2 }));
    const reply = { ...HANNAH, invoices: [first, { ...third, properties }], owed };
    const { user, server, region } = await openCustomer([VISA], {}, reply);
    answerWith('/api/invoices/902/parts', NO_PARTS);
    await within(region).findByRole('listitem');
    await user.click(await button(LABEL));
    const dialog = await screen.findByRole('dialog', { name: 'Charge the card on file?' });
    await user.click(await button('Charge', dialog));
    await within(dialog).findByText('Please choose an invoice.');
    await user.selectOptions(within(dialog).getByLabelText('Invoice'), 'INV-1129, $20.00');
    const message = 'This card is no longer on file. Nothing was charged.';
    server.replies = [{ status: 409, code: 'card-removed', message }];
    server.cards = [];
    await user.click(await button('Charge $20.00', dialog));
    const refused = await banner(message);
    await within(region).findByText('No cards on file.');
    expect(server.charges).toMatchObject([{ invoiceId: '902', amountCents: 2000 }]);
    await user.click(await button('Send a payment link', refused));
    await screen.findByRole('dialog', { name: 'Email the payment link of INV-1129?' });
  });
});

describe('card on file in Take Payment', () => {
  it('is charged for the chosen invoice, and the invoices are then loaded again', async () => {
    answerReaders(reader(1));
    await serveCustomer(calls);
    const server = await serveStoredCards(calls, VISA);
    answerWith('/api/invoices/getOpenInvoices', [makeOpenInvoice(0, { crm_id: '42' })]);
    answerWith('/api/invoices/42/parts', NO_PARTS);
    const user = await openApp('/payments?customer=7&invoice=42', { cardsOnFile: true });
    const region = await screen.findByRole('region', { name: 'Card on file' });
    await user.click(await button(LABEL, region));
    const dialog = await screen.findByRole('dialog', { name: 'Charge the card on file?' });
    server.replies = [{ amountCents: 18_400 }];
    answerWith('/api/invoices/getOpenInvoices', []);
    await user.click(await button('Charge $184.00', dialog));
    await banner('Charged $184.00 to Visa 1111.');
    await screen.findByRole('option', { name: 'No open invoices' });
    await within(region).findByText('Choose a customer and an invoice first.');
    await banner('Charged $184.00 to Visa 1111.');
    expect(server.charges).toMatchObject([{ invoiceId: '42', amountCents: 18_400 }]);
  });

  it('needs an invoice, and is absent while the account keeps no cards', async () => {
    answerReaders(reader(1));
    await openApp('/payments', { cardsOnFile: true });
    const region = await screen.findByRole('region', { name: 'Card on file' });
    await within(region).findByText('Choose a customer and an invoice first.');
    expect(within(region).queryByRole('button', { name: LABEL })).toBeNull();
    await openApp('/payments');
    await screen.findByRole('region', { name: 'Customer on the phone?' });
    expect(screen.queryByRole('region', { name: 'Card on file' })).toBeNull();
  });
});
