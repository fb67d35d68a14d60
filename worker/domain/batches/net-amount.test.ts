import { expect, it } from 'vitest';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { netAmountOf } from './transactions.ts';

it.each<
  [kind: string, state: GatewayTransaction['state'], isVoided: boolean, cents: number | null, net: number | null]
>([
  ['SALE', 'approved', false, 500, 500],
  ['refund', 'approved', false, 500, -500],
  ['CREDIT', 'approved', false, 500, -500],
  ['SALE', 'approved', true, 500, 0],
  ['REFUND', 'approved', true, 500, 0],
  ['SALE', 'declined', false, 500, 0],
  ['DEBIT', 'returned', false, 500, 0],
  ['void', 'approved', false, 500, 0],
  ['VOID', 'pending', false, 500, 0],
  ['AUTH', 'approved', false, 500, 0],
  ['DEBIT', 'pending', false, 500, null],
  ['SALE', 'other', false, 500, null],
  ['SALE', 'approved', false, null, null],
])('a %s that is %s (voided: %s) for %s cents nets %s', (kind, state, isVoided, amountCents, net) => {
  const result = netAmountOf({ kind, state, isVoided, amountCents } as GatewayTransaction);
  expect(Object.is(result, -0) ? 0 : result).toBe(net);
});
