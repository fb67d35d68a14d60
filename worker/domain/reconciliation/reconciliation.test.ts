import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { makeTwoBooks, type TwoBooks } from '#tests/support/ledger-pair';
import { drawLots } from '#tests/support/random';
import { meteredDb, type Usage } from '#tests/support/unit/meter';
import { transaction } from '#tests/support/unit/world';
import { openDb } from '#worker/data/db';
import { type GatewayRow, gatewayTransactions, terminals } from '#worker/data/schema/schema';
import { settle } from '#worker/domain/payments/settle';
import type { GatewayTransaction, TransactionEvent } from '#worker/vendors/clearent/port';
import { runSchedule } from '../run-schedule.ts';
import { handleTransactionWebhook } from './handle-transaction-webhook.ts';
import { ingestTransactions } from './ingest.ts';
import { resolvePayment } from './resolve-payment.ts';
import { reconcileAccounts } from './run.ts';
import { viewBatchReconciliation, viewReconciliation } from './view-reconciliation.ts';

const HOUR = 3_600_000;

/** The night after all that was sold. */
async function runNight(world: TwoBooks) {
  world.clock.now += HOUR;
  await reconcileAccounts(world.deps);
  return viewReconciliation(world.deps, world.accountId);
}

const strange = (world: TwoBooks, more: Partial<GatewayTransaction>): GatewayTransaction =>
  transaction(
    {
      attemptId: '',
      dedupeKey: 'walk-in',
      amountCents: 5000,
      terminal: { accountId: world.accountId, terminalId: world.terminalId, sealedApiKey: '' },
    },
    { id: `x${crypto.randomUUID()}`, createdAt: world.clock.now, ...more },
  );

const batchOf = (world: TwoBooks, cents: number) => {
  world.gateway.script.batches = () => [
    {
      ...{ id: '7', status: 'closed', terminalId: world.terminalId, terminalName: 'Web', confirmationCode: 'C1' },
      ...{ openedAt: 0, settledAt: world.clock.now + 1, salesCount: null, salesCents: cents },
      ...{ refundCount: null, refundCents: 0, netCents: cents },
    },
  ];
};

