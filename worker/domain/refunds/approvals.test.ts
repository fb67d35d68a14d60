import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { StaffRole } from '#shared/contracts/staff/team-values';
import { paidWorld } from '#tests/support/unit/paid-world';
import { eventsOf } from '#tests/support/unit/trail';
import { freshId } from '#tests/support/unit/world';
import { approvals } from '#worker/data/schema/proofs';
import { accounts, ledger, outbox, paymentAttempts, users } from '#worker/data/schema/schema';
import type { Merchant } from '#worker/domain/merchants/session';
import { changeStaff, removeStaff, setSecondPerson, viewTeam } from '#worker/domain/merchants/team';
import { runSchedule } from '#worker/domain/run-schedule';
import { decide, requesterRefusalText, viewApprovals } from './approvals.ts';
import { allowanceOf } from './eligibility.ts';
import { reversePayment } from './refund.ts';
import { APPROVAL_WAIT_MS } from './second-person.ts';
import { viewReversal } from './view-reversal.ts';

const DAY = 86_400_000;

/** An account with a payment of 184.00, in which a second person approves refunds above 100.00. */
async function makeApprovalWorld(cents: number | null = 10_000) {
  const paid = await paidWorld();
  const { db, accountId, merchant } = paid;
  await db.update(accounts).set({ secondPersonCents: cents }).where(eq(accounts.accountId, accountId));
  const hire = async (role: StaffRole): Promise<Merchant> => {
    const userId = freshId();
    await db.insert(users).values({ accountId, userId, email: `${role}${userId}@x.example`, role, lastLoginAt: 0 });
    return { sessionId: `s${userId}`, accountId, userId, role };
  };
  /** The deps of a request by this user. */
  const depsOf = ({ userId, sessionId }: Merchant) => ({
    ...paid.deps,
    actor: { ...paid.deps.actor, kind: 'user' as const, id: String(userId), sessionId },
  });
  const requestApproval = async (user = merchant, overrides: Parameters<typeof paid.reverse>[0] = {}) => {
    const outcome = await paid.reverse(overrides, user);
    if (outcome.kind !== 'waiting') throw new Error(`it is ${JSON.stringify(outcome)}`);
    return outcome.id;
  };
  const state = async (id: string) => (await db.select().from(approvals).where(eq(approvals.id, id)))[0]?.state;
  return { ...paid, hire, asUser: depsOf, submitRequest: requestApproval, state };
}

