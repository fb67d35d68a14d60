import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import type { StaffRole } from '#shared/contracts/staff/team-values';
import { paidWorld } from '#tests/support/unit/paid-world';
import { freshId } from '#tests/support/unit/world';
import { measureClinics } from '#worker/data/alerts/measure';
import { approvals } from '#worker/data/schema/proofs';
import { reversals } from '#worker/data/schema/refunds';
import { accounts, ledger, outbox, paymentAttempts, users } from '#worker/data/schema/schema';
import { type AlertEvent, type Rule, register } from '#worker/domain/alerts/register';
import type { Merchant } from '#worker/domain/merchants/session';
import { CLINIC_STEPS, runSchedule } from '#worker/domain/run-schedule';
import { viewToday } from '#worker/domain/today/view-today';
import type { ReversalOutcome } from '#worker/vendors/gateway-port';
import { approvalStates, decide, viewApprovals } from './approvals.ts';
import { correctRefund } from './correct-refund.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

type Options = { amountCents?: number; by?: 'admin' | 'manager' };

/** A payment of 184.00 with a refund that waits for a second person, in an account with two administrators. */
async function makeWaitingApproval({ amountCents = 15_000, by = 'admin' }: Options = {}) {
  const paid = await paidWorld();
  const { accountId, db } = paid;
  await db
    .update(accounts)
    .set({ secondPersonCents: 100, refundLimitCents: 20_000 })
    .where(eq(accounts.accountId, accountId));
  const hire = async (role: StaffRole): Promise<Merchant> => {
    const userId = freshId();
    await db.insert(users).values({ accountId, userId, email: `${role}${userId}@x.example`, role, lastLoginAt: 0 });
    return { sessionId: '', accountId, userId, role };
  };
  const second = await hire('admin');
  const requester = by === 'admin' ? paid.merchant : await hire(by);
  const ask = async () => {
    const outcome = await paid.reverse({ amountCents }, requester);
    if (outcome.kind !== 'waiting') throw new Error(outcome.kind);
    return outcome.id;
  };
  const id = await ask();
  const state = async (approvalId = id) =>
    (await db.select().from(approvals).where(eq(approvals.id, approvalId)))[0]?.state;
  const approve = (approvalId = id) => decide(paid.deps, second, approvalId, 'approve');
  const runOnce = async (ms = MINUTE + 1_000) => {
    paid.clock.now += ms;
    await runSchedule(paid.deps);
  };
  const alerts = async () =>
    (await measureClinics(db, paid.clock.now, false)).problems
      .filter(({ account }) => account === accountId)
      .map(({ event }) => event);
  const mails = (kind: 'approval-asked' | 'approval-ended') => db.select().from(outbox).where(eq(outbox.kind, kind));
  return { ...paid, id, second, requester, ask, state, approve, runOnce, alerts, mails };
}

/** The same, after the refund was approved by a request that ended before the refund began. */
async function makeInterruptedApproval(options: Options = {}) {
  const world = await makeWaitingApproval(options);
  const { find } = world.gateway.script;
  world.gateway.script.find = () => {
    throw new Error('the Worker is gone');
  };
  await expect(world.approve()).rejects.toThrow('the Worker is gone');
  world.gateway.script.find = find;
  return world;
}

describe('the approval state table', () => {
  it('defines exactly these moves', () => {
    const moves = Object.entries(approvalStates).map(([state, { exits }]) => [state, [...exits].sort().join(' ')]);
    const expected = { waiting: 'approved ended refused', approved: 'ended waiting', refused: '', ended: '' };
    expect(Object.fromEntries(moves)).toEqual(expected);
  });

  it('gives each open state a limit, an exit and an alert within that limit, and final states none', () => {
    for (const [state, { exits, limitMs, alert }] of Object.entries(approvalStates)) {
      expect([limitMs === null, alert === null], state).toEqual([exits.length === 0, exits.length === 0]);
      if (alert === null || alert === 'needs approval') continue;
      const rule: Rule = register[alert as AlertEvent];
      expect([rule.isMeasured, rule.afterMs ?? 0], state).toEqual([true, 0]);
    }
  });

  it('ends a waiting approval at its limit, and lists it for the clinic until then', async () => {
    const { deps, second, runOnce, accountId } = await makeWaitingApproval();
    const needs = async () => (await viewToday(deps, accountId)).needs.map(({ kind }) => kind);
    expect(await needs()).toContain('approval');
    await runOnce(approvalStates.waiting.limitMs);
    expect((await viewApprovals(deps, second)).map(({ state }) => state)).toEqual([]);
    expect(await needs()).not.toContain('approval');
  });
});

