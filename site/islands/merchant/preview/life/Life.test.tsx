import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button, textOf, waitForTextIn } from '#tests/support/components/queries';
import { type Changes, makePreview, NOTHING_YET, servePreview } from '#tests/support/servers/preview-server';

const ID = '903';
const YEAR = new Date().getFullYear();
const at = (day: string) => `${YEAR}-${day}T15:42:00.000Z`;

const showInvoice = async () => {
  const user = await openApp(`/invoice/${ID}`);
  await button('Save Invoice');
  return user;
};

async function openInvoice(changes: Changes = {}) {
  const server = await servePreview(calls, ID, changes);
  const user = await showInvoice();
  return { server, user };
}

const stopTexts = () =>
  within(screen.getByRole('list', { name: 'Life of this invoice' }))
    .getAllByRole('listitem')
    .map((stop) => `${stop.className}: ${textOf(stop.querySelector('.line-name'))}`);
const primaryButtons = () => [...document.querySelectorAll('main .button-primary')].map(textOf);
const region = (name: string) => screen.getByRole('region', { name });
const expectRegion = (name: string, text: RegExp) => waitFor(() => expect(textOf(region(name))).toMatch(text));

const batch = {
  id: '6',
  settled_at: at('03-05'),
  confirmation: 'CONF7014220776',
  funded_on: null,
  deposit: null,
  fees: null,
};
const payment = {
  id: 'a1',
  at: at('03-04'),
  amount: '220.50',
  card: 'Visa •••• 1111',
  via: 'Front desk 2',
  state: 'approved' as const,
  batch,
  in_crm: null,
};
const life = {
  ...NOTHING_YET,
  sent: { first_at: at('03-01'), last_at: at('03-01'), times: 1, to: 'marta@payer.example' },
  opened: { first_at: at('03-02'), last_at: at('03-03'), times: 3 },
  mails: [{ kind: 'pay-link' as const, at: at('03-01'), state: 'sent' as const, delivery: 'delivered' as const }],
};
const paid = {
  hs_invoice_status: 'paid',
  hs_balance_due: '0.00',
  payment_method: 'Visa •••• 1111',
  payment_date: at('03-04'),
  paid_via: 'Front desk 2',
  transaction_id: '8442',
  receipt_id: 'R-1042',
};
const reversalOf = (kind: 'void' | 'refund', amount: string) => ({
  id: `r${amount}`,
  kind,
  amount,
  at: at(kind === 'void' ? '03-04' : '03-06'),
  card: 'Visa •••• 1111',
  reason: 'One X-ray too many',
  by: 'Grace Lindqvist',
  is_earlier: false,
  batch: null,
});