describe('the nightly run', () => {
  it('finds every planted difference of the four kinds in a long list, and none that is not there', async () => {
    const world = await makeTwoBooks();
    const many = drawLots().isFull ? 500 : 150;
    const sales: Awaited<ReturnType<TwoBooks['sell']>>[] = [];
    for (let at = 0; at < many; at++) sales.push(await world.sell({ cents: 1000 + at, isShown: at % 30 !== 7 }));
    const ids = (isPlanted: (at: number) => boolean) =>
      sales.flatMap(({ txn }, at) => (isPlanted(at) ? [txn.id] : [])).sort();
    const isOther = (at: number) => at % 50 === 20;
    for (const [at, { txn }] of sales.entries()) if (isOther(at)) txn.amountCents = 99;
    for (let at = 0; at < 4; at++) world.books.push(strange(world, { amountCents: 700 + at }));
    const { differences, checked_at } = await runNight(world);
    const found = (verdict: string) =>
      differences.flatMap((line) => (line.verdict === verdict ? [line.id] : [])).sort();
    expect(found('amount-differs')).toEqual(ids(isOther));
    expect(found('only-ours')).toEqual(ids((at) => at % 30 === 7));
    expect(found('only-gateway')).toHaveLength(4);
    expect(new Set(differences.map(({ verdict }) => verdict)).size).toBe(3);
    expect(checked_at).not.toBeNull();
    // Customer and invoice stand beside what is ours.
    const line = differences.find(({ id }) => id === sales[20]?.txn.id);
    expect(line).toMatchObject({ customer: 'Marta Núñez', amount: '0.99', ours: '10.20' });
    expect(line?.invoice?.id).toBe(sales[20]?.invoiceId);
  }, 120_000);

  it('calls nothing a difference that is from before the terminals were ours, was declined, or is not decided', async () => {
    const world = await makeTwoBooks();
    await world.sell();
    world.books.push(
      strange(world, { createdAt: world.clock.now - 40 * 24 * HOUR }),
      strange(world, { state: 'declined' }),
      strange(world, { state: 'approved', isVoided: true }),
      strange(world, { state: 'pending', kind: 'DEBIT' }),
      strange(world, { kind: 'VOID', amountCents: 18_400 }),
    );
    expect((await runNight(world)).differences).toEqual([]);
  });

  it('of 3,000 card transactions asks the database at most 60 times, differences or not', async () => {
    const world = await makeTwoBooks();
    await world.sellMany(2700);
    // A clinic whose provider adds a fee to some, and whose card readers serve another program as well.
    for (const [at, txn] of world.books.entries()) if (at % 3 === 0) txn.amountCents = 18_900;
    for (let at = 0; at < 300; at++) {
      world.books.push(strange(world, { kind: 'REFUND', parentId: `other-${at}`, createdAt: world.clock.now + at }));
    }
    world.clock.now += HOUR;
    const meter = meteredDb(env.DB);
    const used: Usage[] = [];
    for (let minute = 0; minute < 3; minute++) {
      await reconcileAccounts({ ...world.deps, db: meter.db });
      used.push(meter.take());
    }
    const calls = used.reduce((sum, run) => sum + run.queries, 0);
    console.log(`matching 3,000 transactions: ${calls} queries (${used.map(({ queries }) => queries).join(' + ')})`);
    const seen = (verdict: GatewayRow['verdict']) =>
      world.db.$count(gatewayTransactions, eq(gatewayTransactions.verdict, verdict));
    expect([await seen('matched'), await seen('amount-differs'), await seen('only-gateway')]).toEqual([1800, 900, 300]);
    expect(calls).toBeLessThanOrEqual(60);
  });

  it('gives no verdict by what our ledger said before a payment was booked at the same moment', async () => {
    const world = await makeTwoBooks();
    const sale = await world.sell({ state: 'sent' });
    const attempt = await world.read(sale.id);
    const db = openDb(env.DB);
    const read = db.all.bind(db) as (...asked: unknown[]) => Promise<unknown>;
    let reads = 0;
    const readThenBook = async (...asked: unknown[]) => {
      const rows = await read(...asked);
      reads += 1;
      if (reads === 1)
        await settle(world.db, attempt, { to: 'approved', from: ['sent'], at: world.clock.now, txn: sale.txn });
      return rows;
    };
    Object.assign(db, { all: readThenBook });
    const shown = { txns: [sale.txn], seenAt: world.clock.now };
    const { rows } = await ingestTransactions({ ...world.deps, db }, world.accountId, 'card', shown);
    expect(rows.map(({ verdict }) => verdict)).toEqual(['matched']);
    expect(reads).toBe(2);
    expect(await world.db.$count(gatewayTransactions, eq(gatewayTransactions.accountId, world.accountId))).toBe(1);
  });

  it('lets no older look, for which our books followed, take the place of a newer one', async () => {
    const world = await makeTwoBooks();
    const sale = await world.sell({ state: 'unknown' });
    const { script } = world.gateway;
    const { find } = script;
    script.find = () => 'unavailable';
    const seenAt = world.clock.now;
    await ingestTransactions(world.deps, world.accountId, 'card', { txns: [sale.txn], seenAt: seenAt + 2 });
    script.find = find;
    const older = { ...sale.txn, state: 'pending' as const };
    await ingestTransactions(world.deps, world.accountId, 'card', { txns: [older], seenAt });
    expect((await world.read(sale.id)).state).toBe('approved');
    const [row] = await world.db.select().from(gatewayTransactions).where(eq(gatewayTransactions.orderId, sale.id));
    expect(row).toMatchObject({ state: 'approved', verdict: 'matched', seenAt: seenAt + 2 });
  });

  it('leaves for a later run what our books change about at every try, and says so', async () => {
    const world = await makeTwoBooks();
    world.books.push(strange(world, {}));
    world.clock.now += HOUR;
    const db = openDb(env.DB);
    const read = db.all.bind(db) as (...asked: unknown[]) => Promise<unknown>;
    const readThenChange = async (...asked: unknown[]) => {
      const rows = await read(...asked);
      await world.db
        .update(terminals)
        .set({ createdAt: sql`created_at - 1` })
        .where(eq(terminals.accountId, world.accountId));
      return rows;
    };
    Object.assign(db, { all: readThenChange });
    await reconcileAccounts({ ...world.deps, db });
    expect(world.logs).toEqual(expect.arrayContaining(['transactions-not-judged', 'ALERT reconciliation-halted']));
    const halted = await viewReconciliation(world.deps, world.accountId);
    expect([halted.differences, halted.checked_at]).toEqual([[], null]);
    world.clock.now += HOUR / 2;
    await reconcileAccounts(world.deps);
    const later = await viewReconciliation(world.deps, world.accountId);
    expect(later.differences.map(({ verdict }) => verdict)).toEqual(['only-gateway']);
    expect(later.checked_at).not.toBeNull();
  });

  it('keeps a page although the one that is held against our books with it cannot be kept', async () => {
    const world = await makeTwoBooks();
    const [good, bad] = [strange(world, {}), strange(world, { terminalId: null as never })];
    for (const pages of [
      [good, bad],
      [bad, good],
    ]) {
      world.deps.gateway.listTransactions = async (_terminal, method, _window, page) => ({
        transactions: method === 'card' ? pages.slice(page - 1, page) : [],
        isLast: method !== 'card' || page === 2,
      });
      const { differences, failing_since } = await runNight(world);
      expect(differences.map(({ id }) => id)).toEqual([good.id]);
      expect(failing_since).not.toBeNull();
      await world.db.delete(gatewayTransactions).where(eq(gatewayTransactions.accountId, world.accountId));
    }
  });

  it('dates what the gateway shows by when it was asked, not by when it answered', async () => {
    const world = await makeTwoBooks();
    const [listed, found] = [await world.sell(), await world.sell()];
    const { listTransactions, find } = world.deps.gateway;
    world.deps.gateway.listTransactions = async (...asked) => {
      const page = await listTransactions(...asked);
      world.clock.now += 30_000;
      return page;
    };
    world.deps.gateway.find = async (...asked) => {
      const txns = await find(...asked);
      world.clock.now += 30_000;
      return txns;
    };
    const seenAt = async ({ txn }: typeof listed) =>
      (await world.db.select().from(gatewayTransactions).where(eq(gatewayTransactions.providerTxnId, txn.id)))[0]
        ?.seenAt;
    const asked = world.clock.now;
    await handleTransactionWebhook(world.deps, eventOf(world, found.txn));
    expect(await seenAt(found)).toBe(asked);
    const night = world.clock.now + HOUR;
    await runNight(world);
    expect(await seenAt(listed)).toBe(night);
  });

  it('runs once a night', async () => {
    const world = await makeTwoBooks();
    for (let at = 0; at < 3; at++) await world.sell();
    world.clock.now += HOUR;
    let calls = 0;
    const { listTransactions } = world.deps.gateway;
    world.deps.gateway.listTransactions = async (...asked) => {
      calls += 1;
      return listTransactions(...asked);
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

  it('takes in a merchant who came after the others were read', async () => {
    const first = await makeTwoBooks();
    await runNight(first);
    const late = await makeTwoBooks();
    late.clock.now = first.clock.now + HOUR;
    late.books.push(strange(late, {}));
    expect((await runNight(late)).differences).toHaveLength(1);
  });

  it('goes on where it had to stop when there is more than one run reads', async () => {
    const world = await makeTwoBooks();
    const seen: number[] = [];
    world.deps.gateway.listTransactions = async (_terminal, _method, { from }, page) => {
      seen.push(from);
      const txn = strange(world, { createdAt: from + page * 60_000 });
      return { transactions: [txn], isLast: seen.length > 30 };
    };
    world.clock.now += 10 * HOUR;
    await reconcileAccounts(world.deps);
    const runs = [...new Set(seen)];
    await reconcileAccounts(world.deps);
    expect(new Set(seen).size).toBeGreaterThan(runs.length);
    expect((await viewReconciliation(world.deps, world.accountId)).differences.length).toBe(seen.length);
  });

  it('says since when the gateway cannot be read, and reads again later', async () => {
    const world = await makeTwoBooks();
    await world.sell();
    const { listTransactions } = world.deps.gateway;
    world.deps.gateway.listTransactions = async () => 'unavailable';
    const failing = await runNight(world);
    expect(failing.failing_since).not.toBeNull();
    expect(failing.checked_at).toBeNull();
    world.deps.gateway.listTransactions = listTransactions;
    const later = await runNight(world);
    expect(later.failing_since).toBeNull();
    expect(later.checked_at).not.toBeNull();
  });
});

/** Everything that can happen to money at the gateway without an answer of it reaching us. */
async function stir(world: TwoBooks): Promise<void> {
  await world.sell({ state: 'unknown' });
  const voided = await world.sell();
  voided.txn.isVoided = true;
  const refunded = await world.sell();
  world.books.push(strange(world, { kind: 'REFUND', amountCents: 400, parentId: refunded.txn.id }));
  const settled = await world.sell({ method: 'ach', state: 'pending' });
  settled.txn.state = 'approved';
  const returned = await world.sell({ method: 'ach' });
  Object.assign(returned.txn, { state: 'returned', providerCode: 'R01' });
  await world.sell();
}

const eventOf = (world: TwoBooks, txn: GatewayTransaction): TransactionEvent => ({
  method: txn.kind === 'DEBIT' ? 'ach' : 'card',
  providerTxnId: txn.id,
  attemptId: txn.attemptId,
  terminalId: world.terminalId,
  merchantNumber: '',
});

describe('what happened at the gateway', () => {
  const END = [
    { state: 'approved', refunded: 0, localStatus: 'paid', booked: ['payment 18400'] },
    { state: 'voided', refunded: 18_400, localStatus: 'voided', booked: ['payment 18400', 'void -18400'] },
    { state: 'approved', refunded: 400, localStatus: 'paid', booked: ['payment 18400', 'refund -400'] },
    { state: 'approved', refunded: 0, localStatus: 'paid', booked: ['payment 18400'] },
    { state: 'returned', refunded: 0, localStatus: 'returned', booked: ['payment 18400', 'return -18400'] },
    { state: 'approved', refunded: 0, localStatus: 'paid', booked: ['payment 18400'] },
  ];

  it('reaches our books when every message of it is lost', async () => {
    const world = await makeTwoBooks();
    await stir(world);
    expect((await runNight(world)).differences).toEqual([]);
    expect(await world.state()).toEqual(END);
    await runSchedule(world.deps);
    expect(await world.state()).toEqual(END);
  });

  it('reaches them the same when every message comes twenty times, in any order and all at once', async () => {
    const world = await makeTwoBooks();
    await stir(world);
    world.clock.now += HOUR;
    const { random } = drawLots();
    const messages = world.books.flatMap((txn) => Array.from({ length: 20 }, () => eventOf(world, txn)));
    for (let left = messages.length; left > 0; left -= 10) {
      const some = Array.from({ length: Math.min(10, left) }, () => messages.splice(random.below(messages.length), 1));
      await Promise.all(some.flat().map((message) => handleTransactionWebhook(world.deps, message)));
    }
    expect(messages).toEqual([]);
    expect(await world.state()).toEqual(END);
    expect((await runNight(world)).differences).toEqual([]);
    expect(await world.state()).toEqual(END);
  });

  it('is booked twice where one payment was given back in two parts', async () => {
    const world = await makeTwoBooks();
    const { txn } = await world.sell();
    for (const amountCents of [400, 500])
      world.books.push(strange(world, { kind: 'REFUND', amountCents, parentId: txn.id }));
    expect((await runNight(world)).differences).toEqual([]);
    expect(await world.state()).toMatchObject([
      { refunded: 900, booked: ['payment 18400', 'refund -400', 'refund -500'] },
    ]);
  });

  it('reaches them the same when its messages come before the reply', async () => {
    const world = await makeTwoBooks();
    const sale = await world.sell({ state: 'sent' });
    const attempt = await world.read(sale.id);
    const hearOften = () =>
      Promise.all(Array.from({ length: 20 }, () => handleTransactionWebhook(world.deps, eventOf(world, sale.txn))));
    await hearOften();
    // Whoever made the charge writes what was answered.
    const at = world.clock.now;
    await settle(world.db, attempt, { to: 'approved', from: ['sent', 'unknown'], at, txn: sale.txn });
    await hearOften();
    expect(await world.state()).toEqual([END[0]]);
    expect((await runNight(world)).differences).toEqual([]);
    expect(await world.state()).toEqual([END[0]]);
  });

  it('is no difference any more once the reply that its message overtook is booked', async () => {
    const world = await makeTwoBooks();
    const sale = await world.sell({ state: 'sent' });
    const attempt = await world.read(sale.id);
    await handleTransactionWebhook(world.deps, eventOf(world, sale.txn));
    expect((await viewReconciliation(world.deps, world.accountId)).differences).toMatchObject([
      { verdict: 'only-gateway' },
    ]);
    const move = { to: 'approved' as const, from: ['sent' as const], at: world.clock.now, txn: sale.txn };
    await settle(world.db, attempt, move);
    expect((await viewReconciliation(world.deps, world.accountId)).differences).toEqual([]);
  });

  it('is not changed by messages of things that did not happen', async () => {
    const world = await makeTwoBooks();
    const sale = await world.sell();
    const open = await world.sell({ state: 'unknown', isShown: false });
    const before = await world.state();
    for (let at = 0; at < 20; at++) {
      await handleTransactionWebhook(world.deps, {
        ...eventOf(world, sale.txn),
        attemptId: at % 2 ? open.id : sale.id,
      });
      await handleTransactionWebhook(world.deps, { ...eventOf(world, sale.txn), providerTxnId: `forged-${at}` });
      await handleTransactionWebhook(world.deps, { ...eventOf(world, sale.txn), attemptId: '', terminalId: 'nobody' });
    }
    expect(await world.state()).toEqual(before);
  });
});

describe('a batch', () => {
  it('is shown line by line beside its own sums, and a sum that differs is said to', async () => {
    const world = await makeTwoBooks();
    const [first] = [await world.sell({ cents: 10_000 }), await world.sell({ cents: 2500 })];
    world.books.push(strange(world, { amountCents: 700 }));
    batchOf(world, 13_200);
    const outcome = await viewBatchReconciliation(world.deps, world.accountId, world.terminalId, '7');
    if (outcome.kind !== 'match') throw new Error(outcome.kind);
    expect(outcome.match.lines.map(({ verdict, amount }) => [verdict, amount])).toEqual([
      ['matched', '100.00'],
      ['matched', '25.00'],
      ['only-gateway', '7.00'],
    ]);
    expect(outcome.match.lines[0]?.invoice?.id).toBe(first?.invoiceId);
    expect(outcome.match.sums.every(({ agrees }) => agrees)).toBe(true);
    batchOf(world, 12_000);
    const other = await viewBatchReconciliation(world.deps, world.accountId, world.terminalId, '7');
    if (other.kind !== 'match') throw new Error(other.kind);
    expect(other.match.sums).toContainEqual({ what: 'net', lines: '132.00', batch: '120.00', agrees: false });
  });

  it('into which something is paid while it is read is read again, and not said to differ from its sums', async () => {
    const world = await makeTwoBooks();
    await world.sell({ cents: 10_000 });
    batchOf(world, 10_000);
    const { batchTransactions } = world.deps.gateway;
    let isLate = true;
    world.deps.gateway.batchTransactions = async (...asked) => {
      // Between the two answers of the gateway a payment is made.
      if (isLate) {
        await world.sell({ cents: 2500 });
        batchOf(world, 12_500);
      }
      isLate = false;
      return batchTransactions(...asked);
    };
    const outcome = await viewBatchReconciliation(world.deps, world.accountId, world.terminalId, '7');
    if (outcome.kind !== 'match') throw new Error(outcome.kind);
    expect(outcome.match.sums).toContainEqual({ what: 'net', lines: '125.00', batch: '125.00', agrees: true });
  });

  it('that does not stand still is shown without a comparison of its sums', async () => {
    const world = await makeTwoBooks();
    let cents = 0;
    const { batchTransactions } = world.deps.gateway;
    batchOf(world, cents);
    world.deps.gateway.batchTransactions = async (...asked) => {
      cents += 100;
      batchOf(world, cents);
      return batchTransactions(...asked);
    };
    const outcome = await viewBatchReconciliation(world.deps, world.accountId, world.terminalId, '7');
    expect(outcome).toMatchObject({ kind: 'match', match: { sums: [] } });
  });

  it('is nobody else’s to see', async () => {
    const [own, other] = [await makeTwoBooks(), await makeTwoBooks()];
    batchOf(own, 0);
    expect(await viewBatchReconciliation(own.deps, other.accountId, own.terminalId, '7')).toEqual({
      kind: 'no-terminal',
    });
  });
});

describe('a payment that no program could decide', () => {
  const open = async (isShown: boolean) => {
    const world = await makeTwoBooks();
    const sale = await world.sell({ state: 'needs_human', isShown });
    const resolve = (verdict: 'charged' | 'not-charged', who = world.merchant) =>
      resolvePayment(world.deps, who, sale.id, { verdict, note: 'Called the provider' });
    return { world, sale, resolve };
  };

  it('is paid once a person says so and the gateway shows the one charge', async () => {
    const { world, resolve } = await open(true);
    expect(await viewReconciliation(world.deps, world.accountId)).toMatchObject({ undecided: [{ amount: '184.00' }] });
    expect((await resolve('not-charged')).kind).toBe('contradicted');
    expect((await resolve('charged')).kind).toBe('resolved');
    expect(await world.state()).toMatchObject([{ state: 'approved', localStatus: 'paid', booked: ['payment 18400'] }]);
    expect((await resolve('charged')).kind).toBe('contradicted');
    expect(await viewReconciliation(world.deps, world.accountId)).toMatchObject({
      undecided: [],
      resolved: [{ verdict: 'charged', note: 'Called the provider', by: 'ana@maple.example', amount: '184.00' }],
    });
  });

  it('can be paid again once a person says so and the gateway shows no charge', async () => {
    const { world, resolve } = await open(false);
    expect((await resolve('charged')).kind).toBe('contradicted');
    expect((await resolve('not-charged')).kind).toBe('resolved');
    expect(await world.state()).toMatchObject([{ state: 'not_charged', localStatus: 'none', booked: [] }]);
  });

  it('is not taken for uncharged because one of the indexes of the gateway is behind', async () => {
    const { world, resolve } = await open(true);
    const { find } = world.gateway.script;
    world.gateway.script.find = (by) => ('attemptId' in by ? [] : find(by));
    expect((await resolve('not-charged')).kind).toBe('contradicted');
    expect((await resolve('charged')).kind).toBe('resolved');
  });

  it('stays as it is when there are two charges, another amount, or no answer, and for whoever may not decide', async () => {
    const { world, sale, resolve } = await open(true);
    world.books.push({ ...sale.txn, id: 'second' });
    expect((await resolve('charged')).kind).toBe('contradicted');
    world.books.pop();
    sale.txn.amountCents = 1;
    expect((await resolve('charged')).kind).toBe('contradicted');
    world.gateway.script.find = () => 'unavailable';
    expect((await resolve('charged')).kind).toBe('unavailable');
    expect((await resolve('charged', { ...world.merchant, userId: 1 })).kind).toBe('forbidden');
    expect((await resolve('charged', { ...world.merchant, accountId: 1 })).kind).toBe('not-found');
    expect(await world.state()).toMatchObject([{ state: 'needs_human', booked: [] }]);
  });
});
