import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { type LedgerPair, makeLedgerPair } from '#tests/support/ledger-pair';
import { freshId } from '#tests/support/unit/world';
import { measureClinics } from '#worker/data/alerts/measure';
import { reversalStates as reversalStateNames, reversals } from '#worker/data/schema/refunds';
import { attemptStates, paymentAttempts } from '#worker/data/schema/schema';
import { type AlertEvent, type Rule, register } from '#worker/domain/alerts/register';
import { resolveReversal } from '#worker/domain/reconciliation/resolve-reversal';
import type { StateRule } from '#worker/domain/state-rule';
import { CLINIC_STEPS } from '../run-schedule.ts';
import { paymentStates, reversalStates } from './payment-states.ts';

const MINUTE = 60_000;
const HOLD_MS = 15 * MINUTE;

type Rules = Record<string, StateRule<string>>;
const rulesOf = (table: Rules) => Object.entries(table);
const statesWithLimit = <State extends string>(table: Record<State, StateRule<string>>) =>
  (Object.keys(table) as State[]).filter((state) => table[state].limitMs !== null);

let clinic = 0;

/** True if the database lets a new row in state `from` move to `to`. */
async function canMove(insert: string, table: string, from: string, to: string): Promise<boolean> {
  const id = `m${freshId()}`;
  await env.DB.prepare(insert).bind(id, from, clinic).run();
  const hasMoved = await env.DB.prepare(`UPDATE ${table} SET state = ?2 WHERE id = ?1 RETURNING id`)
    .bind(id, to)
    .all()
    .then(
      ({ results }) => results.length === 1,
      (cause: unknown) => {
        if (!/cannot move to that state/.test(String(cause))) throw cause;
        return false;
      },
    );
  // A live reversal would block others of the same payment.
  await env.DB.prepare(`DELETE FROM ${table} WHERE id = ?1`).bind(id).run();
  return hasMoved;
}

const ATTEMPT = `INSERT INTO payment_attempts (id, account_id, invoice_id, collection, terminal_id, channel, method, amount_cents,
    currency, invoice_number, dedupe_key, receipt_id, hold_until, created_at, state, needs_human_from)
  VALUES (?1, ?3, ?1, 1, 'T', 'link', 'ach', 100, 'USD', ?1, ?1, ?1, 0, 0, ?2, 'pending')`;
const REVERSAL = `INSERT INTO reversals (id, account_id, attempt_id, invoice_id, kind, amount_cents, dedupe_key, request_key,
    reason, requested_by, hold_until, created_at, state)
  SELECT ?1, account_id, id, invoice_id, 'refund', 100, ?1, ?1, '', 0, 0, 0, ?2 FROM payment_attempts WHERE account_id = ?3 LIMIT 1`;

describe('the payment and refund state tables', () => {
  beforeEach(async () => {
    clinic = (await makeLedgerPair()).accountId;
  });

  it('have a row for every state', () => {
    expect(Object.keys(paymentStates).sort()).toEqual([...attemptStates].sort());
    expect(Object.keys(reversalStates).sort()).toEqual([...reversalStateNames].sort());
  });

  it('give each state that must end a limit, an exit and a measured alert within that limit', () => {
    for (const [state, { exits, limitMs, alert }] of [...rulesOf(paymentStates), ...rulesOf(reversalStates)]) {
      expect(limitMs === null, state).toBe(alert === null);
      if (limitMs === null || alert === null) continue;
      expect(exits.length, state).toBeGreaterThan(0);
      const rule: Rule = register[alert as AlertEvent];
      expect(rule.isMeasured, state).toBe(true);
      expect(rule.afterMs ?? 0, state).toBeLessThanOrEqual(limitMs);
    }
  });

  it.each(attemptStates)('list exactly the moves of a payment from %s that the database allows', async (from) => {
    const allowed: string[] = [];
    for (const to of attemptStates)
      if (to !== from && (await canMove(ATTEMPT, 'payment_attempts', from, to))) allowed.push(to);
    expect(allowed.sort()).toEqual([...paymentStates[from].exits].sort());
  });

  it('allow a refunded payment to be approved again only if part of it was not refunded', async () => {
    const approveAgain = async (refundedCents: number) => {
      const id = `b${freshId()}`;
      await env.DB.prepare(ATTEMPT).bind(id, 'refunded', clinic).run();
      const move = "UPDATE payment_attempts SET state = 'approved', refunded_cents = ?2 WHERE id = ?1";
      return env.DB.prepare(move).bind(id, refundedCents).run();
    };
    await expect(approveAgain(99)).resolves.toMatchObject({ success: true });
    await expect(approveAgain(100)).rejects.toThrow('cannot move to that state');
  });

  it.each(reversalStateNames)('list exactly the moves of a refund from %s that the database allows', async (from) => {
    await env.DB.prepare(ATTEMPT).bind(`p${freshId()}`, 'declined', clinic).run();
    const allowed: string[] = [];
    for (const to of reversalStateNames)
      if (to !== from && (await canMove(REVERSAL, 'reversals', from, to))) allowed.push(to);
    expect(allowed.sort()).toEqual([...reversalStates[from].exits].sort());
  });

  it('do not allow a card payment to move from manual review to returned', async () => {
    const card = ATTEMPT.replace("'pending')", "'unknown')");
    expect(await canMove(card, 'payment_attempts', 'needs_human', 'returned')).toBe(false);
  });
});