describe('invoice timeline', () => {
  it('shows an overdue invoice’s amount and progress, and offers to email the link as the next step', async () => {
    const days = { hs_invoice_date: `${YEAR - 1}-09-08`, hs_due_date: `${YEAR - 1}-10-08` };
    await openInvoice({ properties: days, life, customer_id: '501' });
    expect(textOf(document.querySelector('.preview-head'))).toContain('Overdue');
    await waitForTextIn('.preview-owed', /^\$220\.50 owed, due Oct 8, \d{4}\. \d+ days late\.$/);
    expect(stopTexts()).toEqual(['done: Sent', 'now: Opened', 'ahead: Paid', 'ahead: In a batch', 'ahead: Settled']);
    expect(primaryButtons()).toEqual(['Email Payment Link']);
    screen.getByText('3 times, last Mar 3');
    screen.getByText('Works until Jan 23, 2099. Opened 3 times.');
    await waitForTextIn('.preview-sums', /^Billed \$220\.50 Paid \$0\.00 Balance due \$220\.50$/);
  });

  it('shows a returned bank payment, and the stops that are ahead again', async () => {
    const returned = [{ at: at('03-04'), returned_at: at('03-06'), amount: '220.50' }];
    await openInvoice({ life: { ...life, returned } });
    expect(stopTexts()).toEqual([
      ...['done: Sent', 'done: Opened', 'done: Submitted', 'back: Returned'],
      ...['ahead: Paid', 'ahead: In a batch', 'ahead: Settled'],
    ]);
    screen.getByText('bank payment, $220.50');
    screen.getByText('the bank did not pay');
  });

  it('ends with the bank deposit for a paid invoice, which has no primary action', async () => {
    const inBank = { ...batch, funded_on: `${YEAR}-03-06`, deposit: '215.00', fees: '5.50' };
    await openInvoice({
      properties: paid,
      life: { ...life, payments: [{ ...payment, batch: inBank }], paid: '220.50' },
    });
    expect(stopTexts()).toEqual(
      ['Sent', 'Opened', 'Paid', 'In batch 6', 'Settled', 'In the bank'].map((name) => `done: ${name}`),
    );
    screen.getByText('$215.00, fees $5.50');
    expect(screen.queryByText(/in HubSpot/), 'nothing is shown if nothing is recorded').toBeNull();
    screen.getByText(/CONF7014220776/);
    expect(primaryButtons()).toEqual([]);
    await waitForTextIn('.preview-sums', /^Billed \$220\.50 Paid \$220\.50 Balance due \$0\.00$/);
  });

  it.each([
    [
      { state: 'recorded', at: new Date().toISOString(), why: '' },
      /Recorded in HubSpot \w+ \d+, \d{4}, \d+:\d\d\s[AP]M/,
    ],
    [
      { state: 'missing', at: null, why: 'This account must be set up for HubSpot payments.' },
      /Paid here, not in HubSpot: This account must/,
    ],
  ] as const)('shows the CRM record of a paid invoice: %j', async (in_crm, line) => {
    await openInvoice({ properties: paid, life: { ...life, payments: [{ ...payment, in_crm }], paid: '220.50' } });
    await waitForTextIn('.preview-top', line);
    const links = screen.queryAllByRole('link', { name: 'See what to enter in HubSpot' });
    expect(links).toHaveLength(in_crm.state === 'missing' ? 1 : 0);
  });

  it('shows the remaining amount and the reason for the refund of a partly refunded invoice', async () => {
    await openInvoice({
      properties: paid,
      payment_id: 'a1',
      life: {
        ...life,
        payments: [payment],
        given_back: [reversalOf('refund', '52.55')],
        paid: '220.50',
        refunded: '52.55',
      },
    });
    expect(textOf(document.querySelector('.preview-head'))).toContain('Partly refunded');
    await waitForTextIn('.preview-owed', '$220.50 paid, $52.55 refunded. $167.95 remains paid.');
    expect(stopTexts().slice(-2)).toEqual(['done: Settled', 'back: Partly refunded']);
    screen.getByText('“One X-ray too many”, Grace Lindqvist');
    await button('Void or refund');
    expect(primaryButtons()).toEqual([]);
  });

  it('ends with the void, not with the settlement, for a voided invoice', async () => {
    await openInvoice({
      properties: { ...paid, hs_invoice_status: 'voided', hs_balance_due: '220.50' },
      can_collect_again: true,
      life: {
        ...life,
        payments: [{ ...payment, state: 'voided', batch: { ...batch, settled_at: null, confirmation: '' } }],
        given_back: [reversalOf('void', '220.50')],
        paid: '220.50',
        refunded: '220.50',
      },
    });
    expect(textOf(document.querySelector('.preview-head'))).toContain('Voided');
    expect(stopTexts().slice(2)).toEqual(['done: Paid', 'done: In batch 6', 'back: Voided']);
    await button('Collect again');
  });

  it('shows past reminders, their delivery and the next reminder', async () => {
    const reminder = (day: string, delivery: 'bounced' | 'delivered') => ({
      kind: 'reminder' as const,
      at: at(day),
      state: 'sent' as const,
      delivery,
    });
    const { server } = await openInvoice({
      properties: { hs_due_date: `${YEAR}-03-04` },
      life: {
        ...life,
        reminded: { first_at: at('03-06'), last_at: at('03-10'), times: 3 },
        mails: [
          ...[reminder('03-10', 'delivered'), reminder('03-08', 'delivered'), reminder('03-06', 'bounced')],
          ...life.mails,
        ],
      },
    });
    expect(stopTexts().slice(0, 4)).toEqual(['done: Sent', 'done: Opened', 'now: Reminded', 'ahead: Paid']);
    await expectRegion('Emails', /Reminder, came back.*Payment link, delivered/);
    await expectRegion('Reminders', /Reminders are off\. Choose when to remind/);
    expect(within(region('Reminders')).queryByRole('button'), 'no exclusion while reminders are off').toBeNull();

    Object.assign(server.reminders, {
      is_on: true,
      last: { at: at('03-10'), times: 3, delivery: 'delivered' },
      next_at: at('12-07'),
      why_none: null,
    });
    const user = await showInvoice();
    await expectRegion('Reminders', /Last reminder ?3 times, last Mar 10, delivered.*Next reminder ?Dec 7, \d+:42/);
    await user.click(await button('Leave out of reminders'));
    await expectRegion('Reminders', /This invoice is left out of reminders\. ?Remind again/);
    expect(server.writes.at(-1)).toEqual({ request: `PUT /invoices/${ID}/reminders`, body: { is_excluded: true } });
    await user.click(await button('Remind again'));
    await expectRegion('Reminders', /Next reminder ?Dec 7/);
  });

  it('reports that the payer stopped reminders, and hides reminders once the invoice is paid', async () => {
    const { server } = await openInvoice({ life });
    Object.assign(server.reminders, { is_on: true, stopped_at: at('03-08'), why_none: 'stopped' });
    await showInvoice();
    await expectRegion('Reminders', /The payer stopped reminders on Mar 8\./);
    server.invoice = makePreview(ID, { properties: paid, life: { ...life, payments: [payment], paid: '220.50' } });
    await showInvoice();
    expect(screen.queryByRole('region', { name: 'Reminders' })).toBeNull();
  });

  it('offers to check a payment with an unknown outcome, and warns against taking it again', async () => {
    const undecided = { id: 'a1', at: at('03-04'), amount: '220.50', state: 'unknown' as const };
    await openInvoice({ life: { ...life, undecided } });
    // Once in the badge and once in the timeline.
    expect(screen.getAllByText('Not known yet')).toHaveLength(2);
    screen.getByText('We do not know yet whether this was charged.');
    await waitForTextIn('.preview-owed', '$220.50 may have been charged already. Do not take it again.');
    expect((await button(/^Email Payment Link/)).hasAttribute('disabled')).toBe(true);
    expect(primaryButtons()).toEqual(['Check payment']);
  });
});
