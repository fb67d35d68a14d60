import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayOnlyTransaction, type LedgerPair, makeLedgerPair, runNight } from '#tests/support/ledger-pair';
import { ledger } from '#worker/data/schema/schema';
import { viewTakings } from '#worker/domain/takings/view-takings';

const DAY = 86_400_000;

let world: LedgerPair;
beforeEach(async () => {
  world = await makeLedgerPair();
});

/** Makes a card payment and a bank debit with the same number at the provider. */
async function sellBoth() {
  const id = `txn-${world.accountId}`;
  const card = await world.sell({ cents: 10_000, id });
  const debit = await world.sell({ cents: 4000, method: 'ach', id });
  return { id, card, debit };
}

const readLedger = async () =>
  (await world.db.select().from(ledger).where(eq(ledger.accountId, world.accountId)))
    .map(({ method, kind, amountCents, providerTxnId }) => ({ method, kind, amountCents, providerTxnId }))
    .sort((a, b) => b.amountCents - a.amountCents);

describe('a card payment and a bank debit with the same number', () => {
  it('are both booked and both match the provider', async () => {
    const { id } = await sellBoth();
    const view = await runNight(world);
    expect(await readLedger()).toEqual([
      { method: 'card', kind: 'payment', amountCents: 10_000, providerTxnId: id },
      { method: 'ach', kind: 'payment', amountCents: 4000, providerTxnId: id },
    ]);
    const rows = await env.DB.prepare(
      'SELECT method, net_cents AS cents, verdict FROM gateway_transactions WHERE account_id = ? ORDER BY method',
    )
      .bind(world.accountId)
      .all();
    expect(rows.results).toEqual([
      { method: 'ach', cents: 4000, verdict: 'matched' },
      { method: 'card', cents: 10_000, verdict: 'matched' },
    ]);
    expect(view.differences).toEqual([]);
  });

  it('count once each, by payment method', async () => {
    await sellBoth();
    const takings = await viewTakings(world.deps, world.accountId);
    expect(takings?.net).toBe('140.00');
    expect(takings?.methods.map(({ name, count, amount }) => [name, count, amount]).sort()).toEqual([
      ['Bank account', 1, '40.00'],
      ['Visa', 1, '100.00'],
    ]);
    const total = await env.DB.prepare('SELECT methods FROM daily_totals WHERE account_id = ?')
      .bind(world.accountId)
      .first<string>('methods');
    expect(JSON.parse(total ?? '')).toEqual({ Visa: 1, 'Bank account': 1 });
  });

  it('do not share the void of the card payment', async () => {
    const { card, debit } = await sellBoth();
    await runNight(world);
    card.txn.isVoided = true;
    world.clock.now += DAY;
    await runNight(world);
    expect((await world.read(card.id)).state).toBe('voided');
    expect((await world.read(debit.id)).state).toBe('approved');
  });

  it('are voided separately when the provider shows both as voided', async () => {
    const { card, debit } = await sellBoth();
    await runNight(world);
    card.txn.isVoided = true;
    debit.txn.isVoided = true;
    world.clock.now += DAY;
    const view = await runNight(world);
    expect([(await world.read(card.id)).state, (await world.read(debit.id)).state]).toEqual(['voided', 'voided']);
    expect(view.differences).toEqual([]);
  });

  it('do not share the return of the debit', async () => {
    const { card, debit } = await sellBoth();
    await runNight(world);
    debit.txn.state = 'returned';
    world.clock.now += DAY;
    const view = await runNight(world);
    expect((await world.read(debit.id)).state).toBe('returned');
    expect((await world.read(card.id)).state).toBe('approved');
    expect(view.differences).toEqual([]);
  });

  it('do not share a refund made in the provider’s portal', async () => {
    const { card, debit } = await sellBoth();
    await runNight(world);
    world.books.push(
      gatewayOnlyTransaction(world, {
        kind: 'REFUND',
        parentId: card.txn.id,
        amountCents: 2500,
        createdAt: world.clock.now,
      }),
    );
    world.clock.now += DAY;
    const view = await runNight(world);
    expect(await world.read(card.id)).toMatchObject({ state: 'approved', refundedCents: 2500 });
    expect(await world.read(debit.id)).toMatchObject({ state: 'approved', refundedCents: 0 });
    expect(view.differences).toEqual([]);
  });

  it('are kept apart when one of them is missing at the provider', async () => {
    const { debit } = await sellBoth();
    world.books.splice(world.books.indexOf(debit.txn), 1);
    const view = await runNight(world);
    expect(view.differences).toMatchObject([{ verdict: 'only-ours', ours: '40.00' }]);
  });

  it('are two mismatches when neither is ours', async () => {
    const id = `txn-${world.accountId}`;
    world.books.push(
      gatewayOnlyTransaction(world, { id, amountCents: 10_000 }),
      gatewayOnlyTransaction(world, { id, kind: 'DEBIT', amountCents: 4000 }),
    );
    const view = await runNight(world);
    expect(view.differences.map(({ amount }) => amount).sort()).toEqual(['100.00', '40.00']);
  });
});
