import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { calls } from '#tests/support/components/calls';
import { expectErrors } from '#tests/support/components/expected-errors';
import { openApp } from '#tests/support/components/merchant-app';
import { textOf } from '#tests/support/components/queries';
import { batchOf, DAY, salesOf, serveTakings, takingsOf } from '#tests/support/servers/takings-server';

const openTakings = async () => {
  await openApp(`/takings?date=${DAY}`);
  await screen.findByRole('heading', { name: 'Card takings', level: 2 });
};
const readSheet = async () => textOf(await screen.findByRole('article'));
const expectSheet = (text: RegExp) => waitFor(async () => expect(await readSheet()).toMatch(text));

describe('card takings', () => {
  it('show a day whose totals agree with those of the card provider', async () => {
    await serveTakings(calls);
    await openTakings();
    await screen.findByText(/Both batches are closed\./);
    await screen.findByText(/Net of the batches: \$5,362\.25\. The card provider has the same total\./);
    const text = await readSheet();
    for (const part of [
      /Maple Street Dental, 214 Maple Street, Carmel, IN 46032 Tuesday, Mar 3, 2026.*last batch closed/,
      /Net taken on this day \$5,362\.25.*Sales 15, \$5,400\.65 Refunds 1, −\$38\.40 Declined 2, not charged Tuesday before \$5,004\.30/,
      /Total/,
      /Visa 7 \$2,716\.60/,
      /Paid in HubSpot, not by card: 3, \$150\.00/,
      /Sales agree: \$5,400\.65 Refunds agree: −\$38\.40 Net agrees: \$5,362\.25 Every payment has an invoice/,
      /Two payments look alike: Visa 1111,/,
      /kept.*refunded/,
      /Counted by/,
      /Sheet 1 of 1/,
    ])
      expect(text).toMatch(part);
  });

  it('report mismatches, open batches, and batches that were closed on a later day', async () => {
    await serveTakings(calls, {
      terminals: 3,
      // Our books have $71.10 less of the first batch than the card provider.
      takings: takingsOf(1, {
        net: '5291.15',
        sales: { count: 15, amount: '5329.55' },
        methods: takingsOf().methods.with(0, { name: 'Visa', count: 7, amount: '2645.50' }),
      }),
      isRight: () => false,
      batches: (terminal) => {
        const openState = { status: 'OPEN', settled: null, 'confirmation-code': null } as const;
        if (terminal === 2) return [batchOf(2, { ...salesOf('5', '1955.65'), ...openState })];
        if (terminal === 3) return [batchOf(3, { ...salesOf('4', '1700.00'), settled: '2026-03-04T13:05:00.000Z' })];
        return [batchOf(1)];
      },
    });
    await openTakings();
    const banner = (await screen.findByText(/1 batch is still open\./)).closest('[role=status]');
    expect(textOf(banner)).toMatch(
      /Close it in Batches Dashboard when the day is over\..*The card provider has different totals/,
    );
    const [check] = screen.getAllByRole('link', { name: 'Payments to check' });
    expect(check?.getAttribute('href')).toBe('/checks');
    await expectSheet(/Net does not agree: ours \$1,635\.50, theirs \$1,706\.60\. Difference \$71\.10\./);
    await expectSheet(/CONF7014121 No/);
    await expectSheet(/Front desk 2 is still open: \$1,955\.65 not in these batches\./);
    await expectSheet(/Front desk 3, batch 11, was closed Mar 4, 2026, .*: \$1,700\.00 not in these batches\./);
    await expectSheet(
      /is \$3,584\.55 more than these batches: \$3,655\.65 is in batches that were not closed on this day, payments of/,
    );
  });

  it('explain a difference by an open batch, without mention of other days', async () => {
    const refunded = {
      ...salesOf('0', '0.00'),
      'refund-count': '1',
      'refund-total': '150.00',
      'net-amount': '-150.00',
    };
    const openState = { status: 'OPEN', settled: null, 'confirmation-code': null } as const;
    await serveTakings(calls, {
      terminals: 1,
      takings: takingsOf(0, { net: '-150.00' }),
      batches: (terminal) => (terminal === 1 ? [batchOf(1, { ...refunded, ...openState })] : []),
    });
    await openTakings();
    await expectSheet(/Front desk 1 is still open: −\$150\.00 not in these batches\./);
    await expectSheet(
      /is \$150\.00 less than these batches: the difference is in batches that were not closed on this day\./,
    );
    expect(await readSheet()).not.toMatch(/of another day/);
  });

  it('state how many batches the net covers if one of them is older than the Tillway account', async () => {
    const takings = takingsOf(0, { net: '1706.60' });
    await serveTakings(calls, { takings, isRight: (terminal) => (terminal === 2 ? null : true) });
    await openTakings();
    await screen.findByText(/Net of 1 of 2 closed batches: \$1,706\.60\. The card provider has the same total\./);
    await expectSheet(/Front desk 2, batch 10: Before Tillway, so not in our books/);
    await expectSheet(/is \$3,655\.65 less than these batches: .*, and our books lack what was taken before Tillway\./);
  });

  it('keep the chosen day in the URL, and report a failed load', async () => {
    const dates: (string | null)[] = [];
    await serveTakings(calls);
    await openTakings();
    fireEvent.change(screen.getByLabelText('Day'), { target: { value: '2026-03-02' } });
    await waitFor(() => expect(window.location.search).toContain('date=2026-03-02'));
    expectErrors(/^Failed to /);
    calls.answer(
      ({ pathname }) => pathname === '/api/takings',
      (call) => {
        dates.push(call.url.searchParams.get('date'));
        return call.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Please try again.' } } });
      },
    );
    await openApp(`/takings${window.location.search}`);
    await screen.findByText(/Card takings could not be loaded\./);
    expect(dates.at(-1)).toBe('2026-03-02');
  });
});