describe('an approval without a refund', () => {
  const BOTH_RECIPIENTS = ['a@example.test', expect.stringMatching(/^admin/)];
  const notices = async ({ mails }: Awaited<ReturnType<typeof makeWaitingApproval>>) => {
    const sentMails = await mails('approval-ended');
    return [
      sentMails.map(({ recipient }) => recipient).sort(),
      sentMails.map(({ details }) => JSON.parse(details).why),
    ];
  };
  const refusal: ReversalOutcome = {
    kind: 'refused',
    reason: 'over-remainder',
    message: 'Over the refundable amount',
    providerCode: '025',
    exchangeId: 'x',
  };

  it('ends when the card provider refuses the refund, and emails both people the reason', async () => {
    const world = await makeWaitingApproval();
    world.gateway.script.reverse = () => refusal;
    expect(await world.approve()).toMatchObject({ outcome: { reversal: { state: 'refused' } } });
    const note = 'Clearent did not carry it out: Over the refundable amount';
    expect([await world.state(), ...(await notices(world))]).toEqual(['ended', BOTH_RECIPIENTS, [note, note]]);
    expect(await world.alerts()).toEqual([]);
  });

  it('ends when a later lookup shows that its refund was not made', async () => {
    const world = await makeWaitingApproval();
    world.gateway.script.reverse = () => ({ kind: 'unknown', cause: 'TimeoutError', exchangeId: '' });
    await world.approve();
    expect([await world.state(), ...(await notices(world))]).toEqual(['approved', [], []]);
    for (let minute = 0; minute < 40; minute++) {
      world.clock.now += MINUTE;
      await CLINIC_STEPS.reversals?.(world.deps);
    }
    expect(await world.reversals()).toMatchObject([{ state: 'not_done' }]);
    const note = 'Clearent did not carry it out';
    expect([await world.state(), ...(await notices(world))]).toEqual(['ended', BOTH_RECIPIENTS, [note, note]]);
  });

  it('stays approved when its refund was made and later voided at the card provider', async () => {
    const world = await makeWaitingApproval();
    await world.approve();
    const [refund] = await world.reversals();
    await correctRefund(world.deps, world.attempt, refund?.providerTxnId ?? '', 0);
    await world.runOnce();
    expect([await world.state(), ...(await notices(world))]).toEqual(['approved', [], []]);
  });

  it('ends and emails both people when the refund is no longer allowed', async () => {
    const world = await makeWaitingApproval();
    world.books.batchStatus = 'open';
    expect(await world.approve()).toMatchObject({ outcome: { kind: 'not-offered' } });
    const note = 'Its batch is still open: void the payment instead.';
    expect([await world.state(), ...(await notices(world))]).toEqual(['ended', BOTH_RECIPIENTS, [note, note]]);
  });
});

