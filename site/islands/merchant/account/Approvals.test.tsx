import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerWith, calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button } from '#tests/support/components/queries';
import { sampleApproval } from '#tests/support/sample-approval';

const ownRequest = sampleApproval({ is_yours_to_withdraw: true });

it('lets users withdraw, but not approve, their own refund requests', async () => {
  answerWith('/api/approvals', { approvals: [ownRequest] });
  const decisions: unknown[] = [];
  calls.answer(
    ({ pathname }) => pathname === '/api/approvals/a1',
    ({ readBody, fulfill }) => {
      decisions.push(readBody());
      return fulfill({ json: { ...ownRequest, state: 'refused', decided_by: 'Tom Abara' } });
    },
  );
  const user = await openApp('/account/approvals');
  const waiting = await screen.findByRole('region', { name: 'Waiting' });
  const withdraw = await button(/^Withdraw/, waiting);
  expect(within(waiting).queryByRole('button', { name: /^Approve/ })).toBeNull();
  answerWith('/api/approvals', {
    approvals: [
      {
        ...ownRequest,
        state: 'refused',
        decided_by: 'Tom Abara',
        decided_at: ownRequest.asked_at,
        is_yours_to_withdraw: false,
      },
    ],
  });
  await user.click(withdraw);
  await user.click(await button('Withdraw', await screen.findByRole('dialog')));
  await screen.findByText(/^Withdrawn ?by Tom Abara$/);
  expect(decisions).toEqual([{ decision: 'refuse' }]);
});

it('sends the reason for a refusal, and shows it with the request', async () => {
  const request = sampleApproval({ is_yours_to_decide: true });
  answerWith('/api/approvals', { approvals: [request] });
  const decisions: unknown[] = [];
  const refused = { ...request, state: 'refused' as const, decided_by: 'Ben Ode', decision_note: 'Ask the insurer' };
  calls.answer(
    ({ pathname }) => pathname === '/api/approvals/a1',
    ({ readBody, fulfill }) => {
      decisions.push(readBody());
      return fulfill({ json: { approval: refused } });
    },
  );
  const user = await openApp('/account/approvals');
  const waiting = await screen.findByRole('region', { name: 'Waiting' });
  await user.click(await button(/^Refuse/, waiting));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Reason (optional)'), ' Ask the insurer ');
  answerWith('/api/approvals', { approvals: [{ ...refused, is_yours_to_decide: false }] });
  await user.click(await button('Refuse', dialog));
  await screen.findByText('Ben Ode: Ask the insurer');
  expect(decisions).toEqual([{ decision: 'refuse', note: 'Ask the insurer' }]);
});
