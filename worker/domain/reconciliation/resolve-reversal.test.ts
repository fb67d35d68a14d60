import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type LedgerPair, makeLedgerPair } from '#tests/support/ledger-pair';
import { freshId } from '#tests/support/unit/world';
import { createCursors } from '#worker/data/reconciliation/cursors';
import { reversalResolutions, reversals } from '#worker/data/schema/refunds';
import { dailyTotals, outbox, paymentAttempts } from '#worker/data/schema/schema';
import { readReceipt } from '#worker/domain/mail/receipt';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { reconcileAccount } from './reconcile-accounts.ts';
import { resolveReversal } from './resolve-reversal.ts';
import { viewReconciliation } from './view-reconciliation.ts';

type ReversalOptions = { kind?: 'void' | 'refund'; cents?: number };

/** A card payment of 184.00 with a void or refund that waits for a person. */
async function openReversal({ kind = 'refund', cents = 5_000 }: ReversalOptions = {}) {
  const world = await makeLedgerPair();
  const { db, deps, accountId, merchant } = world;
  const sale = await world.sell();
  const id = `r${freshId()}`;
  const at = world.clock.now;
  await db.update(paymentAttempts).set({ receiptTo: 'marta@example.test' }).where(eq(paymentAttempts.id, sale.id));
  await db.insert(reversals).values({
    id,
    accountId,
    attemptId: sale.id,
    invoiceId: sale.invoiceId,
    kind,
    amountCents: cents,
    requestKey: id,
    dedupeKey: `${id}-key`,
    reason: 'Billed twice',
    requestedBy: merchant.userId,
    state: 'needs_human',
    message: 'The card provider shows it more than once.',
    holdUntil: at,
    nextCheckAt: null,
    createdAt: at,
  });
  const addRefund = (overrides: Partial<GatewayTransaction> = {}) => {
    const txn: GatewayTransaction = {
      ...sale.txn,
      id: `b${freshId()}`,
      attemptId: id,
      dedupeKey: `${id}-key`,
      kind: 'REFUND',
      amountCents: cents,
      parentId: sale.txn.id,
      ...overrides,
    };
    world.books.push(txn);
    return txn;
  };
  const decide = (verdict: 'happened' | 'not-happened', user = merchant) =>
    resolveReversal(deps, user, id, { verdict, note: 'Called the provider' });
  const row = async () => (await db.select().from(reversals).where(eq(reversals.id, id)))[0];
  const decisions = () => db.select().from(reversalResolutions).where(eq(reversalResolutions.reversalId, id));
  const netOfDay = async () =>
    (await db.select().from(dailyTotals).where(eq(dailyTotals.accountId, accountId)))[0]?.netCents;
  return { ...world, id, sale, addRefund, decide, row, decisions, netOfDay };
}

const expectUndecided = async ({ row, state, decisions }: Awaited<ReturnType<typeof openReversal>>) => {
  expect(await row()).toMatchObject({ state: 'needs_human' });
  expect(await state()).toMatchObject([{ state: 'approved', refunded: 0, localStatus: 'paid' }]);
  expect(await decisions()).toEqual([]);
};

/** Checks that nothing differs after the next night, and that ledger and gateway agree on the net amount. */
async function expectAgreement(world: LedgerPair & { sale: { txn: GatewayTransaction } }) {
  world.clock.now += 3_600_000;
  await createCursors(world.db, world.clock.now);
  expect(await reconcileAccount(world.deps, world.accountId, 'card')).toBe('finished');
  expect((await viewReconciliation(world.deps, world.accountId)).differences).toEqual([]);
  const refunds = world.books.filter(({ kind, isVoided }) => kind === 'REFUND' && !isVoided);
  const heldCents = world.sale.txn.isVoided ? 0 : 18_400;
  const net = refunds.reduce((sum, { amountCents }) => sum - (amountCents ?? 0), heldCents);
  const [state] = await world.state();
  expect(state?.booked.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0)).toBe(net);
}