describe('a refund above the approval amount', () => {
  it('waits for another manager or administrator, then goes out in the requester’s name', async () => {
    const { hire, asUser, submitRequest, merchant, reversals, books, accountId, ledger } = await makeApprovalWorld();
    const ben = await hire('manager');
    const id = await submitRequest();
    expect([await reversals(), books.calls]).toEqual([[], 0]);
    expect(await viewApprovals(asUser(ben), ben)).toMatchObject([
      { id, state: 'waiting', kind: 'refund', amount: '184.00', is_yours_to_decide: true, decided_by: null },
    ]);
    expect(await viewApprovals(asUser(merchant), merchant)).toMatchObject([
      { is_yours_to_decide: false, is_yours_to_withdraw: true },
    ]);
    const bookkeeper = await hire('bookkeeper');
    expect((await viewApprovals(asUser(bookkeeper), bookkeeper))[0]?.is_yours_to_decide).toBe(false);
    const decisionOutcome = await decide(asUser(ben), ben, id, 'approve');
    expect(decisionOutcome).toMatchObject({ kind: 'approved', outcome: { reversal: { state: 'approved' } } });
    expect(await reversals()).toMatchObject([{ requestedBy: merchant.userId, amountCents: 18_400 }]);
    expect(await ledger()).toMatchObject([{ kind: 'payment' }, { kind: 'refund', amountCents: -18_400 }]);
    const events = (await eventsOf(accountId)).filter(({ action }) => /approval|reversal.claimed/.test(action));
    expect(events.map(({ action, actorId }) => [action, actorId])).toEqual([
      ['approval.asked', ''],
      ['approval.decided', String(ben.userId)],
      ['reversal.claimed', String(merchant.userId)],
    ]);
    expect(await viewApprovals(asUser(ben), ben)).toMatchObject([
      { state: 'approved', decided_by: `manager${ben.userId}@x.example` },
    ]);
  });

  it('is shown to anyone who tries to refund the payment in the meantime', async () => {
    const { hire, asUser, submitRequest, merchant, attempt, clock } = await makeApprovalWorld();
    await hire('manager');
    const ben = await hire('admin');
    await submitRequest(ben, { amountCents: 15_000 });
    const offer = async () => {
      const result = await viewReversal(asUser(merchant), merchant, attempt.id);
      return result.kind === 'view' ? result.view.offer : result;
    };
    expect(await offer()).toMatchObject({
      kind: null,
      why: expect.stringMatching(
        /^admin\d+@x\.example requested a refund of \$150\.00\. It is waiting for a second person’s approval\. See Account, Approvals\.$/,
      ),
    });
    clock.now += APPROVAL_WAIT_MS + 1;
    expect(await offer()).toMatchObject({ kind: 'refund' });
  });

  it('ends when the ledger shows a refund of the payment since the request, as after a restore', async () => {
    const { hire, asUser, submitRequest, db, books, state, attempt, clock, deps } = await makeApprovalWorld();
    const ben = await hire('manager');
    const id = await submitRequest(undefined, { amountCents: 15_000 });
    const { accountId, invoiceId, channel, method, currency } = attempt;
    await db.insert(ledger).values({
      accountId,
      attemptId: attempt.id,
      invoiceId,
      channel,
      method,
      currency,
      brand: '',
      providerTxnId: 'lost',
      kind: 'refund',
      amountCents: -15_000,
      at: clock.now,
      day: '2026-03-04',
    });
    expect(await decide(asUser(ben), ben, id, 'approve')).toEqual({ kind: 'over' });
    expect([await state(id), books.calls]).toEqual(['ended', 0]);
    expect((await db.select().from(outbox)).map(({ kind }) => kind)).toContain('approval-ended');
    expect(await decide(deps, ben, id, 'approve')).toEqual({ kind: 'over' });
  });

  it('cannot be approved by its requester, and is approved only once by others', async () => {
    const { hire, asUser, submitRequest, merchant, books, reversals } = await makeApprovalWorld();
    const [ben, eve] = [await hire('manager'), await hire('admin')];
    const id = await submitRequest();
    expect(await decide(asUser(merchant), merchant, id, 'approve')).toEqual({ kind: 'own' });
    expect(books.calls).toBe(0);
    const outcomes = await Promise.all(
      [ben, eve, ben, eve, merchant].map((user) => decide(asUser(user), user, id, 'approve')),
    );
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['approved', 'over', 'over', 'over', 'own']);
    expect([books.calls, (await reversals()).length]).toEqual([1, 1]);
  });

  it('keeps the reason of the person who refused it, for the requester and the audit trail', async () => {
    const { hire, asUser, submitRequest, merchant, accountId } = await makeApprovalWorld();
    const ben = await hire('manager');
    const id = await submitRequest();
    await decide(asUser(ben), ben, id, 'refuse', 'Ask the insurer first');
    expect(await viewApprovals(asUser(merchant), merchant)).toMatchObject([
      { state: 'refused', decision_note: 'Ask the insurer first' },
    ]);
    const [event] = (await eventsOf(accountId)).filter(({ action }) => action === 'approval.decided');
    expect(JSON.parse(event?.after ?? '')).toMatchObject({ state: 'refused', note: 'Ask the insurer first' });
    const next = await submitRequest();
    expect(await decide(asUser(ben), ben, next, 'refuse')).toMatchObject({ approval: { decision_note: '' } });
  });

  it('cannot be approved by the desk, another account or removed staff, or once refused or a week old', async () => {
    const { hire, asUser, submitRequest, merchant, state, clock, books, db, deps } = await makeApprovalWorld();
    const [ben, desk] = [await hire('manager'), await hire('desk')];
    const id = await submitRequest();
    const otherAccountUser: Merchant = { ...ben, accountId: freshId() };
    expect(await decide(asUser(desk), desk, id, 'approve')).toEqual({ kind: 'over' });
    expect(await decide(deps, otherAccountUser, id, 'approve')).toEqual({ kind: 'not-found' });
    await db.update(users).set({ removedAt: 1 }).where(eq(users.userId, ben.userId));
    expect(await decide(asUser(ben), ben, id, 'approve')).toEqual({ kind: 'over' });
    await db.update(users).set({ removedAt: null }).where(eq(users.userId, ben.userId));
    expect(await decide(asUser(ben), ben, id, 'refuse')).toMatchObject({
      kind: 'refused',
      approval: { state: 'refused' },
    });
    expect(await decide(asUser(ben), ben, id, 'approve')).toEqual({ kind: 'over' });
    const oldId = await submitRequest();
    clock.now += 7 * DAY;
    expect(await decide(asUser(ben), ben, oldId, 'approve')).toEqual({ kind: 'over' });
    const next = await submitRequest();
    expect([await state(oldId), await state(next)]).toEqual(['ended', 'waiting']);
    expect(await decide(asUser(merchant), merchant, next, 'refuse')).toMatchObject({ kind: 'refused' });
    const decisions = (await eventsOf(merchant.accountId)).filter(({ action }) => action === 'approval.decided');
    expect(decisions.map((event) => JSON.parse(event.after).withdrawn)).toEqual([undefined, true]);
    expect(books.calls).toBe(0);
  });

  it('counts earlier refunds of the payment, so that splitting it does not help', async () => {
    const { hire, reverse } = await makeApprovalWorld();
    await hire('manager');
    expect(await reverse({ amountCents: 10_000 })).toMatchObject({ kind: 'reversal' });
    expect(await reverse({ amountCents: 100 })).toMatchObject({ kind: 'waiting' });
  });

  it('waits once when the same request is repeated, and blocks other requests for the payment', async () => {
    const { hire, reverse, submitRequest, asUser, db } = await makeApprovalWorld();
    const ben = await hire('manager');
    const request = { requestKey: 'form-0123456789' };
    const id = await submitRequest(undefined, request);
    expect(await reverse(request)).toEqual({ kind: 'waiting', id, mailIds: [] });
    expect(await reverse({})).toMatchObject({
      kind: 'not-offered',
      why: expect.stringMatching(/^It was already requested/),
    });
    await decide(asUser(ben), ben, id, 'refuse');
    expect(await reverse(request)).toMatchObject({ kind: 'not-offered', why: 'A second person did not approve it.' });
    expect(await db.select().from(approvals).where(eq(approvals.id, id))).toHaveLength(1);
  });

  it('holds the requesting manager to the daily allowance, even when an administrator approves', async () => {
    const { hire, asUser, reverse, submitRequest, merchant, db, accountId, state } = await makeApprovalWorld();
    const ben = await hire('manager');
    await db.update(accounts).set({ refundLimitCents: 15_000 }).where(eq(accounts.accountId, accountId));
    expect(await reverse({}, ben)).toMatchObject({ kind: 'above-allowance' });
    const id = await submitRequest(ben, { amountCents: 15_000 });
    await db.update(accounts).set({ refundLimitCents: 1_000 }).where(eq(accounts.accountId, accountId));
    const decided = await decide(asUser(merchant), merchant, id, 'approve');
    expect(decided).toMatchObject({ kind: 'approved', outcome: { kind: 'above-allowance' } });
    expect(decided.kind === 'approved' && requesterRefusalText(decided.outcome)).toBe(
      'The requester can refund up to $10.00 now, so this request has ended.',
    );
    expect(await state(id)).toBe('ended');
    expect(requesterRefusalText({ kind: 'above-allowance', allowedCents: 123_400 })).toContain(' up to $1,234.00 now');
  });

  it('counts against the limit of the requesting manager while it waits, and not against itself', async () => {
    const { deps, hire, asUser, submitRequest, merchant, db, accountId, reversals } = await makeApprovalWorld();
    const ben = await hire('manager');
    await db.update(accounts).set({ refundLimitCents: 20_000 }).where(eq(accounts.accountId, accountId));
    const id = await submitRequest(ben, { amountCents: 15_000 });
    expect(await allowanceOf(deps, ben)).toBe(5_000);
    const decided = await decide(asUser(merchant), merchant, id, 'approve');
    expect(decided).toMatchObject({ kind: 'approved', outcome: { reversal: { state: 'approved' } } });
    expect([await allowanceOf(deps, ben), (await reversals()).length]).toEqual([5_000, 1]);
  });

  it('ends when its requester loses the right to refund, and then blocks no other request', async () => {
    const { hire, asUser, submitRequest, state, merchant, reverse } = await makeApprovalWorld();
    const [ann, ben] = [await hire('admin'), await hire('admin')];
    const first = await submitRequest(ann);
    expect(await changeStaff(asUser(merchant), merchant, ben.userId, { role: 'manager' })).toMatchObject({
      kind: 'done',
    });
    expect(await state(first)).toBe('waiting');
    await changeStaff(asUser(merchant), merchant, ann.userId, { role: 'desk' });
    expect(await state(first)).toBe('ended');
    await changeStaff(asUser(merchant), merchant, ann.userId, { role: 'admin' });
    const second = await submitRequest(ann);
    expect(await removeStaff(asUser(merchant), merchant, ann.userId)).toMatchObject({ kind: 'removed' });
    expect(await state(second)).toBe('ended');
    expect(await decide(asUser(ben), ben, second, 'approve')).toMatchObject({ kind: 'over' });
    expect(await reverse({ amountCents: 18_400 }, merchant)).toMatchObject({ kind: 'waiting' });
  });

  it('keeps waiting while the card provider does not answer', async () => {
    const { hire, asUser, submitRequest, state, gateway, books } = await makeApprovalWorld();
    const ben = await hire('admin');
    const id = await submitRequest();
    const { find } = gateway.script;
    gateway.script.find = () => 'unavailable';
    expect(await decide(asUser(ben), ben, id, 'approve')).toMatchObject({ outcome: { kind: 'unavailable' } });
    expect([await state(id), books.calls]).toEqual(['waiting', 0]);
    gateway.script.find = find;
    expect(await decide(asUser(ben), ben, id, 'approve')).toMatchObject({ outcome: { kind: 'reversal' } });
    expect([await state(id), books.calls]).toEqual(['approved', 1]);
  });
});

