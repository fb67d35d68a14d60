import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { eventOf, gatewayOnlyTransaction, type LedgerPair, makeLedgerPair, runNight } from '#tests/support/ledger-pair';
import { startRandom } from '#tests/support/random';
import { meteredDb, type Usage } from '#tests/support/unit/meter';
import { freshId } from '#tests/support/unit/world';
import { openClinics } from '#worker/clinic/clinics';
import { openDb } from '#worker/data/db';
import { clinicKeysWrite } from '#worker/data/directory/clinic-keys';
import { addClinic } from '#worker/data/directory/clinics';
import { type GatewayRow, gatewayTransactions, terminals } from '#worker/data/schema/schema';
import { handleTransactionWebhook } from './handle-transaction-webhook.ts';
import { reconcileAccounts } from './reconcile-accounts.ts';
import { viewReconciliation } from './view-reconciliation.ts';

const HOUR = 3_600_000;

describe('the nightly run', () => {
  it('finds every planted mismatch in a long list, and no others', async () => {
    const world = await makeLedgerPair();
    const count = startRandom().isFull ? 500 : 150;
    const sales: Awaited<ReturnType<LedgerPair['sell']>>[] = [];
    for (let index = 0; index < count; index++)
      sales.push(await world.sell({ cents: 1000 + index, isShown: index % 30 !== 7 }));
    const ids = (isPlanted: (index: number) => boolean) =>
      sales.flatMap(({ txn }, index) => (isPlanted(index) ? [txn.id] : [])).sort();
    const hasOtherAmount = (index: number) => index % 50 === 20;
    for (const [index, { txn }] of sales.entries()) if (hasOtherAmount(index)) txn.amountCents = 99;
    for (let index = 0; index < 4; index++)
      world.books.push(gatewayOnlyTransaction(world, { amountCents: 700 + index }));
    const { differences, checked_at } = await runNight(world);
    const mismatches = (verdict: string) =>
      differences.flatMap((line) => (line.verdict === verdict ? [line.id] : [])).sort();
    expect(mismatches('amount-differs')).toEqual(ids(hasOtherAmount));
    expect(mismatches('only-ours')).toEqual(ids((index) => index % 30 === 7));
    expect(mismatches('only-gateway')).toHaveLength(4);
    expect(new Set(differences.map(({ verdict }) => verdict)).size).toBe(3);
    expect(checked_at).not.toBeNull();
    // Transactions that are in our books are listed with customer and invoice.
    const line = differences.find(({ id }) => id === sales[20]?.txn.id);
    expect(line).toMatchObject({ customer: 'Marta Núñez', amount: '0.99', ours: '10.20' });
    expect(line?.invoice?.id).toBe(sales[20]?.invoiceId);
  }, 120_000);

  it.each([
    ['card', 3],
    ['ach', 65],
  ] as const)('rereads the list of payments by %s for %i days', async (method, days) => {
    const world = await makeLedgerPair();
    const windows: number[] = [];
    const { gateway } = world.deps;
    world.deps.gateway = {
      ...gateway,
      listTransactions: (terminal, listed, window, page) => {
        if (listed === method) windows.push((window.to - window.from) / (24 * HOUR));
        return gateway.listTransactions(terminal, listed, window, page);
      },
    };
    for (let night = 0; night < 75; night++) {
      world.clock.now += 24 * HOUR;
      await reconcileAccounts(world.deps);
    }
    // One more day has passed since the previous run.
    expect(windows.at(-1)).toBeGreaterThan(days + 1);
    expect(windows.at(-1)).toBeLessThan(days + 1.1);
  });

  it('lists cards from the oldest that can still be voided, if there are many', async () => {
    const world = await makeLedgerPair();
    await world.sellMany(25);
    const oldest = Math.min(...world.books.map(({ createdAt }) => createdAt ?? Number.POSITIVE_INFINITY));
    const starts: Partial<Record<string, number>> = {};
    const { gateway } = world.deps;
    world.deps.gateway = {
      ...gateway,
      listTransactions: (terminal, method, window, page) => {
        starts[method] = window.from;
        return gateway.listTransactions(terminal, method, window, page);
      },
    };
    for (let night = 0; night < 7; night++) {
      world.clock.now += 24 * HOUR;
      await reconcileAccounts(world.deps);
    }
    expect(starts.card).toBe(oldest);
  });

  it('reports no mismatch for transactions that predate our terminals, were declined or are undecided', async () => {
    const world = await makeLedgerPair();
    await world.sell();
    world.books.push(
      gatewayOnlyTransaction(world, { createdAt: world.clock.now - 40 * 24 * HOUR }),
      gatewayOnlyTransaction(world, { state: 'declined' }),
      gatewayOnlyTransaction(world, { state: 'approved', isVoided: true }),
      gatewayOnlyTransaction(world, { state: 'pending', kind: 'DEBIT' }),
      gatewayOnlyTransaction(world, { kind: 'VOID', amountCents: 18_400 }),
    );
    expect((await runNight(world)).differences).toEqual([]);
  });

  it('makes at most 60 database calls for 3,000 card transactions, with or without mismatches', async () => {
    const world = await makeLedgerPair();
    await world.sellMany(2700);
    // The provider adds a fee to some payments, and the card readers also serve another program.
    for (const [index, txn] of world.books.entries()) if (index % 3 === 0) txn.amountCents = 18_900;
    for (let index = 0; index < 300; index++) {
      const createdAt = world.clock.now + index;
      world.books.push(gatewayOnlyTransaction(world, { kind: 'REFUND', parentId: `other-${index}`, createdAt }));
    }
    world.clock.now += HOUR;
    const meter = meteredDb(env.DB);
    const usages: Usage[] = [];
    for (let minute = 0; minute < 3; minute++) {
      await reconcileAccounts({ ...world.deps, db: meter.db });
      usages.push(meter.take());
    }
    const calls = usages.reduce((sum, run) => sum + run.queries, 0);
    console.log(
      `reconciled 3,000 transactions: ${calls} queries (${usages.map(({ queries }) => queries).join(' + ')})`,
    );
    const countByVerdict = (verdict: GatewayRow['verdict']) =>
      world.db.$count(gatewayTransactions, eq(gatewayTransactions.verdict, verdict));
    expect([
      await countByVerdict('matched'),
      await countByVerdict('amount-differs'),
      await countByVerdict('only-gateway'),
    ]).toEqual([1800, 900, 300]);
    expect(calls).toBeLessThanOrEqual(60);
  });

  it('leaves transactions for a later run while our books keep changing, and logs it', async () => {
    const world = await makeLedgerPair();
    world.books.push(gatewayOnlyTransaction(world, {}));
    world.clock.now += HOUR;
    const db = openDb(env.DB);
    const read = db.all.bind(db) as (...args: unknown[]) => Promise<unknown>;
    const readThenChange = async (...args: unknown[]) => {
      const rows = await read(...args);
      await world.db
        .update(terminals)
        .set({ createdAt: sql`created_at - 1` })
        .where(eq(terminals.accountId, world.accountId));
      return rows;
    };
    Object.assign(db, { all: readThenChange });
    await reconcileAccounts({ ...world.deps, db });
    expect(world.logs).toEqual(expect.arrayContaining(['transactions-not-judged', 'reconciliation-halted']));
    const haltedView = await viewReconciliation(world.deps, world.accountId);
    expect([haltedView.differences, haltedView.checked_at]).toEqual([[], null]);
    world.clock.now += HOUR / 2;
    await reconcileAccounts(world.deps);
    const laterView = await viewReconciliation(world.deps, world.accountId);
    expect(laterView.differences.map(({ verdict }) => verdict)).toEqual(['only-gateway']);
    expect(laterView.checked_at).not.toBeNull();
  });

  it('stores a page even if the other page of the run cannot be stored', async () => {
    const world = await makeLedgerPair();
    const [storableTxn, unstorableTxn] = [
      gatewayOnlyTransaction(world, {}),
      gatewayOnlyTransaction(world, { terminalId: null as never }),
    ];
    for (const pages of [
      [storableTxn, unstorableTxn],
      [unstorableTxn, storableTxn],
    ]) {
      world.deps.gateway.listTransactions = async (_terminal, method, _window, page) => ({
        transactions: method === 'card' ? pages.slice(page - 1, page) : [],
        isLast: method !== 'card' || page === 2,
      });
      const { differences, failing_since } = await runNight(world);
      expect(differences.map(({ id }) => id)).toEqual([storableTxn.id]);
      expect(failing_since).not.toBeNull();
      await world.db.delete(gatewayTransactions).where(eq(gatewayTransactions.accountId, world.accountId));
    }
  });

  it('dates transactions by the time of the request, not of the answer', async () => {
    const world = await makeLedgerPair();
    const [listedSale, foundSale] = [await world.sell(), await world.sell()];
    const { listTransactions, find } = world.deps.gateway;
    world.deps.gateway.listTransactions = async (...args) => {
      const page = await listTransactions(...args);
      world.clock.now += 30_000;
      return page;
    };
    world.deps.gateway.find = async (...args) => {
      const txns = await find(...args);
      world.clock.now += 30_000;
      return txns;
    };
    const seenAt = async ({ txn }: typeof listedSale) =>
      (await world.db.select().from(gatewayTransactions).where(eq(gatewayTransactions.providerTxnId, txn.id)))[0]
        ?.seenAt;
    const requestedAt = world.clock.now;
    await handleTransactionWebhook(world.deps, eventOf(world, foundSale.txn));
    expect(await seenAt(foundSale)).toBe(requestedAt);
    const night = world.clock.now + HOUR;
    await runNight(world);
    expect(await seenAt(listedSale)).toBe(night);
  });

  it('queries each clinic that has the terminal of a webhook, even after one that does not answer', async () => {
    const unreachable = await addClinic(openDb(env.INSTALLATION), freshId(), 0);
    const world = await makeLedgerPair();
    const { txn } = await world.sell();
    const { clinics, installation } = world.deps;
    const key = `T${world.accountId}`;
    await clinicKeysWrite(installation, unreachable, [{ kind: 'terminal', key }]);
    const objects = openClinics(env.CLINICS, async () => null);
    const clinicsWithUnreachable = {
      ...clinics,
      db: (clinic: number) => (clinic === unreachable ? objects : clinics).db(clinic),
    };
    await handleTransactionWebhook(
      { ...world.deps, clinics: clinicsWithUnreachable },
      { ...eventOf(world, txn), terminalId: key },
    );
    expect(world.logs).toContain('transaction-webhook-failed');
    expect(await world.db.select().from(gatewayTransactions)).toHaveLength(1);
  });

  it('continues with the next account when one cannot be claimed', async () => {
    const [first, second] = [await makeLedgerPair(), await makeLedgerPair()];
    for (const world of [first, second]) await runNight(world);
    second.clock.now = Math.max(first.clock.now, second.clock.now) + 24 * HOUR;
    const db = openDb(env.DB);
    let claims = 0;
    const update = db.update.bind(db);
    const failOnce: typeof update = (table) => {
      if (claims++ === 0) throw new Error('D1 is away');
      return update(table);
    };
    Object.assign(db, { update: failOnce });
    await reconcileAccounts({ ...second.deps, db });
    expect(claims).toBeGreaterThan(1);
    expect(second.logs).toContain('account-reconciliation-failed');
  });

  it('runs once a night', async () => {
    const world = await makeLedgerPair();
    for (let sale = 0; sale < 3; sale++) await world.sell();
    world.clock.now += HOUR;
    let calls = 0;
    const { listTransactions } = world.deps.gateway;
    world.deps.gateway.listTransactions = async (...args) => {
      calls += 1;
      return listTransactions(...args);
    };
    await reconcileAccounts(world.deps);
    const first = calls;
    expect(first).toBeGreaterThan(0);
    await reconcileAccounts(world.deps);
    expect(calls).toBe(first);
    world.clock.now += 25 * HOUR;
    await reconcileAccounts(world.deps);
    expect(calls).toBeGreaterThan(first);
  });

  it('includes a merchant who joined after the others were read', async () => {
    const first = await makeLedgerPair();
    await runNight(first);
    const latePair = await makeLedgerPair();
    latePair.clock.now = first.clock.now + HOUR;
    latePair.books.push(gatewayOnlyTransaction(latePair, {}));
    expect((await runNight(latePair)).differences).toHaveLength(1);
  });

  it('resumes where it stopped when one run cannot read everything', async () => {
    const world = await makeLedgerPair();
    const startTimes: number[] = [];
    world.deps.gateway.listTransactions = async (_terminal, _method, { from }, page) => {
      startTimes.push(from);
      const txn = gatewayOnlyTransaction(world, { createdAt: from + page * 60_000 });
      return { transactions: [txn], isLast: startTimes.length > 30 };
    };
    world.clock.now += 10 * HOUR;
    await reconcileAccounts(world.deps);
    const runs = [...new Set(startTimes)];
    await reconcileAccounts(world.deps);
    expect(new Set(startTimes).size).toBeGreaterThan(runs.length);
    expect((await viewReconciliation(world.deps, world.accountId)).differences.length).toBe(startTimes.length);
  });

  it('reports the start of a gateway outage, and reads again later', async () => {
    const world = await makeLedgerPair();
    await world.sell();
    const { listTransactions } = world.deps.gateway;
    world.deps.gateway.listTransactions = async () => 'unavailable';
    const failingView = await runNight(world);
    expect(failingView.failing_since).not.toBeNull();
    expect(failingView.checked_at).toBeNull();
    world.deps.gateway.listTransactions = listTransactions;
    const laterView = await runNight(world);
    expect(laterView.failing_since).toBeNull();
    expect(laterView.checked_at).not.toBeNull();
  });
});
