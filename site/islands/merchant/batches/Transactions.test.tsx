import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { BatchTransaction, ReversalOffer } from '#shared/contracts/payments/batches';
import type { StaffRight } from '#shared/contracts/staff/team-values';
import { answerWith } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { textOf } from '#tests/support/components/queries';
import { batch, DESK } from '#tests/support/servers/checks-server';

const REASON = 'Only a manager or an administrator of this account may void or refund payments.';

const transaction = (id: string, offer: ReversalOffer): BatchTransaction => ({
  id,
  amount: '184.00',
  type: 'SALE',
  result: 'APPROVED',
  'card-type': 'VISA',
  card: '1111',
  billing: { 'first-name': 'Marta', 'last-name': 'Ruiz' },
  created: '2026-03-04T15:42:00.000Z',
  voided: false,
  payment: { id: `p${id}`, invoice_id: id, invoice_number: `INV-${id}`, customer_id: '7', offer },
});

async function openTransactions(may: StaffRight[], offer: ReversalOffer) {
  answerWith('/api/terminals', [{ terminal_id: DESK, terminal_name: 'Front desk 1' }]);
  answerWith(`/api/terminals/${DESK}/batches`, { batch: [batch] });
  answerWith(`/api/terminals/${DESK}/batches/${batch.id}`, [transaction('1', offer), transaction('2', offer)]);
  answerWith(`/api/terminals/${DESK}/batches/${batch.id}/match`, { lines: [], sums: [] });
  await openApp(`/transactions?terminal=${DESK}&batch=${batch.id}`, { may });
  await screen.findByText('INV-1');
}

it('explains who may refund once below the batch, not in every row', async () => {
  await openTransactions(['audit'], { kind: null, left: '0.00', may_refund: '0.00', why: REASON });
  expect(screen.getAllByText(/may void or refund payments\./).map(textOf)).toEqual([
    `${REASON} Ask Grace Lindqvist (administrator).`,
  ]);
});

it('shows users with the right to refund in each row why a payment cannot be reversed', async () => {
  await openTransactions(['refund'], { kind: null, left: '0.00', may_refund: '0.00', why: 'This payment was voided.' });
  expect(screen.getAllByText('This payment was voided.')).toHaveLength(2);
  expect(screen.queryByText(/may void or refund payments/)).toBeNull();
});
