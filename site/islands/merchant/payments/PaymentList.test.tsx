import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ReversalView } from '#shared/contracts/payments/batches';
import { addDays } from '#shared/text/local-day';
import { answerWith, calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button, recordDownloads, textOf } from '#tests/support/components/queries';
import { paymentOf, servePayments } from '#tests/support/servers/payments-server';
import { periodsOf } from './PaymentList.tsx';

const VIEW: ReversalView = {
  payment: {
    id: 'p1',
    invoice_id: '1042',
    invoice_number: 'INV-1042',
    amount: '184.00',
    card: 'Visa 1111',
    terminal_id: 'front-1',
    paid_at: '2026-03-04T15:42:00.000Z',
  },
  offer: { kind: 'refund', left: '184.00', may_refund: '184.00', why: null },
  reversals: [],
};

async function openPayments(address = '/transactions/all', view = {}) {
  const user = await openApp(address, view);
  await screen.findByRole('heading', { name: 'Payments', level: 2 });
  return user;
}
async function rowTexts(): Promise<string[]> {
  await screen.findAllByText('INV-1042');
  return screen.getAllByRole('row').slice(1).map(textOf);
}
const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Indiana/Indianapolis' }).format();

describe('list of payments', () => {
  it('shows each payment and refund with the totals, and a voided payment struck through', async () => {
    await servePayments(calls, [
      paymentOf(),
      paymentOf({
        id: 'txn-2',
        status: 'refund',
        amount: '-38.40',
        can_go_back: false,
        customer: { id: '', name: '' },
      }),
      paymentOf({
        id: 'txn-3',
        status: 'voided',
        counted: '0.00',
        can_go_back: false,
        terminal: '',
        by: '',
        batch_id: '',
        method: 'ach',
        payer: 'Vesna Ruiz',
      }),
    ]);
    await openPayments();
    const [paid, refund, voided] = await rowTexts();
    expect(paid).toMatch(
      /Mar 4, 2026 10:42\sAM Marta Ruiz INV-1042 \$184\.00 Paid Method Visa 1111 Front desk 1, by Dana Whitfield Batch 7 Void or refund/,
    );
    expect(refund).toMatch(/No name .*minus −\$38\.40 Refund /);
    expect(refund).not.toContain('Void or refund');
    expect(voided).toMatch(/Marta Ruiz paid by Vesna Ruiz .* Voided Method Bank account online Batch N\/A/);
    expect(document.querySelector('s')?.textContent).toBe('$184.00');
    const totals = textOf(document.querySelector('.payment-totals') as HTMLElement);
    expect(totals).toBe('2 payments $255.10 1 refund minus −$38.40 Net $216.70 On its way $0.00 No outcome yet $0.00');
    expect(screen.queryByRole('link', { name: /payments to check/ })).toBeNull();
  });

  it.each([
    ['voided', '0.00', true],
    ['returned', '0.00', true],
    ['correction', '0.00', true],
    ['returned', '184.00', false],
    ['submitted', '0.00', false],
  ] as const)('decides whether to strike out a %s payment counted as %s: %s', async (status, counted, isStruck) => {
    await servePayments(calls, [paymentOf({ status, counted })]);
    await openPayments();
    await rowTexts();
    expect(document.querySelector('s')?.textContent ?? null).toBe(isStruck ? '$184.00' : null);
  });

  it('shows a refund that is waiting for approval', async () => {
    await servePayments(calls, [paymentOf({ waiting: 'refund' })]);
    await openPayments();
    expect((await rowTexts())[0]).toContain('Paid refund waiting for approval Method');
  });

  it('counts every kind of row in the totals, so that they add up to the rows', async () => {
    const onItsWay = paymentOf({ id: '', status: 'submitted', method: 'ach', counted: '0.00', can_go_back: false });
    await servePayments(calls, [onItsWay, { ...onItsWay, payment_id: 'p2' }], {
      totals: {
        payments: { count: 53, amount: '900.00' },
        voided: 1,
        returned: 3,
        refunds: { count: 2, amount: '-38.40' },
        corrections: 1,
        net: '861.60',
        on_its_way: { count: 2, amount: '1152.55' },
      },
    });
    await openPayments();
    const [first, second] = await rowTexts();
    expect(first).toMatch(/\$184\.00 Submitted Method Bank account/);
    expect(second).toMatch(/Submitted/);
    expect(textOf(document.querySelector('.payment-totals') as HTMLElement)).toBe(
      '53 payments, 1 voided, 3 returned $900.00 2 refunds, 1 corrected minus −$38.40 Net $861.60 2 on its way $1,152.55 No outcome yet $0.00',
    );
  });

  it('selects a preset period, and exports the payments in it', async () => {
    const files = recordDownloads();
    const requests = await servePayments(calls, [paymentOf()]);
    const user = await openPayments();
    await rowTexts();
    expect(requests.at(-1)?.get('day')).toBeNull();
    expect((await button('Last 30 days')).getAttribute('aria-pressed')).toBe('true');
    await user.click(await button('Last month'));
    const last = addDays(`${today().slice(0, 7)}-01`, -1);
    const range = `${last.slice(0, 7)}-01..${last}`;
    await waitFor(() => expect(requests.at(-1)?.get('day')).toBe(range));
    expect((await button('Last month')).getAttribute('aria-pressed')).toBe('true');
    await user.click(await button('Export CSV'));
    await waitFor(() => expect(files).toHaveLength(1));
    expect(files[0]?.name).toBe(`payments-${last.slice(0, 7)}-01-to-${last}.csv`);
    expect(requests.at(-1)?.get('format')).toBe('csv');
    expect(requests.at(-1)?.get('day')).toBe(range);
  });

  it('accepts a custom period from a form, and shows it on the button', async () => {
    const requests = await servePayments(calls, [paymentOf()]);
    const user = await openPayments();
    await user.click(await button(/^Other days/));
    await user.type(screen.getByLabelText('First day'), '2026-02-01');
    await user.type(screen.getByLabelText('Last day'), '2026-02-14');
    await user.click(await button('Apply'));
    await waitFor(() => expect(requests.at(-1)?.get('day')).toBe('2026-02-01..2026-02-14'));
    await button(/Feb 1, 2026 to Feb 14, 2026/);
  });

  it('filters by status', async () => {
    const requests = await servePayments(calls, [paymentOf()]);
    const user = await openPayments();
    await user.click(await button(/Filter by status/));
    await user.click(screen.getByLabelText('Returned'));
    await user.click(screen.getByLabelText('Corrected refund'));
    await waitFor(() => expect(requests.at(-1)?.get('status')).toBe('returned,correction'));
  });

  it.each([
    ['2026-03-01', '2026-02-16..2026-02-22'],
    ['2026-03-02', '2026-02-23..2026-03-01'],
    ['2026-03-07', '2026-02-23..2026-03-01'],
  ])('offers the previous week, Monday to Sunday, as a period on %s', (today, range) => {
    expect(periodsOf(today).find(({ name }) => name === 'Last week')?.range).toBe(range);
  });

  it('filters by card reader, and mentions the card reader if there are no payments', async () => {
    answerWith('/api/counter-terminals', {
      desks: [{ terminal_id: 'front-1', terminal_name: 'Front desk 1', last_heard: null, sale: null, is_busy: false }],
    });
    const requests = await servePayments(calls, []);
    const user = await openPayments();
    await user.click(await button(/Filter by card reader/));
    await user.click(await screen.findByLabelText('Front desk 1'));
    await waitFor(() => expect(requests.at(-1)?.get('terminal')).toBe('front-1'));
    await button(/Card reader: Front desk 1/);
    await screen.findByText('No payments at this card reader from Feb 3, 2026 to Mar 4, 2026.');
    await user.click(await button('Clear filters'));
    await waitFor(() => expect(requests.at(-1)?.get('terminal')).toBeNull());
  });

  it('shows "Not yet" for a card payment without a batch, and N/A for payments that never get one', async () => {
    await servePayments(calls, [
      paymentOf({ batch_id: '' }),
      paymentOf({ id: 'txn-2', batch_id: '', status: 'voided' }),
      paymentOf({ id: 'txn-3', batch_id: '', method: 'ach' }),
    ]);
    await openPayments();
    expect((await rowTexts()).map((row) => /Batch (Not yet|N\/A)/.exec(row)?.[1])).toEqual(['Not yet', 'N/A', 'N/A']);
  });

  it('names the searched period if nothing matches, and offers to search the last year', async () => {
    const requests = await servePayments(calls, []);
    const user = await openPayments('/transactions/all?q=%24588.50');
    await screen.findByText('No payment matches "$588.50" from Feb 3, 2026 to Mar 4, 2026.');
    await user.click(await button('Search the last year'));
    const range = `${addDays(today(), -364)}..${today()}`;
    await waitFor(() => expect(requests.at(-1)?.get('day')).toBe(range));
    expect(requests.at(-1)?.get('q')).toBe('$588.50');
  });

  it('offers no period longer than a year', async () => {
    await servePayments(calls, [], { period: { from: '2025-03-05', to: '2026-03-04' } });
    await openPayments('/transactions/all?q=nobody&day=2025-03-05..2026-03-04&status=paid');
    await screen.findByText('No payment matches "nobody" with this status from Mar 5, 2025 to Mar 4, 2026.');
    expect(screen.queryByRole('button', { name: 'Search the last year' })).toBeNull();
    await button('Clear search');
  });

  it('shows the amount that the totals do not include', async () => {
    await servePayments(calls, [], { unknown: { count: 1, amount: '187.15' } });
    await openPayments();
    await screen.findByText('1 with no outcome yet');
    const link = screen.getByRole('link', { name: '$187.15 , not included in the totals: payments to check' });
    expect(link.getAttribute('href')).toBe('/checks');
    await screen.findByText('No payments in the last 30 days.');
  });

  it('refunds a payment from its row, and reloads the list', async () => {
    const requests = await servePayments(calls, [paymentOf()]);
    answerWith('/api/payments/p1/reversal', VIEW);
    answerWith('/api/payments/p1/reversals', {
      reversal: {
        id: 'r1',
        kind: 'refund',
        amount: '184.00',
        state: 'done',
        reason: 'Cancelled',
        message: '',
        batch_id: '8',
        at: '2026-03-04T16:00:00.000Z',
      },
      message: 'Refunded.',
    });
    const user = await openPayments();
    await user.click(await button(/^Void or refund/));
    const dialog = await screen.findByRole('dialog');
    await user.type(within(dialog).getByLabelText(/^Reason/), 'Cancelled');
    const previousCount = requests.length;
    await user.click(within(dialog).getByRole('button', { name: 'Refund $184.00' }));
    await screen.findByText('Refunded $184.00.');
    await waitFor(() => expect(requests.length).toBeGreaterThan(previousCount));
    const link = screen.getByRole('link', { name: 'The batch of the refund' });
    expect(link.getAttribute('href')).toBe('/transactions?terminal=front-1&batch=8');
  });

  it('shows the remaining amount beside the user’s refund limit, and does not prefill a lower amount', async () => {
    await servePayments(calls, [paymentOf()]);
    answerWith('/api/payments/p1/reversal', {
      ...VIEW,
      offer: { kind: 'refund', left: '184.00', may_refund: '100.00', why: null },
    });
    const requests: unknown[] = [];
    calls.answer(
      ({ pathname }) => pathname === '/api/payments/p1/reversals',
      ({ readBody, fulfill }) => {
        requests.push(readBody());
        return fulfill({ json: { state: 'waiting', id: 'a1', message: 'A second person must approve this.' } });
      },
    );
    const user = await openPayments();
    await user.click(await button(/^Void or refund/));
    const dialog = await screen.findByRole('dialog');
    const limit = 'You can refund up to $100.00 now. For a larger refund, ask Grace Lindqvist (administrator).';
    expect(textOf(dialog)).toContain(`$184.00 is left of this payment. ${limit}`);
    const amount = within(dialog).getByLabelText<HTMLInputElement>(/^Amount/);
    expect(amount.value).toBe('');
    await user.type(within(dialog).getByLabelText(/^Reason/), 'Cancelled');
    const refund = () => within(dialog).getByRole('button', { name: /^Refund/ });
    const tryAmount = async (value: string) => {
      await user.clear(amount);
      await user.type(amount, value);
      expect(textOf(refund())).toBe('Refund');
      await user.click(refund());
      return amount.getAttribute('aria-describedby');
    };
    await tryAmount('184.00');
    expect(within(dialog).getByText(limit)).toBeTruthy();
    await tryAmount('184.01');
    expect(within(dialog).getByText('Up to $184.00 is left of this payment.')).toBeTruthy();
    expect(requests).toEqual([]);
    await user.clear(amount);
    await user.type(amount, '100');
    await user.click(within(dialog).getByRole('button', { name: 'Refund $100.00' }));
    await screen.findByText('Waiting for a second person.');
    expect(requests).toMatchObject([{ amount: '100.00' }]);
  });

  it('explains why a payment cannot be refunded', async () => {
    await servePayments(calls, [paymentOf()]);
    answerWith('/api/payments/p1/reversal', {
      ...VIEW,
      offer: { kind: null, left: '0.00', may_refund: '0.00', why: 'It was refunded in full.' },
    });
    const user = await openPayments();
    await user.click(await button(/^Void or refund/));
    await screen.findByText('It was refunded in full.');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('tells users without the right who may void or refund', async () => {
    await servePayments(calls, [paymentOf()]);
    await openPayments('/transactions/all', { may: ['audit'] });
    await rowTexts();
    expect(screen.queryByRole('button', { name: /^Void or refund/ })).toBeNull();
    await screen.findByText(/of this account may void or refund payments\. Ask Grace Lindqvist \(administrator\)\.$/);
  });
});
