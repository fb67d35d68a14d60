import { terminals } from '#sandbox/credentials';
import { parseCents } from '#shared/money';
import { countOf, type Figures, sized } from '../report.ts';
import { addBills, payAll, runCron, type TestWorker } from '../test-worker.ts';
import { merchant } from './batches.ts';

const online = terminals.find(({ channel }) => channel === 'ecommerce') ?? terminals[0];

type AttemptRow = { id: string; invoice_id: string; amount_cents: number; refunded_cents: number; state: string };
type LedgerRow = { attempt_id: string; amount_cents: number; kind: string };
type Money = { type: string; result: string; amount: string; invoice: string };

/** A seeded generator, so that a failed run can be repeated. */
function randomFrom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/**
 * E16: refunds of random amounts and voids of the same payments, all at once, while the gateway loses answers or
 * fails. Half of the payments are in a closed batch, half in an open one.
 */
export async function concurrentReversals(
  testWorker: TestWorker,
  { payments, requests }: { payments: number; requests: number } = { payments: sized(20, 8), requests: sized(500, 80) },
): Promise<Figures> {
  const { clusterWorld } = testWorker;
  const seed = 20_261_121;
  const random = randomFrom(seed);
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const early = await addBills(testWorker, payments / 2);
  await payAll(testWorker, early);
  await clusterWorld.steer('close', { merchant, terminalId: online?.terminalId, named: null });
  await payAll(testWorker, await addBills(testWorker, payments / 2));
  const attempts = await clusterWorld.sql<AttemptRow>("SELECT * FROM payment_attempts WHERE state = 'approved'");

  for (const fault of ['drop-after', 'drop-before', '500', '500-after', 'html-after'])
    await clusterWorld.sandbox('POST', 'faults', {
      on: '/rest/v2/transactions',
      do: fault,
      times: Math.ceil(payments / 6),
    });
  const closedIds = new Set(early.map(({ id }) => id));
  const requestReversal = (n: number) => {
    const attempt = attempts[random(attempts.length)];
    if (!attempt) throw new Error('no payments');
    // One request in ten is for the wrong kind of reversal.
    const isRefund = closedIds.has(attempt.invoice_id) !== (random(10) === 0);
    const amountCents = isRefund ? 1 + random(Math.ceil(attempt.amount_cents / 2)) : null;
    const request = {
      kind: isRefund ? 'refund' : 'void',
      amountCents,
      reason: 'test',
      requestKey: `wish-${n}-${seed}`,
    };
    return clusterWorld.steer<{ kind: string; reversal?: { state: string } }>('reverse', {
      merchant,
      attemptId: attempt.id,
      request,
    });
  };
  const answers = await Promise.all(Array.from({ length: requests }, (_, n) => requestReversal(n)));
  // These run after the concurrent requests, so that a payment can have more than one refund.
  for (let n = 0; n < payments * 4; n++) answers.push(await requestReversal(requests + n));
  await clusterWorld.sandbox('DELETE', 'faults');
  for (const laterMs of [120_000, 120_000, 16 * 60_000, 120_000, 120_000]) await runCron(testWorker, laterMs);
  return judge(testWorker, attempts, answers, `${requests} requests for ${payments} payments`);
}

async function judge(
  { clusterWorld }: TestWorker,
  previousAttempts: AttemptRow[],
  answers: { kind: string; reversal?: { state: string } }[],
  size: string,
): Promise<Figures> {
  const errors: string[] = [];
  const attemptIds = new Set(previousAttempts.map(({ id }) => id));
  const attempts = (await clusterWorld.sql<AttemptRow>('SELECT * FROM payment_attempts')).filter(({ id }) =>
    attemptIds.has(id),
  );
  const ledger = (await clusterWorld.sql<LedgerRow>('SELECT * FROM ledger')).filter(({ attempt_id }) =>
    attemptIds.has(attempt_id),
  );
  const open = await clusterWorld.sql<{ n: number }>(
    "SELECT count(*) AS n FROM reversals WHERE state IN ('sent', 'unknown')",
  );
  if (open[0]?.n !== 0) errors.push(`${open[0]?.n} reversals are open`);
  let extra = 0;
  let lostCount = 0;
  for (const attempt of attempts) {
    const { invoice_id: invoice } = attempt;
    const money = await clusterWorld.sandbox<Money[]>('GET', `charges?invoice=${invoice}`);
    const approved = money.filter(({ result }) => result === 'APPROVED');
    const reversed = approved
      .filter(({ type }) => type === 'REFUND' || type === 'VOID')
      .reduce((sum, { amount }) => sum + (parseCents(amount) ?? 0), 0);
    const booked = ledger
      .filter(({ attempt_id, kind }) => attempt_id === attempt.id && kind !== 'payment')
      .reduce((sum, row) => sum - row.amount_cents, 0);
    if (reversed > attempt.amount_cents) extra++;
    if (reversed !== booked) lostCount++;
    if (booked !== attempt.refunded_cents)
      errors.push(`${invoice}: the ledger has ${booked}, the attempt ${attempt.refunded_cents}`);
    const isWhole = booked === attempt.amount_cents;
    if (isWhole !== ['voided', 'refunded'].includes(attempt.state))
      errors.push(`${invoice}: ${booked} cents reversed, but the attempt is ${attempt.state}`);
  }
  const outcomes = answers.map(({ kind, reversal }) => reversal?.state ?? kind);
  return {
    experiment: 'E16 refunds and voids at once, answers lost',
    size,
    extraCharges: extra,
    lostCharges: lostCount,
    control: null,
    note: countOf(outcomes),
    violations: errors,
  };
}