describe('an approval whose request ended before the refund began', () => {
  it('refunds nothing more when another form refunded a part of the payment in the meantime', async () => {
    const world = await makeInterruptedApproval({ amountCents: 2_000 });
    await world.db.update(accounts).set({ secondPersonCents: null }).where(eq(accounts.accountId, world.accountId));
    expect(await world.reverse({ amountCents: 2_000 })).toMatchObject({ kind: 'reversal' });
    await world.runOnce();
    expect(await world.state()).toBe('ended');
    expect((await world.reversals()).map(({ amountCents }) => amountCents)).toEqual([2_000]);
  });

  it('refunds nothing more when the provider’s portal refunded a part in the meantime', async () => {
    const world = await makeInterruptedApproval({ amountCents: 2_000 });
    await world.db.insert(ledger).values({
      accountId: world.accountId,
      attemptId: world.attempt.id,
      invoiceId: world.attempt.invoiceId,
      kind: 'refund',
      amountCents: -2_000,
      currency: 'USD',
      channel: 'link',
      method: 'card',
      brand: 'VISA',
      providerTxnId: `strange-${freshId()}`,
      at: world.clock.now,
      day: '2026-03-01',
    });
    await world.runOnce();
    expect([await world.state(), world.books.calls]).toEqual(['ended', 0]);
  });

  it('is refunded even if another payment was refunded in the meantime', async () => {
    const world = await makeInterruptedApproval();
    const { db, accountId, attempt, clock } = world;
    const otherId = `other-${freshId()}`;
    const ids = { invoiceId: otherId, dedupeKey: otherId, receiptId: otherId, providerTxnId: otherId, tokenHash: null };
    await db.insert(paymentAttempts).values({ ...attempt, ...ids, id: otherId });
    const [approval] = await db.select().from(approvals).where(eq(approvals.id, world.id));
    if (!approval) throw new Error('it does not wait');
    const laterColumns = { requestedAt: clock.now, state: 'refused' as const, nextTryAt: null };
    await db
      .insert(approvals)
      .values({ ...approval, ...laterColumns, id: otherId, attemptId: otherId, requestKey: otherId });
    await db.insert(reversals).values({
      id: otherId,
      accountId,
      attemptId: otherId,
      invoiceId: otherId,
      kind: 'refund',
      amountCents: 400,
      dedupeKey: otherId,
      requestKey: otherId,
      reason: '',
      requestedBy: 1,
      state: 'approved',
      holdUntil: 0,
      createdAt: clock.now,
    });
    await db.insert(ledger).values({
      accountId,
      attemptId: otherId,
      invoiceId: otherId,
      kind: 'refund',
      amountCents: -400,
      currency: 'USD',
      channel: 'link',
      method: 'card',
      brand: 'VISA',
      providerTxnId: `r-${otherId}`,
      at: clock.now,
      day: '2026-03-01',
    });
    await world.runOnce();
    expect([await world.state(), (await world.reversals()).length]).toEqual(['approved', 1]);
  });

  it('leaves the refund to a newer request for the same payment', async () => {
    const world = await makeInterruptedApproval();
    const newerId = await world.ask();
    await world.runOnce();
    expect([await world.state(), await world.state(newerId), world.books.calls]).toEqual(['ended', 'waiting', 0]);
    expect(await world.approve(newerId)).toMatchObject({ outcome: { kind: 'reversal' } });
    expect(await world.reversals()).toHaveLength(1);
  });

  it('ends at most a week after the request, and emails those who may refund', async () => {
    const world = await makeInterruptedApproval();
    await world.runOnce(7 * DAY);
    expect([await world.state(), world.books.calls]).toEqual(['ended', 0]);
    const notices = (await world.mails('approval-ended')).map(({ recipient }) => recipient);
    expect(notices.sort()).toEqual(['a@example.test', expect.stringMatching(/^admin/)]);
  });

  it('emails the second person again when the card provider does not answer', async () => {
    const world = await makeInterruptedApproval();
    expect(await world.mails('approval-asked')).toHaveLength(1);
    const { find } = world.gateway.script;
    world.gateway.script.find = () => 'unavailable';
    await world.runOnce();
    expect(await world.state()).toBe('waiting');
    expect(await world.mails('approval-asked')).toHaveLength(2);
    world.gateway.script.find = find;
    expect(await world.approve()).toMatchObject({ outcome: { kind: 'reversal' } });
  });

  it('ends instead of waiting again when another request waits or its week is over', async () => {
    const world = await makeWaitingApproval();
    const { find } = world.gateway.script;
    world.gateway.script.find = async (): Promise<'unavailable'> => {
      world.gateway.script.find = find;
      await world.ask();
      return 'unavailable';
    };
    expect(await world.approve()).toMatchObject({ outcome: { kind: 'unavailable' } });
    expect(await world.state()).toBe('ended');
    const oldWorld = await makeWaitingApproval();
    oldWorld.clock.now += 7 * DAY - 1;
    oldWorld.gateway.script.find = () => {
      oldWorld.clock.now += 1;
      return 'unavailable';
    };
    expect(await oldWorld.approve()).toMatchObject({ outcome: { kind: 'unavailable' } });
    expect(await oldWorld.state()).toBe('ended');
  });

  const restrictions: [string, (world: Awaited<ReturnType<typeof makeInterruptedApproval>>) => Promise<unknown>][] = [
    [
      'lost the right',
      ({ db, requester }) => db.update(users).set({ role: 'desk' }).where(eq(users.userId, requester.userId)),
    ],
    [
      'left the team',
      ({ db, requester }) => db.update(users).set({ removedAt: 1 }).where(eq(users.userId, requester.userId)),
    ],
    [
      'used up the daily limit',
      ({ db, accountId }) =>
        db.update(accounts).set({ refundLimitCents: 14_999 }).where(eq(accounts.accountId, accountId)),
    ],
  ];
  it.each(restrictions)('ends when the requesting manager %s in the meantime', async (_, restrictRequester) => {
    const world = await makeInterruptedApproval({ by: 'manager' });
    await restrictRequester(world);
    await world.runOnce();
    expect([await world.state(), world.books.calls]).toEqual(['ended', 0]);
    expect((await world.mails('approval-ended')).length).toBeGreaterThan(0);
  });

  it('is retried after a failure, blocks no other refund, and alerts until it is made', async () => {
    const world = await makeInterruptedApproval();
    const { find } = world.gateway.script;
    world.gateway.script.find = () => {
      throw new Error('an answer that cannot be read');
    };
    for (let passed = 0; passed <= approvalStates.approved.limitMs; passed += MINUTE + 1_000) await world.runOnce();
    expect([await world.state(), await world.alerts()]).toEqual(['approved', ['approved-refund-not-made']]);
    expect(world.logs).not.toContain('reversals-failed');
    world.gateway.script.find = find;
    await world.runOnce(6 * MINUTE);
    expect([(await world.reversals()).length, await world.alerts()]).toEqual([1, []]);
  });

  it.each([
    ['at once', MINUTE + 1_000],
    ['after its week', 8 * DAY],
  ])('needs no further run and raises no alert once its refund is booked, even %s', async (_, ms) => {
    const world = await makeWaitingApproval();
    expect(await world.approve()).toMatchObject({ outcome: { reversal: { state: 'approved' } } });
    // The request ended right after the refund was booked, before it could record that the approval was carried out.
    await world.db.update(approvals).set({ nextTryAt: world.clock.now }).where(eq(approvals.id, world.id));
    world.clock.now += 20 * MINUTE;
    await world.runOnce(ms);
    const [row] = await world.db.select().from(approvals).where(eq(approvals.id, world.id));
    expect([row?.state, row?.nextTryAt, await world.alerts()]).toEqual(['approved', null, []]);
    expect([await world.mails('approval-ended'), world.books.calls]).toEqual([[], 1]);
  });

  it('stays approved when its request gives up after the schedule made the refund', async () => {
    const world = await makeWaitingApproval();
    const { find } = world.gateway.script;
    const lateResponse = Promise.withResolvers<'unavailable'>();
    let isQueried = false;
    world.gateway.script.find = () => {
      isQueried = true;
      world.gateway.script.find = find;
      return lateResponse.promise;
    };
    const approval = world.approve();
    await vi.waitFor(() => expect(isQueried).toBe(true));
    await world.runOnce();
    lateResponse.resolve('unavailable');
    expect((await approval).kind).toBe('approved');
    expect([await world.state(), (await world.reversals()).length]).toEqual(['approved', 1]);
  });
});
