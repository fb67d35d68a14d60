import { describe, expect, it } from 'vitest';
import { verdictOf } from './apply.ts';

const FIRST_TERMINAL_AT = 1000;

describe('the verdict on a gateway transaction', () => {
  it.each([
    // net amount, ours, at, verdict
    [18_400, 18_400, 2000, 'matched'],
    [18_400, 18_300, 2000, 'amount-differs'],
    [18_400, 0, 2000, 'amount-differs'],
    [18_400, null, 2000, 'only-gateway'],
    [18_400, null, 1000, 'only-gateway'],
    [18_400, null, 999, 'earlier'],
    [18_400, null, null, 'earlier'],
    [18_400, 18_400, 999, 'matched'],
    [-400, -400, 2000, 'matched'],
    [-400, null, 2000, 'only-gateway'],
    [0, 0, 2000, 'matched'],
    [0, 18_400, 2000, 'amount-differs'],
    [0, null, 2000, 'none'],
    [0, null, 999, 'none'],
    [null, null, 2000, 'none'],
    [null, 18_400, 2000, 'amount-differs'],
  ])('for net amount %s, ledger amount %s and time %s is %s', (netAmountCents, oursCents, at, verdict) => {
    expect(
      verdictOf({ netAmountCents, at, seenAt: 3000 }, { ledgerCents: oursCents, ourSince: FIRST_TERMINAL_AT }),
    ).toBe(verdict);
  });

  it.each([
    [2999, 'earlier'],
    [3000, 'only-gateway'],
  ])('for time %s, without a terminal and when seen at 3000, is %s', (at, verdict) => {
    expect(verdictOf({ netAmountCents: 500, at, seenAt: 3000 }, { ledgerCents: null, ourSince: null })).toBe(verdict);
  });
});
