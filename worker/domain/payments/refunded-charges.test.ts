import { describe, expect, it } from 'vitest';
import { bareClinic, type GatewayAnswer, gatewayCharge } from '#tests/support/unit/bare-clinic';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { excludeRefunded } from './look-up-charge.ts';

type Txn = Partial<GatewayTransaction>;
const refund: Txn = { id: 'back', kind: 'REFUND' };

/** True if a charge counts as held. `response`: the lookup's result. `refundIds`: its refunds on the gateway's list. */
async function isHeld(response: GatewayAnswer, charge: Txn = {}, refundIds: string[] = ['back']) {
  const { addTransaction, deps, gateway, read } = await bareClinic();
  for (const providerTxnId of refundIds)
    await addTransaction({ providerTxnId, parentId: charge.id ?? 't1', kind: 'REFUND', netAmountCents: -1 });
  const txns = response === 'unavailable' ? response : response.map(gatewayCharge);
  gateway.script.find = () => txns;
  const terminal = { accountId: 7, terminalId: 'T1', sealedApiKey: '' };
  return (await excludeRefunded(deps, await read(), terminal, [gatewayCharge(charge)])).length === 1;
}

describe('a charge and its refunds', () => {
  it.each<[string, GatewayAnswer, Txn?, string[]?]>([
    ['all of it', [refund]],
    ['more than all of it', [{ ...refund, amountCents: 10_001 }]],
    [
      'all of it in two parts',
      [
        { ...refund, amountCents: 9_999 },
        { ...refund, id: 'more', amountCents: 1 },
      ],
      {},
      ['back', 'more'],
    ],
  ])('counts as refunded when its refunds add up to %s', async (_title, response, charge, refundIds) => {
    expect(await isHeld(response, charge, refundIds)).toBe(false);
  });

  it.each<[string, GatewayAnswer, Txn?, string[]?]>([
    ['there are none', [refund], {}, []],
    ['they leave one cent', [{ ...refund, amountCents: 9_999 }]],
    ['the refund was voided', [{ ...refund, isVoided: true }]],
    ['the refund is pending', [{ ...refund, state: 'pending' }]],
    ['the amount of the refund cannot be read', [{ ...refund, amountCents: null }]],
    ['another refund is shown', [{ ...refund, id: 'other' }]],
    ['the provider does not answer', 'unavailable'],
    ['the charge is pending', [refund], { state: 'pending' }],
    ['the amount of the charge cannot be read', [refund], { amountCents: null }],
    ['the charge has no id', [refund], { id: '' }],
  ])('does not count as refunded when %s', async (_title, response, charge, refundIds) => {
    expect(await isHeld(response, charge, refundIds)).toBe(true);
  });
});
