import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { makeLedgerPair } from '#tests/support/ledger-pair';
import { openDb } from '#worker/data/db';
import { gatewayTransactions } from '#worker/data/schema/schema';
import { settle } from '#worker/domain/payments/settle';
import { ingestTransactions } from './ingest.ts';

describe('ingested transactions', () => {
  it('get no verdict from a ledger read made just before a concurrent payment was booked', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'sent' });
    const attempt = await world.read(sale.id);
    const db = openDb(env.DB);
    const read = db.all.bind(db) as (...args: unknown[]) => Promise<unknown>;
    let reads = 0;
    const readThenBook = async (...args: unknown[]) => {
      const rows = await read(...args);
      reads += 1;
      if (reads === 1)
        await settle(world.deps, attempt, { to: 'approved', from: ['sent'], at: world.clock.now, txn: sale.txn });
      return rows;
    };
    Object.assign(db, { all: readThenBook });
    const snapshot = { txns: [sale.txn], seenAt: world.clock.now };
    const { rows } = await ingestTransactions({ ...world.deps, db }, world.accountId, 'card', snapshot);
    expect(rows.map(({ verdict }) => verdict)).toEqual(['matched']);
    expect(reads).toBe(2);
    expect(await world.db.$count(gatewayTransactions, eq(gatewayTransactions.accountId, world.accountId))).toBe(1);
  });

  it('do not replace a newer snapshot with an older one', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'unknown' });
    const { script } = world.gateway;
    const { find } = script;
    script.find = () => 'unavailable';
    const seenAt = world.clock.now;
    await ingestTransactions(world.deps, world.accountId, 'card', { txns: [sale.txn], seenAt: seenAt + 2 });
    script.find = find;
    const olderTxn = { ...sale.txn, state: 'pending' as const };
    await ingestTransactions(world.deps, world.accountId, 'card', { txns: [olderTxn], seenAt });
    expect((await world.read(sale.id)).state).toBe('approved');
    const [row] = await world.db.select().from(gatewayTransactions).where(eq(gatewayTransactions.orderId, sale.id));
    expect(row).toMatchObject({ state: 'approved', verdict: 'matched', seenAt: seenAt + 2 });
  });
});
