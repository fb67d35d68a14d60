import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addEntry, addPayment, db } from '#tests/support/unit/rows';
import { findAllowance, isWithinAllowance, mayRefund, usersWhoMayRefund } from './allowance.ts';

const limit = {
  accountId: ACCOUNT,
  userId: 1,
  since: 100,
  now: 150,
  request: { attemptId: 'p2', requestKey: 'press-1' },
};

describe('a manager’s refund allowance', () => {
  beforeEach(() => addPayment('p1'));
  const addReversal = (id: string, cents: number, overrides: Record<string, unknown> = {}) =>
    add('reversals', {
      id,
      attempt_id: 'p1',
      request_key: id,
      kind: 'refund',
      amount_cents: cents,
      requested_by: 1,
      created_at: 101,
      state: 'approved',
      ...overrides,
    });

  it.each([
    ['approved', 700],
    ['sent', 700],
    ['unknown', 700],
    ['needs_human', 700],
    ['refused', 1_000],
    ['not_done', 1_000],
  ])('is reduced by a reversal that is %s: %i of 1000 remain', async (state, allowance) => {
    await addClinic({ refund_limit_cents: 1_000 });
    await addReversal('r1', 300, { state });
    expect(await findAllowance(db, limit)).toBe(allowance);
  });

  it.each([
    ['by another person', { requested_by: 2 }, 1_000],
    ['from the start of the period', { created_at: 100 }, 1_000],
    ['from right after the start', { created_at: 101 }, 700],
  ])('is reduced only by the manager’s own recent reversals: a reversal %s', async (_title, overrides, allowance) => {
    await addClinic({ refund_limit_cents: 1_000 });
    await addReversal('r1', 300, overrides);
    expect(await findAllowance(db, limit)).toBe(allowance);
  });

  const addApproval = (id: string, cents: number, overrides: Record<string, unknown> = {}) =>
    add('approvals', {
      id,
      attempt_id: 'p2',
      kind: 'refund',
      amount_cents: cents,
      request_key: id,
      requested_by: 1,
      requested_at: 1,
      ends_at: 151,
      next_try_at: 151,
      state: 'waiting',
      ...overrides,
    });

  it.each([
    ['that is waiting', {}, 600],
    ['that was approved but has not started', { state: 'approved', decided_by: 2, next_try_at: 149 }, 600],
    ['that another person made', { requested_by: 2 }, 1_000],
    ['that has ended', { ends_at: 150 }, 1_000],
    ['that was refused', { state: 'refused', next_try_at: null }, 1_000],
    ['that is the current one', { request_key: 'press-1' }, 1_000],
    ['with its key, for another payment', { request_key: 'press-1', attempt_id: 'p3' }, 600],
  ])('is reduced by the manager’s own requests for approval: a request %s', async (_title, overrides, allowance) => {
    await addPayment('p2');
    await addPayment('p3');
    await addClinic({ refund_limit_cents: 1_000 });
    await addApproval('a1', 400, overrides);
    expect(await findAllowance(db, limit)).toBe(allowance);
  });

  it('is not reduced by a request that can no longer succeed, because money has been refunded since', async () => {
    await addPayment('p2');
    await addClinic({ refund_limit_cents: 1_000 });
    await addApproval('a1', 400, { requested_at: 100 });
    await addEntry('p2', { at: 99, kind: 'refund', amount_cents: -50, provider_txn_id: 'before' });
    expect(await findAllowance(db, limit)).toBe(600);
    await addEntry('p2', { at: 100, kind: 'refund', amount_cents: -50, provider_txn_id: 'since' });
    expect(await findAllowance(db, limit)).toBe(1_000);
  });

  it('counts an approved request only once after its refund has started', async () => {
    await addPayment('p2');
    await addClinic({ refund_limit_cents: 1_000 });
    await addApproval('a1', 400, { state: 'approved', decided_by: 2 });
    await addReversal('r1', 400, { attempt_id: 'p2', request_key: 'a1', state: 'sent' });
    expect(await findAllowance(db, limit)).toBe(600);
  });

  it('counts an approved request until its own refund has started, regardless of other refunds', async () => {
    await addPayment('p2');
    await addClinic({ refund_limit_cents: 1_000 });
    await addApproval('a1', 400, { state: 'approved', decided_by: 2 });
    await addReversal('r1', 100, { attempt_id: 'p2', request_key: 'another' });
    await addReversal('r2', 100, { attempt_id: 'p1', request_key: 'a1' });
    expect(await findAllowance(db, limit)).toBe(400);
  });

  it('is null when the account allows nothing, and zero when more was already refunded', async () => {
    expect(await findAllowance(db, limit)).toBeNull();
    await addClinic();
    expect(await findAllowance(db, limit)).toBeNull();
    await add('accounts', { account_id: ACCOUNT + 1, refund_limit_cents: 200 });
    await addReversal('r1', 300, { account_id: ACCOUNT + 1 });
    expect(await findAllowance(db, { ...limit, accountId: ACCOUNT + 1 })).toBe(0);
  });

  it('covers any amount up to the remaining one, and any amount if there is no limit', async () => {
    await addClinic({ refund_limit_cents: 1_000 });
    await addReversal('r1', 300);
    const fits = async (refundLimit: typeof limit | null, cents: number) =>
      (await db.get<{ fits: number }>(sql`SELECT ${isWithinAllowance(refundLimit, cents)} AS fits`)).fits;
    expect([await fits(limit, 700), await fits(limit, 701), await fits(null, 10_000)]).toEqual([1, 0, 1]);
  });
});

it('only active managers and administrators may refund', async () => {
  await addClinic();
  for (const [index, role] of ['reader', 'desk', 'manager', 'admin', 'admin'].entries())
    await add('users', { user_id: index + 1, role, removed_at: index === 4 ? 1 : null });
  const rows = await db.all<{ user_id: number }>(
    sql`SELECT user_id FROM ${usersWhoMayRefund(ACCOUNT)} ORDER BY user_id`,
  );
  expect(rows.map(({ user_id }) => user_id)).toEqual([3, 4]);
  const mayUserRefund = (id: number) => db.get<{ is_so: number }>(sql`SELECT ${mayRefund(ACCOUNT, id)} AS is_so`);
  const results = await Promise.all([1, 2, 3, 4, 5, 6].map(mayUserRefund));
  expect(results).toEqual([0, 0, 1, 1, 0, 0].map((is_so) => ({ is_so })));
});
