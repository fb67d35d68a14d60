import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { textOf } from '#tests/support/components/queries';
import { DESK, serveBatch, view } from '#tests/support/servers/checks-server';

const openReconciliation = async () => {
  await openApp(`/transactions?terminal=${DESK}`);
  return within(await screen.findByRole('region', { name: 'Checked against our books' }));
};

it('does not report agreement for payments from before Tillway, or without totals', async () => {
  const earlierLines = view.differences.map((line) => ({ ...line, verdict: 'earlier' }));
  const match = {
    answer: { lines: earlierLines, sums: [{ what: 'net', lines: '60.40', batch: '60.40', agrees: true }] },
  };
  await serveBatch(calls, match);
  const earlierView = await openReconciliation();
  await earlierView.findByText(/^Before Tillway: these payments/);
  earlierView.getByText('$60.40');
  expect(earlierView.queryByText('Agrees')).toBeNull();
  match.answer = { lines: earlierLines, sums: [] };
  const viewWithoutSums = await openReconciliation();
  await viewWithoutSums.findByText(/^Cannot be compared yet/);
  expect(viewWithoutSums.queryByText('Agrees')).toBeNull();
});

it('marks the totals that differ', async () => {
  const sums = [
    { what: 'sales', lines: '68.40', batch: '60.40', agrees: false },
    { what: 'refunds', lines: '46.25', batch: '46.25', agrees: true },
    { what: 'net', lines: '68.40', batch: '60.40', agrees: false },
  ];
  await serveBatch(calls, { answer: { lines: view.differences, sums } });
  const match = await openReconciliation();
  await waitFor(() => expect(match.getAllByText('Differs')).toHaveLength(2));
  expect(textOf([...document.querySelectorAll('.match-wrong')].at(-1))).toMatch(
    /^Net ?\$68\.40 ?The batch says ?\$60\.40 ?Differs$/,
  );
  expect(textOf(document.querySelector('.match-sum:not(.match-wrong)') as HTMLElement)).toMatch(
    /^Refunds ?minus −\$46\.25$/,
  );
  match.getByText('0 of 3 lines agree with our books, 3 do not.');
  // The totals of refunds match, but our books lack some of these payments.
  expect(match.queryByText('Agrees')).toBeNull();
});
