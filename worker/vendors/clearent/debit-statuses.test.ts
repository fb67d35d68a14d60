import { describe, expect, it } from 'vitest';
import { UNREADABLE_FEE } from '../gateway-port.ts';
import { transactionFrom } from './transaction.ts';
import { WireTransaction } from './wire.ts';

const stateOf = (status: string, overrides: object = {}) =>
  transactionFrom(WireTransaction.parse({ id: '1', type: 'DEBIT', amount: '184.00', status, ...overrides }), 'ach')
    .state;

describe('the state of a bank debit', () => {
  it.each([
    ['approved', ['Settled']],
    ['pending', ['Pending', 'Settling', 'Approved']],
    ['returned', ['Returned', 'Chargeback', 'Charged Back', 'Reversed']],
    [
      'declined',
      ['Declined', 'Rejected', 'Cancelled', 'Canceled', 'CANCELLED', 'Voided', 'Void', 'Failed', 'Expired', 'Blocked'],
    ],
    ['other', ['On Hold', 'Reviewing', '', 'Unsettled', 'Not Returned']],
  ])('is %s for these statuses', (state, statuses) => {
    expect(statuses.map((status) => stateOf(status))).toEqual(statuses.map(() => state));
  });

  it('comes from its result when it has no status', () => {
    expect(stateOf('', { result: 'SETTLED' })).toBe('approved');
  });

  it('comes from its status when its result only means that the debit was accepted', () => {
    expect(stateOf('Cancelled', { result: 'APPROVED' })).toBe('declined');
  });

  it('still shows that the debit was voided', () => {
    const txn = WireTransaction.parse({ id: '1', type: 'DEBIT', status: 'Pending', voided: 'true' });
    expect(transactionFrom(txn, 'ach')).toMatchObject({ state: 'pending', isVoided: true });
  });
});

it.each([
  ['', null],
  ['3.50', 350],
  ['0.00', 0],
  ['3,50', UNREADABLE_FEE],
  ['$3.50', UNREADABLE_FEE],
  ['-1.00', UNREADABLE_FEE],
  ['1.005', UNREADABLE_FEE],
])('reads the reported fee %j as %j, and never an unreadable one as none', (fee, cents) => {
  const txn = WireTransaction.parse({ id: '1', type: 'SALE', amount: '184.00', 'service-fee': fee });
  expect(transactionFrom(txn, 'card').feeCents).toBe(cents);
});
