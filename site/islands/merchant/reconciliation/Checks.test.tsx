import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ReconciliationView } from '#shared/contracts/payments/reconciliation';
import { calls } from '#tests/support/components/calls';
import { expectErrors } from '#tests/support/components/expected-errors';
import { openApp } from '#tests/support/components/merchant-app';
import { button, textOf } from '#tests/support/components/queries';
import { serveChecks, view } from '#tests/support/servers/checks-server';

async function openChecks(results: ReconciliationView = view) {
  const server = await serveChecks(calls, results);
  const user = await openApp('/checks');
  await screen.findByRole('heading', { name: 'Payments to check', level: 2 });
  return { ...server, user };
}

const itemText = (part: string) =>
  textOf(screen.getAllByRole('listitem').find((element) => element.textContent?.includes(part)));

describe('payments to check', () => {
  it('include mismatches with both amounts, and payments that need a decision', async () => {
    await openChecks();
    await screen.findByText('Only at the card provider');
    expect(itemText('90001')).toMatch(
      /Only at the card provider.* Card provider \$50\.00 Our books Not there .*void or refund it there\./,
    );
    expect(itemText('90002')).toMatch(
      /Amounts differ by \$165\.60.* \$18\.40 Our books \$184\.00 Customer Marta Núñez Invoice INV-1042 Ask the/,
    );
    expect(itemText('90003')).toMatch(/Only in our books.* Card provider Not there Our books \$71\.10/);
    const waiting = itemText('INV-1044');
    expect(waiting).toContain('$120.00');
    expect(waiting).toContain('showed no charge, so the invoice was opened again. Then it showed one after all.');
    expect(waiting).toContain('press It was charged. If it is not, press It was not charged.');
    expect(itemText('INV-1045')).toMatch(
      /Refund.*\$71\.10.*Ada Okafor.* shows another amount for it: \$61\.10\..* Paid \$184\.00 .*\$12\.90.*Billed twice/,
    );
    expect(itemText('INV-1040')).toMatch(/Void of INV-1040, \$20\.00.*It did not happen.*Called the provider/);
  });

  it('include unconfirmed and similar payments, with the count and the amount of all', async () => {
    await openChecks();
    await screen.findByText('6 payments to check, $780.80.');
    expect(itemText('INV-1046')).toMatch(/INV-1046 \$187\.15 ?Noor Haddad, online.* Do not take the payment again\./);
    expect(itemText('INV-1050')).toMatch(
      /INV-1050 \$76\.10 ?Ivy Whitfield, Visa 1111, Front desk 1.*INV-1051 \$76\.10/,
    );
  });

  it('can be set aside as not duplicates, with a note, by users with the right', async () => {
    const { resolutions, user } = await openChecks();
    await user.click(await button('Not a duplicate : INV-1050, INV-1051'));
    const dialog = await screen.findByRole('dialog', { name: 'Set these 2 payments aside?' });
    await user.type(within(dialog).getByLabelText('Note'), 'Two visits');
    await user.click(await button('Not a duplicate', dialog));
    await screen.findByText('2 payments set aside as not duplicates.');
    await waitFor(() => expect(screen.queryByRole('heading', { name: /look alike/ })).toBeNull());
    expect(resolutions).toEqual([{ payment_ids: ['alike0', 'alike1'], note: 'Two visits' }]);
    await serveChecks(calls);
    await openApp('/checks', { may: ['audit'] });
    await screen.findByRole('heading', { name: /look alike/ });
    expect(screen.queryByRole('button', { name: /^Not a duplicate/ })).toBeNull();
  });

  it('show no amount of the provider if it no longer reports whether the payment was made', async () => {
    await openChecks({ ...view, differences: view.differences.map((line) => ({ ...line, amount: null })) });
    await screen.findByText('Amounts differ');
    expect(itemText('90002')).toMatch(/Card provider Does not show if it was paid Our books \$184\.00/);
  });

  it('are decided by staff with a note, unless the provider’s record contradicts the decision', async () => {
    const { resolutions, state, user } = await openChecks();
    const openDialog = async (name: string) => {
      await user.click(await button(`${name} INV-1044`));
      return screen.findByRole('dialog', { name: 'Was INV-1044 charged?' });
    };
    const first = await openDialog('It was not charged');
    await user.click(await button('It was not charged', first));
    await within(first).findByText('Please say how you know.');
    expect(textOf(first)).toContain('The invoice can then be paid again with $120.00 (Li Wei).');
    expect(resolutions).toEqual([]);
    await user.type(within(first).getByLabelText('Note'), 'Called the provider');
    state.refuses = true;
    await user.click(await button('It was not charged', first));
    await within(first).findByText(
      'Clearent shows money taken for this payment. Void or refund it there, then press Check now.',
    );
    await user.click(await button('Cancel', first));
    state.refuses = false;
    const second = await openDialog('It was charged');
    expect(textOf(second)).toContain('The invoice is then paid with $120.00 (Li Wei)');
    await user.type(within(second).getByLabelText('Note'), 'Called the provider');
    await user.click(await button('It was charged', second));
    await screen.findByText('Invoice INV-1044 is paid.');
    await waitFor(() => expect(screen.queryByRole('button', { name: /INV-1044/ })).toBeNull());
    expect(resolutions).toEqual([
      { verdict: 'not-charged', note: 'Called the provider' },
      { verdict: 'charged', note: 'Called the provider' },
    ]);
  });

  it('include refunds, which staff decide with a note', async () => {
    const { resolutions, state, user } = await openChecks({ ...view, undecided: [] });
    const openDialog = async (name: string) => {
      await user.click(await button(`${name} INV-1045`));
      return screen.findByRole('dialog', { name: 'Did the refund of INV-1045 happen?' });
    };
    const first = await openDialog('It did not happen');
    await user.click(await button('It did not happen', first));
    await within(first).findByText('Please say how you know.');
    expect(textOf(first)).toContain(
      'The refund of $71.10 (Ada Okafor) is then cancelled: the payment of $184.00 is as before',
    );
    await user.type(within(first).getByLabelText('Note'), 'Asked the customer');
    state.refuses = true;
    await user.click(await button('It did not happen', first));
    await within(first).findByText('Clearent shows a refund.');
    await user.click(await button('Cancel', first));
    state.refuses = false;
    const second = await openDialog('It happened');
    expect(textOf(second)).toContain('The refund of $71.10 (Ada Okafor) is then booked');
    await user.type(within(second).getByLabelText('Note'), 'Asked the customer');
    await user.click(await button('It happened', second));
    await screen.findByText('The refund of $71.10 on INV-1045 is booked.');
    await screen.findByText('No payment is waiting for a decision.');
    expect(resolutions).toEqual([
      { verdict: 'not-happened', note: 'Asked the customer' },
      { verdict: 'happened', note: 'Asked the customer' },
    ]);
  });

  it('report that everything agrees, that nothing was compared yet, or that loading failed', async () => {
    const { state } = await openChecks({
      ...view,
      differences: [],
      undecided: [],
      undecided_reversals: [],
      unknown: [],
      look_alikes: [],
      to_check: { count: 0, amount: '0.00' },
      frozen_parts: [],
    });
    await screen.findByRole('heading', { name: 'All clear' });
    await screen.findByText('Nothing to check.');
    expect(screen.queryByRole('heading', { name: 'Differences' })).toBeNull();
    await screen.findByText(/^Everything agrees\./);
    expect((await screen.findByRole('link', { name: 'Card takings' })).getAttribute('href')).toMatch(/^\/takings/);
    state.view = { ...state.view, checked_at: null };
    await openApp('/checks');
    await screen.findByText(/Cannot be compared yet: not all payments have been read from the card provider\./);
    expect(screen.queryByRole('heading', { name: 'All clear' })).toBeNull();
    expect(screen.queryByText(/^Everything agrees\./)).toBeNull();
    expectErrors(/^Failed to /);
    state.isDown = true;
    await openApp('/checks');
    await screen.findByText(/The results could not be loaded\./);
    expect(screen.queryByText(/^Everything agrees\./)).toBeNull();
  });
});