describe('the approval rule', () => {
  it('is off by default, and does not apply to amounts up to its limit', async () => {
    const unlimitedWorld = await makeApprovalWorld(null);
    await unlimitedWorld.hire('manager');
    expect(await unlimitedWorld.reverse()).toMatchObject({ kind: 'reversal' });
    const limitedWorld = await makeApprovalWorld(18_400);
    await limitedWorld.hire('manager');
    expect(await limitedWorld.reverse()).toMatchObject({ kind: 'reversal' });
  });

  it('is off with one administrator and no other approver, and the setting shows it', async () => {
    const { asUser, merchant, hire, reverse } = await makeApprovalWorld(null);
    expect(await setSecondPerson(asUser(merchant), merchant, 10_000)).toEqual({
      second_person: '100.00',
      is_in_force: false,
      message: expect.stringMatching(/^This has no effect now: no one else/),
    });
    await hire('desk');
    expect((await viewTeam(asUser(merchant), merchant)).second_person.is_in_force).toBe(false);
    expect(await reverse({ amountCents: 11_000 })).toMatchObject({ kind: 'reversal' });
    await hire('manager');
    expect((await viewTeam(asUser(merchant), merchant)).second_person).toEqual({
      second_person: '100.00',
      is_in_force: true,
      message: '',
    });
    expect(await reverse({ amountCents: 100 })).toMatchObject({ kind: 'waiting' });
  });

  it('keeps a repeated request waiting while the gateway does not answer it', async () => {
    const { gateway, reverse, hire, asUser, reversals } = await makeApprovalWorld(1);
    const ben = await hire('admin');
    const request = { amountCents: 100, requestKey: `form-${freshId()}` };
    const first = await reverse(request);
    if (first.kind !== 'waiting') throw new Error(first.kind);
    const { find } = gateway.script;
    gateway.script.find = () => 'unavailable';
    expect(await reverse(request)).toEqual({ kind: 'waiting', id: first.id, mailIds: [] });
    gateway.script.find = find;
    expect(await decide(asUser(ben), ben, first.id, 'approve')).toMatchObject({ kind: 'approved' });
    expect(await reversals()).toMatchObject([{ state: 'approved' }]);
  });

  it('lets staff who cannot prove their identity request approval of any amount, even while it is off', async () => {
    const { deps, merchant, attempt, hire, asUser, reversals } = await makeApprovalWorld(null);
    const request = { kind: 'refund' as const, amountCents: 500, reason: 'Twice', requestKey: 'form-0123456789' };
    const requestRefund = () =>
      reversePayment(deps, merchant, attempt.id, { ...request, requestKey: `r${freshId()}` }, 'ask');
    expect(await requestRefund()).toMatchObject({
      kind: 'not-offered',
      why: 'No one else in this account could approve it.',
    });
    const ben = await hire('admin');
    const outcome = await requestRefund();
    if (outcome.kind !== 'waiting') throw new Error(outcome.kind);
    expect(await decide(asUser(ben), ben, outcome.id, 'approve')).toMatchObject({ kind: 'approved' });
    expect(await reversals()).toMatchObject([{ amountCents: 500, state: 'approved' }]);
  });
});

