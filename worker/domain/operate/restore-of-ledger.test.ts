import { describe, expect, it } from 'vitest';
import { clinicWorld, makeDump, pay, restoreDump, useObjects } from '#tests/support/operate-world';
import { findAttempt } from '#worker/data/payments/attempts';
import { reversals } from '#worker/data/schema/refunds';
import { paymentAttempts } from '#worker/data/schema/schema';
import { settleReversal } from '#worker/domain/refunds/settle-reversal';

useObjects();

/** Refunds $80 of a $184 payment or voids it, applies `change`, then dumps, loses and restores the clinic. */
async function restoreAfter(kind: 'refund' | 'void', change: string) {
  const world = await clinicWorld();
  await pay(world, 1);
  const { clinicDeps, clock, accountId } = world;
  const [attempt] = await clinicDeps.db.select().from(paymentAttempts);
  if (!attempt) throw new Error('not paid');
  const [reversal] = await clinicDeps.db
    .insert(reversals)
    .values({
      id: clinicDeps.newId(),
      accountId,
      attemptId: attempt.id,
      invoiceId: attempt.invoiceId,
      kind,
      amountCents: kind === 'void' ? attempt.amountCents : 8_000,
      dedupeKey: 'k',
      requestKey: 'r',
      reason: 'asked for',
      requestedBy: 1,
      state: 'sent',
      holdUntil: 0,
      createdAt: clock.now,
    })
    .returning();
  if (!reversal) throw new Error('not claimed');
  await settleReversal(clinicDeps, reversal, attempt, {
    to: 'approved',
    from: ['sent'],
    at: clock.now,
    txnId: 'back-1',
  });
  await clinicDeps.db.$client.batch([
    clinicDeps.db.$client.prepare('DROP TRIGGER IF EXISTS payment_attempts_moves'),
    clinicDeps.db.$client.prepare('DROP TRIGGER IF EXISTS ledger_keeps_all'),
    clinicDeps.db.$client.prepare('DROP TRIGGER IF EXISTS reversals_moves'),
  ]);
  await clinicDeps.db.$client.prepare(change).run();
  const folder = await makeDump(world, clinicDeps);
  await world.installation.clinics.erase(clinicDeps.clinic);
  const restoredDeps = world.deps(await restoreDump(world, folder));
  const [restoredReversal] = await restoredDeps.db.select().from(reversals);
  return { attempt: await findAttempt(restoredDeps.db, attempt.id), reversal: restoredReversal };
}

describe('a clinic restored from a dump whose tables were read at different times', () => {
  it('takes the refunded amount from the ledger', async () => {
    const { attempt } = await restoreAfter('refund', 'UPDATE payment_attempts SET refunded_cents = 0');
    expect(attempt).toMatchObject({ state: 'approved', refundedCents: 8_000 });
  });

  it('marks a payment as voided when the ledger has the void', async () => {
    const { attempt } = await restoreAfter(
      'void',
      "UPDATE payment_attempts SET refunded_cents = 0, state = 'approved'",
    );
    expect(attempt).toMatchObject({ state: 'voided', refundedCents: attempt?.amountCents });
  });

  it('looks up again a refund that is not yet in the ledger', async () => {
    const { attempt, reversal } = await restoreAfter('refund', "DELETE FROM ledger WHERE kind = 'refund'");
    expect(attempt).toMatchObject({ state: 'approved', refundedCents: 0 });
    expect(reversal?.state).toBe('unknown');
    expect(reversal?.nextCheckAt).not.toBeNull();
  });

  it('marks a refund as approved when the ledger has it', async () => {
    const { reversal } = await restoreAfter('refund', "UPDATE reversals SET state = 'unknown'");
    expect(reversal).toMatchObject({ state: 'approved', nextCheckAt: null });
  });
});
