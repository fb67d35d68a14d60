import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerWith, calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button } from '#tests/support/components/seen';
import { sampleApproval } from '#tests/support/sample-approval';

const own = sampleApproval({ is_yours_to_withdraw: true });

it('a person can withdraw a refund that they asked for, but not approve it', async () => {
  answerWith('/api/approvals', { approvals: [own] });
  const decisions: unknown[] = [];
  calls.answer(
    ({ pathname }) => pathname === '/api/approvals/a1',
    ({ sent, fulfill }) => {
      decisions.push(sent());
      return fulfill({ json: { ...own, state: 'refused', decided_by: 'Tom Abara' } });
    },
  );
  const person = await openApp('/account/approvals');
  const waiting = await screen.findByRole('region', { name: 'Waiting' });
  const withdraw = await button(/^Withdraw/, waiting);
  expect(within(waiting).queryByRole('button', { name: /^Approve/ })).toBeNull();
  answerWith('/api/approvals', {
    approvals: [
      { ...own, state: 'refused', decided_by: 'Tom Abara', decided_at: own.asked_at, is_yours_to_withdraw: false },
    ],
  });
  await person.click(withdraw);
  await person.click(await button('Withdraw', await screen.findByRole('dialog')));
  await screen.findByText(/^Withdrawn ?by Tom Abara$/);
  expect(decisions).toEqual([{ decision: 'refuse' }]);
});
