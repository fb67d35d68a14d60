import { describe, expect, it } from 'vitest';
import type { DeskWorld } from '#tests/support/terminals';
import { makePartWorld } from '#tests/support/unit/in-parts';
import { crmWriteSettings } from '#worker/data/schema/crm';
import { decideParts } from '#worker/domain/installments/decide-installments';
import { closeParts } from '#worker/domain/installments/open-and-close';
import { viewParts } from '#worker/domain/installments/view-installments';

describe('an amount that changes in the CRM between installments', () => {
  it.each([
    ['the balance', { balanceCents: 13_400 }],
    ['the billed amount', { billedCents: 20_000 }],
    ['the status', { status: 'paid', balanceCents: 0 }],
    ['the currency', { currency: 'CAD' }],
  ])('stops payment when %s changed until staff decide what is owed', async (_title, change) => {
    const world = await makePartWorld();
    await world.pay('50.00');
    world.edit(18_400, change);
    expect((await world.pay('50.00')).kind).toBe('frozen');
    expect(await world.collection(1)).toMatchObject({ state: 'frozen', base_cents: 18_400 });
    world.edit(18_400, { billedCents: 18_400, status: 'open', currency: 'USD' });
    expect((await world.pay('50.00')).kind).toBe('frozen');
    expect((await world.start({ part: { amount: '50.00' } })).kind).toBe('frozen');
    expect(world.gateway.charges).toHaveLength(1);
  });

  it.each([
    ['contains', 13_400, 13_400],
    ['lacks', 17_000, 12_000],
  ] as const)(
    'leaves exactly the amount owed when staff decide that the CRM %s our payments',
    async (verdict, crmCents, owedCents) => {
      const world = await makePartWorld();
      await world.pay('50.00');
      world.edit(crmCents);
      await world.pay('50.00');
      const decide = (owedShown: number) =>
        decideParts(world.deps, world.manager, world.invoiceId, { verdict, owedShown });
      expect((await decide(owedCents + 1)).kind).toBe('changed');
      expect(await decide(owedCents)).toEqual({ kind: 'decided', owedCents: owedCents });
      expect(await world.collection(1)).toMatchObject({ state: 'closed' });
      expect(await world.collection(2)).toMatchObject({
        state: 'open',
        base_cents: owedCents,
        paid_before_cents: 5_000,
      });
      expect(await world.pay(null)).toMatchObject({ kind: 'approved', attempt: { amountCents: owedCents, part: 1 } });
      expect(world.charged().at(-1)).toEqual([owedCents, world.key('2')]);
      expect(await world.invoiceRow()).toMatchObject({ localStatus: 'paid', partPaidCents: 5_000 + owedCents });
    },
  );

  it('counts payments made before a decision when the amount changes again', async () => {
    const world = await makePartWorld();
    await world.pay('50.00');
    world.edit(17_000);
    await world.pay('50.00');
    await decideParts(world.deps, world.manager, world.invoiceId, { verdict: 'lacks', owedShown: 12_000 });
    await world.pay('20.00');
    world.edit(16_000);
    expect((await world.pay('20.00')).kind).toBe('frozen');
    const decisionOutcome = await decideParts(world.deps, world.manager, world.invoiceId, {
      verdict: 'lacks',
      owedShown: 9_000,
    });
    expect(decisionOutcome).toEqual({ kind: 'decided', owedCents: 9_000 });
  });

  it('stays frozen when our payments already cover the new amount', async () => {
    const world = await makePartWorld();
    await world.pay('100.00');
    world.edit(10_000);
    await world.pay('50.00');
    const decision = { verdict: 'lacks', owedShown: 0 } as const;
    expect((await decideParts(world.deps, world.manager, world.invoiceId, decision)).kind).toBe('nothing-left');
    expect((await world.pay(null)).kind).toBe('frozen');
  });

  it('cannot be decided on while it is unreadable', async () => {
    const world = await makePartWorld();
    await world.pay('50.00');
    world.edit(18_400, { balanceCents: null });
    expect((await world.pay('50.00')).kind).toBe('frozen');
    for (const verdict of ['contains', 'lacks'] as const) {
      const decisionOutcome = await decideParts(world.deps, world.manager, world.invoiceId, { verdict, owedShown: 0 });
      expect(decisionOutcome).toEqual({ kind: 'amount-unreadable' });
    }
    expect(await viewParts(world.deps, world.manager, world.invoiceId)).toMatchObject({
      state: 'frozen',
      left: '134.00',
      decision: null,
    });
  });
});