describe('a refund in manual review', () => {
  it('is shown with all known facts, and booked when a person confirms it and the gateway shows it', async () => {
    const world = await openReversal();
    const { addRefund, decide, row, state, decisions, netOfDay, deps, accountId, db, sale, merchant } = world;
    const txn = addRefund();
    expect(await viewReconciliation(deps, accountId)).toMatchObject({
      undecided_reversals: [
        {
          kind: 'refund',
          amount: '50.00',
          paid: '184.00',
          given_back: '0.00',
          reason: 'Billed twice',
          customer: 'Marta Núñez',
          by: 'ana@maple.example',
          why: 'The card provider shows it more than once.',
        },
      ],
    });
    expect(await decide('not-happened')).toMatchObject({
      kind: 'contradicted',
      why: 'Clearent shows a refund.',
    });
    expect(await decide('happened')).toMatchObject({ kind: 'resolved', reversal: { state: 'approved' } });
    expect(await row()).toMatchObject({ state: 'approved', providerTxnId: txn.id, amountCents: 5_000 });
    expect(await state()).toEqual([
      { state: 'approved', refunded: 5_000, localStatus: 'paid', booked: ['payment 18400', 'refund -5000'] },
    ]);
    expect(await netOfDay()).toBe(13_400);
    expect(await readReceipt(deps, sale.id)).toMatchObject({ status: 'Partly refunded' });
    expect(await decisions()).toMatchObject([
      { verdict: 'happened', note: 'Called the provider', resolvedBy: merchant.userId },
    ]);
    expect(await viewReconciliation(deps, accountId)).toMatchObject({
      undecided_reversals: [],
      resolved: [{ about: 'refund', verdict: 'happened', amount: '50.00', by: 'ana@maple.example' }],
    });
    expect(await db.select().from(outbox).where(eq(outbox.accountId, accountId))).toMatchObject([
      { kind: 'receipt', recipient: 'marta@example.test' },
    ]);
    await expectAgreement(world);
  });

  it('can be requested again when a person denies it and the gateway shows nothing', async () => {
    const world = await openReversal();
    expect(await world.decide('happened')).toMatchObject({ kind: 'contradicted' });
    expect(await world.decide('not-happened')).toMatchObject({ kind: 'resolved' });
    expect(await world.row()).toMatchObject({ state: 'not_done', nextCheckAt: null });
    expect(await world.state()).toMatchObject([{ refunded: 0, booked: ['payment 18400'] }]);
    await expectAgreement(world);
  });

  it('is booked with the amount actually refunded, and so is a second refund of the same order', async () => {
    const smallerWorld = await openReversal();
    smallerWorld.addRefund({ amountCents: 4_000 });
    expect(await smallerWorld.decide('happened')).toMatchObject({ kind: 'resolved', reversal: { amountCents: 4_000 } });
    expect(await smallerWorld.state()).toMatchObject([{ refunded: 4_000, booked: ['payment 18400', 'refund -4000'] }]);
    await expectAgreement(smallerWorld);

    const twoOrdersWorld = await openReversal();
    twoOrdersWorld.addRefund();
    twoOrdersWorld.addRefund({ attemptId: 'elsewhere' });
    expect(await twoOrdersWorld.decide('happened')).toMatchObject({ kind: 'resolved' });
    const oneOrderWorld = await openReversal();
    oneOrderWorld.addRefund();
    oneOrderWorld.addRefund();
    expect(await oneOrderWorld.decide('happened')).toMatchObject({ kind: 'resolved' });
    for (const world of [twoOrdersWorld, oneOrderWorld]) {
      expect(await world.state()).toMatchObject([
        { refunded: 10_000, booked: ['payment 18400', 'refund -5000', 'refund -5000'] },
      ]);
      await expectAgreement(world);
    }
  });

  it('is not booked when the refunds exceed the rest of the payment', async () => {
    const world = await openReversal({ cents: 10_000 });
    world.addRefund();
    const second = world.addRefund();
    expect(await world.decide('happened')).toMatchObject({
      why: expect.stringContaining('a larger refund than what was left'),
    });
    await expectUndecided(world);
    second.isVoided = true;
    expect(await world.decide('happened')).toMatchObject({ kind: 'resolved' });
    expect(await world.state()).toMatchObject([{ refunded: 10_000 }]);
    await expectAgreement(world);
  });

  it('is decided once when many people decide at the same moment', async () => {
    const world = await openReversal();
    world.addRefund();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => world.decide('happened')));
    expect(outcomes.filter(({ kind }) => kind === 'resolved')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'contradicted')).toHaveLength(7);
    expect(await world.decisions()).toHaveLength(1);
    expect(await world.state()).toMatchObject([{ refunded: 5_000, booked: ['payment 18400', 'refund -5000'] }]);
  });

  it('is decided one way when two people contradict each other while the gateway’s answer changes', async () => {
    const world = await openReversal();
    const txn = world.addRefund();
    const { find } = world.gateway.script;
    let lookups = 0;
    // Every other lookup answers as if the refund were not shown yet.
    world.gateway.script.find = async (by) => {
      const response = await find(by);
      const isEarly = lookups++ % 4 < 2;
      return response === 'unavailable' || !isEarly ? response : response.filter(({ id }) => id !== txn.id);
    };
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, index) => world.decide(index % 2 ? 'happened' : 'not-happened')),
    );
    expect(outcomes.filter(({ kind }) => kind === 'resolved').length).toBeLessThanOrEqual(1);
    const [decision] = await world.decisions();
    expect((await world.row())?.state).toBe(
      decision ? (decision.verdict === 'happened' ? 'approved' : 'not_done') : 'needs_human',
    );
    world.gateway.script.find = find;
    if (!decision) await world.decide('happened');
    await expectAgreement(world);
    expect(await world.state()).toMatchObject([{ refunded: 5_000 }]);
  });

  it('stays in review while the gateway does not answer or is undecided, and for another account', async () => {
    const world = await openReversal();
    const { decide, merchant } = world;
    const txn = world.addRefund({ state: 'pending' });
    for (const verdict of ['happened', 'not-happened'] as const)
      expect(await decide(verdict)).toEqual({ kind: 'contradicted', why: 'Clearent has not decided on it yet.' });
    txn.state = 'approved';
    expect(await decide('happened', { ...merchant, accountId: 1 })).toEqual({ kind: 'not-found' });
    world.gateway.script.find = () => 'unavailable';
    expect(await decide('happened')).toEqual({ kind: 'unavailable' });
    await expectUndecided(world);
  });
});

describe('a void in manual review', () => {
  it('is booked only when the gateway shows the payment as voided', async () => {
    const world = await openReversal({ kind: 'void', cents: 18_400 });
    expect(await world.decide('happened')).toMatchObject({ kind: 'contradicted' });
    world.sale.txn.isVoided = true;
    expect(await world.decide('not-happened')).toMatchObject({ kind: 'contradicted' });
    expect(await world.decide('happened')).toMatchObject({ kind: 'resolved' });
    expect(await world.state()).toEqual([
      { state: 'voided', refunded: 18_400, localStatus: 'voided', booked: ['payment 18400', 'void -18400'] },
    ]);
    expect(await world.netOfDay()).toBe(0);
    expect(await readReceipt(world.deps, world.sale.id)).toMatchObject({ status: 'Voided' });
    await expectAgreement(world);
  });
});
