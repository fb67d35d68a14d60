import type { Scene } from './scene.ts';

const RECEIPT = /^receipt-(.+?)(-return)?$/;
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

/** F: a receipt names what the gateway charged or gave back. A row that a restore lost is not asked for. */
export const wrongReceipts = (scene: Scene): string[] =>
  scene.mails.flatMap(({ key, text, at }) => {
    const id = RECEIPT.exec(key ?? '')?.[1];
    const cents = id === undefined ? null : movedCents(scene, id, at);
    return cents === null || text.includes(dollars(cents)) ? [] : [`F: ${key} does not say ${dollars(cents)}`];
  });

/** Cents of a payment, or of what went back of one; null: the gateway does not have it under this id. */
function movedCents({ truth, reversals }: Scene, id: string, until: number): number | null {
  const charge = truth.charges.find((one) => one.orderId === id && one.state !== 'declined' && one.copyOf === null);
  if (charge) return charge.at <= until ? charge.amountCents : null;
  const txnId = reversals.find((one) => one.id === id)?.provider_txn_id;
  // One that was voided meanwhile may be named, or the receipt says that all is paid.
  return truth.reversals.find((one) => one.id === txnId && one.state === 'approved')?.amountCents ?? null;
}