describe('a payment record of ours in the CRM', () => {
  const insertRecord = async (
    { db, deps, attempts, accountId, invoiceId, clock }: DeskWorld,
    state: string,
    effect: string,
  ) => {
    const attempt = (await attempts()).find((candidate) => candidate.state === 'approved');
    await deps.db.$client
      .prepare(
        `INSERT OR REPLACE INTO crm_writes (id, account_id, invoice_id, attempt_id, kind, amount_cents, state, effect, created_at, done_at)
          VALUES ('w' || ?1, ?2, ?1, ?3, 'payment', ?4, ?5, ?6, ?7, ?7)`,
      )
      .bind(invoiceId, accountId, attempt?.id ?? '', attempt?.amountCents ?? 0, state, effect, clock.now)
      .run();
    return db;
  };

  it('explains a moved balance, and blocks payment without freezing while its effect is unknown', async () => {
    const world = await makePartWorld();
    await world.pay('50.00');
    await insertRecord(world.world, 'written', 'balance_moved');
    world.edit(13_400);
    expect((await world.pay('50.00')).kind).toBe('approved');
    const other = await makePartWorld();
    await other.pay('50.00');
    for (const [state, effect] of [
      ['sent', ''],
      ['unknown', ''],
      ['written', ''],
    ] as const) {
      await insertRecord(other.world, state, effect);
      for (const balance of [18_400, 13_400]) {
        other.edit(balance);
        expect((await other.pay('50.00')).kind).toBe('crm-unavailable');
      }
    }
    expect(await other.collection(1)).toMatchObject({ state: 'open' });
    expect(other.gateway.charges).toHaveLength(1);
  });

  it('blocks payment for a quarter of an hour when its answer is lost, then the CRM’s balance decides', async () => {
    const world = await makePartWorld();
    await world.pay('50.00');
    await insertRecord(world.world, 'unknown', '');
    expect((await world.pay('20.00')).kind).toBe('crm-unavailable');
    world.clock.now += 16 * 60_000;
    expect((await world.pay('20.00')).kind).toBe('approved');
    world.edit(13_400);
    expect((await world.pay('20.00')).kind).toBe('frozen');
    expect(await world.collection(1)).toMatchObject({ state: 'frozen' });
  });

  it('neither blocks payment nor explains a changed balance if records never move the balance', async () => {
    const world = await makePartWorld();
    await world.pay('50.00');
    await world.db.insert(crmWriteSettings).values({
      accountId: world.accountId,
      isOn: true,
      changedBy: 1,
      changedAt: 0,
      movesBalance: false,
    });
    for (const [state, effect] of [
      ['sent', ''],
      ['unknown', ''],
      ['written', ''],
    ] as const) {
      await insertRecord(world.world, state, effect);
      expect((await world.pay('20.00')).kind).toBe('approved');
    }
    world.clock.now += 61_000;
    world.edit(13_400);
    expect((await world.pay('20.00')).kind).toBe('frozen');
  });

  it('is not counted again in a collection opened after it', async () => {
    const world = await makePartWorld();
    await world.pay('50.00');
    await insertRecord(world.world, 'written', 'balance_moved');
    world.edit(13_400);
    world.clock.now += 61_000;
    expect((await closeParts(world.deps, world.manager, world.invoiceId)).kind).toBe('closed');
    expect((await world.pay(null)).kind).toBe('approved');
    expect(await world.collection(2)).toMatchObject({ crm_balance_cents: 13_400 });
  });
});
