import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type LedgerPair, makeLedgerPair } from '#tests/support/ledger-pair';
import { invoices } from '#worker/data/schema/schema';
import { settle } from '#worker/domain/payments/settle';
import { ingestTransactions } from './ingest.ts';
import { resolvePayment } from './resolve-payment.ts';
import { viewReconciliation } from './view-reconciliation.ts';

type Sale = Awaited<ReturnType<LedgerPair['sell']>>;

const showAtGateway = (world: LedgerPair, { txn }: Sale, method: 'card' | 'ach' = 'card') =>
  ingestTransactions(world.deps, world.accountId, method, { txns: [txn], seenAt: world.clock.now });
const decide = (world: LedgerPair, { id }: Sale, verdict: 'charged' | 'not-charged') =>
  resolvePayment(world.deps, world.merchant, id, { verdict, note: 'Asked.' });

describe('a payment that took no money', () => {
  it.each([
    ['declined', 'card', 'declined'],
    ['rejected', 'card', 'declined'],
    ['declined', 'ach', 'declined'],
    ['returned', 'ach', 'returned'],
  ] as const)(
    'goes to manual review when the gateway shows its charge after it was %s (%s)',
    async (state, method, heldFor) => {
      const world = await makeLedgerPair();
      const sale = await world.sell({ state: state === 'returned' ? 'pending' : state, method });
      sale.txn.state = 'approved';
      if (state === 'returned')
        await settle(world.deps, await world.read(sale.id), { to: state, from: ['pending'], at: 0, txn: sale.txn });
      await showAtGateway(world, sale, method);
      expect((await world.read(sale.id)).state).toBe('needs_human');
      const { undecided } = await viewReconciliation(world.deps, world.accountId);
      expect(undecided).toMatchObject([{ payment_id: sale.id, held_for: heldFor }]);
      await decide(world, sale, 'charged');
      const [invoice] = await world.db.select().from(invoices).where(eq(invoices.invoiceId, sale.invoiceId));
      expect(invoice?.localStatus).toBe('paid');
    },
  );

  it('keeps its state when a second gateway query shows that no money was taken', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'declined', isShown: false });
    world.books.push({ ...sale.txn, isVoided: true });
    await showAtGateway(world, sale);
    expect(await world.read(sale.id)).toMatchObject({ state: 'declined', nextCheckAt: null });
  });

  it('is not queried again while the gateway shows its decline', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'declined' });
    const checksBefore = (await world.read(sale.id)).checks;
    await showAtGateway(world, { ...sale, txn: { ...sale.txn, state: 'declined' } });
    expect(await world.read(sale.id)).toMatchObject({ state: 'declined', checks: checksBefore });
  });
});
