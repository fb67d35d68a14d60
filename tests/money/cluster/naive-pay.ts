import type { Deps } from '#worker/deps';

const BILL = `SELECT i.hub_id, i.balance_cents, t.terminal_id, t.api_key FROM pay_links l
  JOIN invoices i ON i.hub_id = l.hub_id AND i.invoice_id = l.invoice_id
  JOIN terminals t ON t.hub_id = l.hub_id AND t.channel = 'ecommerce' WHERE l.pay_id = ?`;

type Bill = { hub_id: number; balance_cents: number; terminal_id: string; api_key: string };

/**
 * The wrong way: check that the invoice is unpaid, charge, note that it is paid. It is the control of the concurrency
 * experiment: if it charges no one twice, the experiment is blind.
 */
export async function naivePay(deps: Deps, { payId, token }: { payId: string; token: string }): Promise<string> {
  const db = deps.db.$client;
  const bill = await db.prepare(BILL).bind(payId).first<Bill>();
  if (!bill) return 'not-found';
  const paid = await db.prepare('SELECT 1 FROM naive_paid WHERE pay_id = ?').bind(payId).first();
  if (paid) return 'already-paid';
  const outcome = await deps.gateway.charge({
    terminal: { accountId: bill.hub_id, terminalId: bill.terminal_id, sealedApiKey: bill.api_key },
    attemptId: deps.newId(),
    dedupeKey: `naive-${payId}`,
    amountCents: bill.balance_cents,
    method: 'card',
    token,
    billing: { firstName: 'A', lastName: 'B', address: 'C', address2: '', city: 'D', state: 'IN', zip: '46032' },
    clientIp: null,
  });
  if (outcome.kind === 'approved') await db.prepare('INSERT OR IGNORE INTO naive_paid VALUES (?)').bind(payId).run();
  return outcome.kind;
}