/** Runs the schedule for `ms` and a little longer. */
async function runScheduleFor(world: LedgerPair, ms: number) {
  for (let step = 0; step < 45; step++) {
    world.clock.now += Math.ceil(ms / 40);
    for (const job of ['payments', 'reversals']) await CLINIC_STEPS[job]?.(world.deps);
  }
}

async function alertsOf(world: LedgerPair) {
  const { problems: standing } = await measureClinics(world.db, world.clock.now, false);
  return standing.filter(({ account }) => account === world.accountId).map(({ event }) => event);
}

const silenceGateway = ({ gateway: { script } }: LedgerPair) => {
  script.find = () => 'unavailable';
};

/** A payment in this state that the gateway does not show yet. */
async function makePaymentIn(state: keyof typeof paymentStates) {
  const world = await makeLedgerPair();
  const sale = await world.sell({ state, method: state === 'pending' ? 'ach' : 'card', isShown: false });
  const at = world.clock.now;
  await world.db
    .update(paymentAttempts)
    .set({ holdUntil: at + HOLD_MS, nextCheckAt: at })
    .where(eq(paymentAttempts.id, sale.id));
  const now = async () => (await world.read(sale.id)).state;
  return { world, sale, now };
}

describe.each(statesWithLimit(paymentStates))('a payment in %s', (state) => {
  const { exits, limitMs, alert } = paymentStates[state];

  it('reaches an exit within its limit when the gateway shows the charge', async () => {
    const { world, sale, now } = await makePaymentIn(state);
    world.books.push({ ...sale.txn, state: 'approved' });
    await runScheduleFor(world, limitMs ?? 0);
    expect(exits).toContain(await now());
    expect(await alertsOf(world)).not.toContain(alert);
  });

  it('raises its alert after its limit when the gateway does not answer', async () => {
    const { world } = await makePaymentIn(state);
    silenceGateway(world);
    await runScheduleFor(world, limitMs ?? 0);
    expect(await alertsOf(world)).toContain(alert);
  });
});

async function makeReversalIn(state: keyof typeof reversalStates) {
  const world = await makeLedgerPair();
  const sale = await world.sell();
  const at = world.clock.now;
  const id = `r${freshId()}`;
  await world.db.insert(reversals).values({
    id,
    accountId: world.accountId,
    attemptId: sale.id,
    invoiceId: sale.invoiceId,
    kind: 'refund',
    amountCents: 5_000,
    dedupeKey: `${id}-key`,
    requestKey: id,
    reason: '',
    requestedBy: world.merchant.userId,
    state,
    holdUntil: at + HOLD_MS,
    nextCheckAt: at,
    createdAt: at,
  });
  const show = () =>
    world.books.push({
      ...sale.txn,
      id: `b${freshId()}`,
      attemptId: id,
      dedupeKey: `${id}-key`,
      kind: 'REFUND',
      amountCents: 5_000,
      parentId: sale.txn.id,
    });
  const now = async () => (await world.db.select().from(reversals).where(eq(reversals.id, id)))[0]?.state;
  const resolve = () => resolveReversal(world.deps, world.merchant, id, { verdict: 'happened', note: 'Asked.' });
  return { world, show, now, resolve };
}

describe.each(statesWithLimit(reversalStates))('a refund in %s', (state) => {
  const { exits, limitMs, alert } = reversalStates[state];

  it('reaches an exit within its limit when the gateway shows it, with a staff decision if needed', async () => {
    const { world, show, now, resolve } = await makeReversalIn(state);
    show();
    await runScheduleFor(world, limitMs ?? 0);
    if (state === 'needs_human') await resolve();
    expect(exits).toContain(await now());
    expect(await alertsOf(world)).not.toContain(alert);
  });

  it('raises its alert after its limit when the gateway does not answer', async () => {
    const { world } = await makeReversalIn(state);
    silenceGateway(world);
    await runScheduleFor(world, limitMs ?? 0);
    expect(await alertsOf(world)).toContain(alert);
  });
});
