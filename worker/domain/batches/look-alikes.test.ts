import { describe, expect, it } from 'vitest';
import { approvedOutcome } from '#tests/support/unit/world';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { findLikelyDuplicates, groupLookAlikes, presentDuplicates } from './transactions.ts';

const MINUTE = 60_000;
const sale = (minute: number, overrides: Partial<Parameters<typeof groupLookAlikes>[0][number]> = {}) => ({
  at: minute * MINUTE,
  amountCents: 5_000,
  brand: 'VISA',
  lastFour: '1111',
  ...overrides,
});
const minutes = (groups: { at: number }[][]) => groups.map((group) => group.map(({ at }) => at / MINUTE));

describe('look-alike sales', () => {
  it('share amount and card, each within ten minutes of the previous one', () => {
    expect(minutes(groupLookAlikes([sale(0), sale(10), sale(20)]))).toEqual([[0, 10, 20]]);
    expect(minutes(groupLookAlikes([sale(0), sale(10, { at: 10 * MINUTE + 1 })]))).toEqual([]);
    expect(minutes(groupLookAlikes([sale(30), sale(5), sale(31), sale(0)]))).toEqual([
      [0, 5],
      [30, 31],
    ]);
  });

  it.each([
    ['another amount', { amountCents: 5_001 }],
    ['another brand', { brand: 'AMEX' }],
    ['another card', { lastFour: '2222' }],
  ])('do not include a sale with %s', (_title, overrides) => {
    expect(groupLookAlikes([sale(0), sale(1, overrides)])).toEqual([]);
  });

  it('require a known card and ignore the case of its brand', () => {
    expect(groupLookAlikes([sale(0, { lastFour: '' }), sale(1, { lastFour: '' })])).toEqual([]);
    expect(minutes(groupLookAlikes([sale(0), sale(1, { brand: 'Visa' })]))).toEqual([[0, 1]]);
  });
});

describe('likely duplicates in a batch', () => {
  const txn = (minute: number, overrides: Partial<GatewayTransaction> = {}): GatewayTransaction => ({
    ...transactionOf(),
    kind: 'SALE',
    createdAt: minute * MINUTE,
    amountCents: 5_000,
    brand: 'VISA',
    lastFour: '1111',
    ...overrides,
  });
  const transactionOf = (): GatewayTransaction => {
    const outcome = approvedOutcome({
      attemptId: 'a',
      dedupeKey: 'k',
      amountCents: 5_000,
      method: 'card',
      token: 't',
      clientIp: null,
      terminal: { accountId: 1, terminalId: 'T', sealedApiKey: '' },
      billing: { firstName: '', lastName: '', address: '', address2: '', city: '', state: '', zip: '' },
    });
    if (outcome.kind !== 'approved') throw new Error(outcome.kind);
    return outcome.txn;
  };

  it('are listed with amount, card and times', () => {
    const groups = findLikelyDuplicates([txn(0), txn(1, { kind: 'capture' }), txn(2, { kind: 'FORCED SALE' })]);
    expect(groups.map(presentDuplicates)).toEqual([
      {
        amount: '50.00',
        'card-type': 'VISA',
        card: '1111',
        created: ['1970-01-01T00:00:00.000Z', '1970-01-01T00:01:00.000Z', '1970-01-01T00:02:00.000Z'],
      },
    ]);
  });

  it.each([
    ['a refund', { kind: 'REFUND' }],
    ['a declined sale', { state: 'declined' as const }],
    ['a voided sale', { isVoided: true }],
    ['a sale without a time', { createdAt: null }],
    ['a sale without an amount', { amountCents: null }],
  ])('do not include %s', (_title, overrides) => {
    expect(findLikelyDuplicates([txn(0), txn(1, overrides)])).toEqual([]);
    expect(findLikelyDuplicates([txn(0, overrides), txn(1, overrides)])).toEqual([]);
  });
});
