import type { Scene } from './scene.ts';

const RECEIPT = /^receipt-(.+?)(-return)?$/;
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

/** F: a receipt names the amount that the gateway charged or refunded. Rows lost in a restore are skipped. */
export const wrongReceipts = (scene: Scene): string[] =>
  scene.mails.flatMap(({ key, text, at }) => {
    const id = RECEIPT.exec(key ?? '')?.[1];
    const cents = id === undefined ? null : movedCents(scene, id, at);
    return cents === null || text.includes(dollars(cents)) ? [] : [`F: ${key} does not name ${dollars(cents)}`];
  });

/** Cents of a payment or of a reversal; null if the gateway does not know this id. */
function movedCents({ truth, reversals }: Scene, id: string, until: number): number | null {
  const charge = truth.charges.find(
    ({ orderId, state, copyOf }) => orderId === id && state !== 'declined' && copyOf === null,
  );
  if (charge) return charge.at <= until ? charge.amountCents : null;
  const txnId = reversals.find((reversal) => reversal.id === id)?.provider_txn_id;
  // If the reversal was voided meanwhile, the receipt may name it or state the full payment.
  return truth.reversals.find(({ id, state }) => id === txnId && state === 'approved')?.amountCents ?? null;
}
