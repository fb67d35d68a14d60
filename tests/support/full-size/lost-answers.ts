import { hubs } from '#sandbox/credentials';
import { cardToken, onlineTerminal } from '#tests/support/wire';
import { findAttempt } from '#worker/data/payments/attempts';
import { reversals } from '#worker/data/schema/refunds';
import { invoices, paymentAttempts } from '#worker/data/schema/schema';
import { findTerminal } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';

/** The number of rows that one step handles. */
const BATCH = 50;
const { hubId: accountId } = hubs[0];
const { terminalId } = onlineTerminal();
const zone = { timeZone: 'UTC', day: '2026-03-04' };

/** A batch of fresh ids. */
export const ids = (prefix: string) => Array.from({ length: BATCH }, (_, n) => `${prefix}-${crypto.randomUUID()}-${n}`);

/** Adds payments that the gateway has charged but whose answers were lost. Returns their attempt ids. */
export async function loseAnswers(deps: Deps): Promise<string[]> {
  const terminal = await findTerminal(deps.db, accountId, terminalId);
  if (!terminal) throw new Error('no terminal');
  const attemptIds = ids('lost');
  const at = deps.now() - 60_000;
  for (const id of attemptIds) {
    await deps.db.insert(invoices).values({
      accountId,
      invoiceId: id,
      number: id,
      status: 'open',
      currency: 'USD',
      balanceCents: 7_110,
      readAt: at,
    });
    await deps.db.insert(paymentAttempts).values({
      id,
      accountId,
      terminalId,
      invoiceId: id,
      collection: 1,
      channel: 'link',
      method: 'card',
      state: 'unknown',
      amountCents: 7_110,
      currency: 'USD',
      invoiceNumber: id,
      dedupeKey: id,
      receiptId: id,
      ...zone,
      receiptTo: 'marta@payer.example',
      holdUntil: at,
      createdAt: at,
      nextCheckAt: at,
    });
    const name = { firstName: 'Marta', lastName: 'Núñez' };
    const billing = { ...name, address: '1 Elm St', address2: '', city: 'Carmel', state: 'IN', zip: '46032' };
    const token = await cardToken();
    const request = { terminal, attemptId: id, dedupeKey: id, amountCents: 7_110, method: 'card', token } as const;
    const { kind } = await deps.gateway.charge({ ...request, billing, clientIp: null });
    if (kind !== 'approved') throw new Error(`the charge is ${kind}`);
  }
  return attemptIds;
}

/** Adds voids of these payments that the gateway has carried out but whose answers were lost. */
export async function loseVoids(deps: Deps, attemptIds: string[]): Promise<void> {
  const terminal = await findTerminal(deps.db, accountId, terminalId);
  const at = deps.now() - 60_000;
  for (const attemptId of attemptIds) {
    const attempt = await findAttempt(deps.db, attemptId);
    if (!terminal || !attempt) throw new Error('no payment to void');
    const reversalId = `v-${attemptId}`;
    await deps.db.insert(reversals).values({
      id: reversalId,
      accountId,
      attemptId,
      invoiceId: attemptId,
      kind: 'void',
      amountCents: 7_110,
      state: 'unknown',
      dedupeKey: attemptId,
      requestKey: attemptId,
      reason: 'Billed twice',
      requestedBy: 1,
      holdUntil: at,
      createdAt: at,
      nextCheckAt: at,
    });
    const providerTxnId = attempt.providerTxnId ?? '';
    await deps.gateway.voidTransaction({ terminal, providerTxnId, reversalId });
  }
}

/** Throws unless all attempts are in the state. */
export async function expectStates(deps: Deps, attemptIds: string[], state: string): Promise<void> {
  for (const id of attemptIds) {
    const actual = (await findAttempt(deps.db, id))?.state;
    if (actual !== state) throw new Error(`${id} is ${actual}, not ${state}`);
  }
}
