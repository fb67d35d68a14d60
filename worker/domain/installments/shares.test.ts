import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { makeCounter } from '#tests/support/terminals';
import { makePartWorld, type PartWorld } from '#tests/support/unit/in-parts';
import { type CollectionState, findCollectionState } from '#worker/data/installments/collections';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { computeOwed } from './decide-installments.ts';
import { openParts, switchParts, type Terms } from './open-and-close.ts';

/** Opens an invoice with this balance for parts, and returns the outcome. */
async function openInvoice(balanceCents: number, terms: Partial<Terms>) {
  const world = await makeCounter();
  const manager = { ...world.ana, role: 'manager' as const };
  await switchParts(world.deps, manager, true);
  world.crm.invoice = world.crm.invoice && { ...world.crm.invoice, balanceCents };
  return openParts(world.deps, manager, world.invoiceId, { minCents: null, deposit: null, ...terms });
}

describe('a share of an invoice', () => {
  it.each([
    [10_005, 5_003],
    [10_003, 5_002],
    [10_004, 5_002],
  ])('is rounded half up for an invoice of %s cents with a deposit of 50 %%', async (balance, depositCents) => {
    expect(await openInvoice(balance, { deposit: { percent: 50 } })).toMatchObject({ kind: 'opened', depositCents });
  });

  it.each([
    [10_005, 1_001],
    [10_004, 1_000],
    [5_000, 1_000],
    [900, 900],
  ])('is a tenth, $10 or all of an invoice of %s cents as the minimum installment', async (balance, minCents) => {
    const outcome = await openInvoice(balance, {});
    expect('minCents' in outcome ? outcome.minCents : outcome.kind).toBe(minCents);
  });
});

describe('the amount owed after a staff decision', () => {
  const collectionState = {
    crmBalanceCents: 17_000,
    baseCents: 12_000,
    paidCents: 2_000,
    movedCents: 500,
  } as CollectionState;
  const crmInvoice = { status: 'open', currency: 'USD', balanceCents: 16_000 } as CrmInvoice;

  it('excludes the earlier and new payments that the CRM does not count yet', () => {
    expect(computeOwed(collectionState, crmInvoice)).toEqual({
      crmCents: 16_000,
      oursCents: 6_500,
      contains: 16_000,
      lacks: 9_500,
    });
  });

  it('is zero when the CRM shows a credit, another status or another currency', () => {
    for (const change of [{ balanceCents: -1 }, { status: 'paid' as const }, { currency: 'CAD' }])
      expect(computeOwed(collectionState, { ...crmInvoice, ...change })?.contains).toBe(0);
  });
});

describe('the records that moved the balance in a collection', () => {
  const movedCentsAfter = async (
    world: PartWorld,
    kind: 'payment' | 'reversal',
    fromOpening: number,
    effect = 'balance_moved',
  ) => {
    const [attempt] = await world.attempts();
    const { accountId, invoiceId } = world;
    const row = await world.collection(1);
    const at = Number(row?.opened_at) + fromOpening;
    await env.DB.prepare(
      `INSERT INTO crm_writes (id, account_id, invoice_id, attempt_id, kind, amount_cents, state, effect, created_at, done_at)
        VALUES (?1, ?2, ?3, ?4, ?5, 3000, 'written', ?7, ?6, ?6)`,
    )
      .bind(`${invoiceId}-${kind}-${fromOpening}`, accountId, invoiceId, attempt?.id, kind, at, effect)
      .run();
    const collectionState = await findCollectionState(
      world.db,
      { accountId, invoiceId, collection: 1 },
      world.clock.now,
    );
    return collectionState?.movedCents;
  };

  it('are those written at its opening or later, minus refunds', async () => {
    const world = await makePartWorld();
    await world.pay('50.00');
    expect(await movedCentsAfter(world, 'payment', -1)).toBe(0);
    expect(await movedCentsAfter(world, 'payment', 0)).toBe(3_000);
    expect(await movedCentsAfter(world, 'payment', 1)).toBe(6_000);
    expect(await movedCentsAfter(world, 'reversal', 1)).toBe(3_000);
    expect(await movedCentsAfter(world, 'payment', 2, 'nothing_moved')).toBe(3_000);
  });
});
