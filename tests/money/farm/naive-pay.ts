import { selectPayable } from '#worker/data/pay-links';
import { terminalRef } from '#worker/data/terminals';
import type { Deps } from '#worker/deps';

/**
 * How not to do it: look whether the invoice is paid, charge, note that it is paid. The control of the concurrency
 * experiment: where this charges nobody twice, the experiment is blind.
 */
export async function naivePay(deps: Deps, db: D1Database, { payId, token }: { payId: string; token: string }) {
  const [payable] = await selectPayable(deps.db, payId);
  if (!payable?.terminal) return 'not-found';
  const paid = await db.prepare('SELECT 1 FROM naive_paid WHERE pay_id = ?').bind(payId).first();
  if (paid) return 'already-paid';
  const outcome = await deps.gateway.charge({
    terminal: terminalRef(payable.terminal),
    attemptId: deps.newId(),
    dedupeKey: `naive-${payId}`,
    amountCents: payable.invoice.balanceCents ?? 0,
    method: 'card',
    token,
    billing: { firstName: 'A', lastName: 'B', address: 'C', address2: '', city: 'D', state: 'IN', zip: '46032' },
    clientIp: null,
  });
  if (outcome.kind === 'approved') await db.prepare('INSERT OR IGNORE INTO naive_paid VALUES (?)').bind(payId).run();
  return outcome.kind;
}
