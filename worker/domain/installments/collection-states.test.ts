import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { makePartWorld } from '#tests/support/unit/in-parts';
import { viewReconciliation } from '#worker/domain/reconciliation/view-reconciliation';
import { viewToday } from '#worker/domain/today/view-today';
import { collectionStates } from './collection.ts';
import { decideParts } from './decide-installments.ts';
import { closeParts } from './open-and-close.ts';

type State = keyof typeof collectionStates;
const states = Object.keys(collectionStates) as State[];

/** A collection with one paid part, whose amount has since changed in the CRM. */
async function makeFrozenCollection() {
  const world = await makePartWorld();
  await world.pay('50.00');
  world.edit(13_400);
  await world.pay('50.00');
  const isListed = async () => {
    const needs = (await viewToday(world.deps, world.accountId)).needs.map(({ kind }) => kind);
    return [
      needs.includes('frozen'),
      (await viewReconciliation(world.deps, world.accountId)).frozen_parts.length === 1,
    ];
  };
  const state = async () => (await world.collection(1))?.state;
  return { ...world, isListed, state };
}

describe('the collection state table', () => {
  it.each(states)('lists exactly the moves from %s that the database allows', async (from) => {
    const allowed: State[] = [];
    for (const to of states.filter((state) => state !== from)) {
      const { accountId, invoiceId } = await makePartWorld();
      const move = (state: State) =>
        env.DB.prepare('UPDATE collections SET state = ?3 WHERE account_id = ?1 AND invoice_id = ?2')
          .bind(accountId, invoiceId, state)
          .run();
      await move(from);
      const isAllowed = await move(to).then(
        () => true,
        (cause: unknown) => {
          if (!/was opened with never changes/.test(String(cause))) throw cause;
          return false;
        },
      );
      if (isAllowed) allowed.push(to);
    }
    expect(allowed.sort()).toEqual([...collectionStates[from].exits].sort());
  });

  it('alerts the clinic to a frozen collection at once, until staff decide what is owed', async () => {
    const { deps, manager, invoiceId, isListed, state, clock } = await makeFrozenCollection();
    expect([await state(), await isListed()]).toEqual(['frozen', [true, true]]);
    clock.now += 30 * 86_400_000;
    expect(await isListed()).toEqual([true, true]);
    const decision = { verdict: 'contains', owedShown: 13_400 } as const;
    expect(await decideParts(deps, manager, invoiceId, decision)).toMatchObject({ kind: 'decided' });
    expect([await state(), await isListed()]).toEqual(['closed', [false, false]]);
  });

  it('leaves an invoice paid when staff decide that nothing more is owed', async () => {
    const { world, deps, manager, invoiceId, pay, edit } = await makePartWorld();
    await pay('50.00');
    edit(0, { status: 'paid' });
    expect((await pay('20.00')).kind).toBe('frozen');
    const decision = { verdict: 'contains', owedShown: 0 } as const;
    expect(await decideParts(deps, manager, invoiceId, decision)).toMatchObject({ kind: 'decided', owedCents: 0 });
    expect(await world.invoiceRow()).toMatchObject({ localStatus: 'paid', collection: 2, partBaseCents: null });
  });

  it('raises no alert for a frozen collection while its invoice is missing from the CRM', async () => {
    const { accountId, invoiceId, isListed } = await makeFrozenCollection();
    const setDeletedAt = (at: number | null) =>
      env.DB.prepare('UPDATE invoices SET deleted_at = ?3 WHERE account_id = ?1 AND invoice_id = ?2')
        .bind(accountId, invoiceId, at)
        .run();
    await setDeletedAt(1);
    expect(await isListed()).toEqual([false, false]);
    await setDeletedAt(null);
    expect(await isListed()).toEqual([true, true]);
  });

  it('allows staff to close an open collection', async () => {
    const { deps, manager, invoiceId, collection, pay } = await makePartWorld();
    await pay('50.00');
    expect((await closeParts(deps, manager, invoiceId)).kind).toBe('closed');
    expect(await collection(1)).toMatchObject({ state: 'closed' });
  });
});
