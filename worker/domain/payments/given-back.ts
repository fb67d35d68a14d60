import { listRefundsOf } from '#worker/data/reconciliation/gateway-transactions';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import type { GatewayTransaction, TerminalRef } from '#worker/vendors/gateway-port';

/**
 * Those of an attempt's charges that were not refunded in full. A refund from the provider's own pages carries nothing
 * of ours but the id of its charge, so only the comparison with the gateway's list has found it. The gateway is asked
 * for it once more, since a refund may be voided, too; where it does not answer, the charge counts as held.
 */
export async function withoutGivenBack(
  { db, gateway }: Deps,
  attempt: Attempt,
  terminal: TerminalRef,
  charges: GatewayTransaction[],
): Promise<GatewayTransaction[]> {
  const held: GatewayTransaction[] = [];
  for (const charge of charges) {
    let givenBackCents = 0;
    for (const providerTxnId of await listRefundsOf(db, attempt, charge.id)) {
      const shown = await gateway.find(terminal, attempt.method, { providerTxnId });
      const refund = shown === 'unavailable' ? undefined : shown.find(({ id }) => id === providerTxnId);
      // An amount that cannot be read proves nothing: the charge stays held.
      if (refund?.state === 'approved' && !refund.isVoided && refund.amountCents !== null)
        givenBackCents += refund.amountCents;
    }
    const isBack = charge.state === 'approved' && charge.amountCents !== null && givenBackCents >= charge.amountCents;
    if (!isBack) held.push(charge);
  }
  return held;
}
