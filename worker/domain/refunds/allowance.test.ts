import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { paidWorld } from '#tests/support/unit/paid-world';
import { freshId } from '#tests/support/unit/world';
import { type ReversalState, reversals } from '#worker/data/schema/refunds';
import { accounts } from '#worker/data/schema/schema';
import { allowanceOf } from './eligibility.ts';

/** A manager's remaining allowance after a refund of 30.00 in this state, made `ago` milliseconds ago. */
async function allowanceLeft(
  state: ReversalState,
  ago = 0,
  refundLimitCents: number | null = 10_000,
): Promise<number | null> {
  const { db, deps, accountId, merchant, attempt, clock } = await paidWorld();
  await db.update(accounts).set({ refundLimitCents }).where(eq(accounts.accountId, accountId));
  const id = `r${freshId()}`;
  await db.insert(reversals).values({
    id,
    accountId,
    attemptId: attempt.id,
    invoiceId: attempt.invoiceId,
    kind: 'refund',
    amountCents: 3_000,
    dedupeKey: id,
    requestKey: id,
    reason: '',
    requestedBy: merchant.userId,
    state,
    holdUntil: 0,
    createdAt: clock.now - ago,
  });
  return allowanceOf(deps, { ...merchant, role: 'manager' });
}

describe('a manager’s 24-hour refund allowance', () => {
  it.each(['sent', 'unknown', 'needs_human', 'approved'] as const)('counts a refund in the state %s', async (state) => {
    expect(await allowanceLeft(state)).toBe(7_000);
  });

  it.each(['refused', 'not_done'] as const)('does not count a refund in the state %s', async (state) => {
    expect(await allowanceLeft(state)).toBe(10_000);
  });

  it.each([
    ['all of it was refunded', 3_000],
    ['more than the limit was refunded before it was lowered', 2_000],
  ])('is zero when %s', async (_title, limit) => {
    expect(await allowanceLeft('approved', 0, limit)).toBe(0);
  });

  it('is null when the account allows its managers no refunds', async () => {
    expect(await allowanceLeft('approved', 0, null)).toBeNull();
  });

  it('counts a refund for exactly 24 hours', async () => {
    expect(await allowanceLeft('approved', 86_400_000 - 1)).toBe(7_000);
    expect(await allowanceLeft('approved', 86_400_000)).toBe(10_000);
  });
});