describe('a Worker that ends between the approval and the refund', () => {
  const makeInterruptedApproval = async () => {
    const paid = await makeApprovalWorld();
    const ben = await paid.hire('manager');
    const id = await paid.submitRequest();
    const { find } = paid.gateway.script;
    paid.gateway.script.find = () => {
      throw new Error('the Worker is gone');
    };
    await expect(decide(paid.asUser(ben), ben, id, 'approve')).rejects.toThrow();
    paid.gateway.script.find = find;
    return { paid, ben, id };
  };

  it('leaves the refund to the schedule, which makes it once', async () => {
    const { paid, ben, id } = await makeInterruptedApproval();
    expect(await paid.reversals()).toEqual([]);
    for (let turn = 0; turn < 3; turn++) {
      paid.clock.now += 61_000;
      await runSchedule(paid.deps);
    }
    expect(await paid.reversals()).toHaveLength(1);
    expect(await paid.state(id)).toBe('approved');
    expect((await decide(paid.asUser(ben), ben, id, 'approve')).kind).toBe('over');
    expect(paid.gateway.reversals).toHaveLength(1);
  });

  it('returns the approval to waiting while the provider is silent, and ends it when no money remains', async () => {
    const { paid, id } = await makeInterruptedApproval();
    paid.gateway.script.find = () => 'unavailable';
    paid.clock.now += 61_000;
    await runSchedule(paid.deps);
    expect(await paid.state(id)).toBe('waiting');
    const other = await makeInterruptedApproval();
    await other.paid.db
      .update(paymentAttempts)
      .set({ state: 'refunded', refundedCents: 18_400 })
      .where(eq(paymentAttempts.accountId, other.paid.accountId));
    other.paid.clock.now += 61_000;
    await runSchedule(other.paid.deps);
    expect(await other.paid.state(other.id)).toBe('ended');
    expect(other.paid.gateway.reversals).toEqual([]);
  });
});
