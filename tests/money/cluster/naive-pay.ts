import type { Deps } from '#worker/deps';

const BILL = `SELECT i.account_id, i.balance_cents, t.terminal_id, t.api_key,
    coalesce((SELECT sum(cents) FROM naive_paid WHERE pay_id = l.pay_id), 0) AS paid_cents
  FROM pay_links l JOIN invoices i ON i.account_id = l.account_id AND i.invoice_id = l.invoice_id
  JOIN terminals t ON t.account_id = l.account_id AND t.channel = 'ecommerce' WHERE l.pay_id = ?`;

type Bill = { account_id: number; balance_cents: number; paid_cents: number; terminal_id: string; api_key: string };

/** `partCents`: the amount of a part (cents). Without it, the full remaining balance is charged. */
export type NaivePayment = { payId: string; token: string; partCents?: number };

/**
 * Pays without any guard: checks the unpaid balance, charges, then records the payment. It is the control of the
 * experiments with concurrent submits and parts: an experiment in which it never overcharges proves nothing.
 */
export async function naivePay(deps: Deps, { payId, token, partCents }: NaivePayment): Promise<string> {
  const db = deps.db.$client;
  const bill = await db.prepare(BILL).bind(payId).first<Bill>();
  if (!bill) return 'not-found';
  const leftCents = bill.balance_cents - bill.paid_cents;
  const amountCents = partCents ?? leftCents;
  if (leftCents === 0 || amountCents > leftCents) return 'already-paid';
  const outcome = await deps.gateway.charge({
    terminal: { accountId: bill.account_id, terminalId: bill.terminal_id, sealedApiKey: bill.api_key },
    attemptId: deps.newId(),
    dedupeKey: `naive-${payId}`,
    amountCents,
    method: 'card',
    token,
    billing: { firstName: 'A', lastName: 'B', address: 'C', address2: '', city: 'D', state: 'IN', zip: '46032' },
    clientIp: null,
  });
  if (outcome.kind === 'approved')
    await db.prepare('INSERT INTO naive_paid VALUES (?, ?)').bind(payId, amountCents).run();
  return outcome.kind;
}
