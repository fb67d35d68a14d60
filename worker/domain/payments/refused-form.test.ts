import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { TakePaymentBody } from '#shared/contracts/payments/payment-request';
import { paymentForm } from '#tests/support/pay-form';
import { makeCounter } from '#tests/support/terminals';
import { makePartWorld } from '#tests/support/unit/in-parts';
import { declinedOutcome, freshId, lostOutcome, makeWorld, type World } from '#tests/support/unit/world';
import { openDb } from '#worker/data/db';
import { accounts, payLinks, terminals } from '#worker/data/schema/schema';
import { runSchedule } from '#worker/domain/run-schedule';
import { runTerminalSale } from '#worker/domain/terminals/sale';
import { CrmError } from '#worker/vendors/hubspot/port';
import { takePayment } from './take-payment.ts';

const rejectedOutcome = (reason: 'credentials' | 'token') =>
  ({ kind: 'rejected', reason, message: 'UNAUTHORIZED', providerCode: '042' }) as const;

const pay = (world: World, body: TakePaymentBody, clientIp = `ip-${world.accountId}`) =>
  takePayment(world.deps, world.payId, body, { clientIp });

/** Holds the CRM's response to the next read until `release` is called. */
function holdFirstRead({ deps }: Pick<World, 'deps'>) {
  const { getInvoice } = deps.crm;
  const pause = Promise.withResolvers<void>();
  const firstReadStarted = Promise.withResolvers<void>();
  let reads = 0;
  deps.crm = {
    ...deps.crm,
    getInvoice: async (...args) => {
      reads += 1;
      const response = getInvoice(...args);
      if (reads > 1) return response;
      const first = await response;
      firstReadStarted.resolve();
      await pause.promise;
      return first;
    },
  };
  return { firstRead: firstReadStarted.promise, release: () => pause.resolve() };
}

type Case = {
  kind: string;
  world?: () => Promise<World>;
  /** Blocks the second request; `unblock` removes the block. */
  block: (world: World) => unknown;
  unblock?: (world: World) => unknown;
  first?: Partial<TakePaymentBody>;
  second?: Partial<TakePaymentBody>;
  /** The result of the first request; `token-refused` by default. */
  answer?: string;
};

const setInvoice = (change: object) => (world: World) => {
  // A new object, since the read in progress keeps the old one.
  world.crm.invoice = world.crm.invoice && { ...world.crm.invoice, ...change };
};
const setLink = (state: 'live' | 'revoked') => (world: World) =>
  world.db.update(payLinks).set({ state }).where(eq(payLinks.payId, world.payId));
const setAccount = (change: Partial<typeof accounts.$inferInsert>) => (world: World) =>
  world.db.update(accounts).set(change).where(eq(accounts.accountId, world.accountId));
const setPublicKey = (publicKey: string) => (world: World) =>
  world.db.update(terminals).set({ publicKey }).where(eq(terminals.accountId, world.accountId));

const cases: Case[] = [
  { kind: 'not-found', block: (world) => (world.crm.invoice = null) },
  { kind: 'link-ended', block: setLink('revoked'), unblock: setLink('live') },
  { kind: 'gateway-unavailable', block: setPublicKey(''), unblock: setPublicKey('abc') },
  {
    kind: 'gateway-unavailable',
    block: setAccount({ restoredAt: Date.UTC(2026, 2, 4, 14) }),
    unblock: setAccount({ restoredAt: null }),
  },
  {
    kind: 'paused',
    block: (world) => world.deps.payments.recordChange(true),
    unblock: (world) => world.deps.payments.recordChange(false),
  },
  { kind: 'closing', block: setAccount({ closesAt: Date.UTC(2030, 0, 1) }), unblock: setAccount({ closesAt: null }) },
  {
    kind: 'too-many',
    block: async (world) => {
      const { charge } = world.gateway.script;
      world.gateway.script.charge = declinedOutcome;
      for (let n = 0; n < 5; n++) expect((await pay(world, paymentForm(), `${n}`)).kind).toBe('declined');
      world.gateway.script.charge = charge;
    },
    unblock: (world) => {
      world.clock.now += 25 * 3_600_000;
    },
  },
  { kind: 'amount-changed', block: setInvoice({ balanceCents: 100 }), first: { amountShown: '184.00' } },
  { kind: 'already-paid', block: setInvoice({ status: 'paid' }), unblock: setInvoice({ status: 'open' }) },
  { kind: 'not-payable-online', block: setInvoice({ currency: 'EUR' }), unblock: setInvoice({ currency: 'USD' }) },
  { kind: 'nothing-to-pay', block: setInvoice({ balanceCents: 0 }), unblock: setInvoice({ balanceCents: 18_400 }) },
  { kind: 'bad-signature', block: () => undefined, second: { signature: 'data:image/png;base64,AAAA' } },
  { kind: 'part-refused', world: () => makePartWorld(), block: () => undefined, second: { part: { amount: '1.00' } } },
  { kind: 'frozen', world: () => makePartWorld(), block: setInvoice({ balanceCents: 100 }), answer: 'frozen' },
];

describe('a form submitted twice', () => {
  it.each(cases)('charges nothing after the other request was answered with “$kind”', async (testCase) => {
    const world = await (testCase.world ?? makeWorld)();
    const hold = holdFirstRead(world);
    const form = paymentForm({ attemptId: `form-${freshId()}`, ...testCase.first });
    const first = pay(world, form);
    await hold.firstRead;
    const chargesBefore = world.gateway.charges.length;
    await testCase.block(world);
    const declines = world.gateway.charges.length - chargesBefore;
    expect((await pay(world, { ...form, ...testCase.second })).kind).toBe(testCase.kind);
    await testCase.unblock?.(world);
    hold.release();
    expect(await first).toEqual({ kind: testCase.answer ?? 'token-refused' });
    expect(world.gateway.charges).toHaveLength(chargesBefore + declines);
  });

  it('charges nothing after the other request reported a sale at the desk, even once that sale is cancelled', async () => {
    const world = await makeCounter();
    const hold = holdFirstRead(world);
    const form = paymentForm();
    const first = pay(world, form);
    await hold.firstRead;
    const sale = await world.start();
    if (sale.kind !== 'started') throw new Error(sale.kind);
    expect((await pay(world, form)).kind).toBe('at-the-desk');
    world.gateway.script.sale = () => ({
      kind: 'cancelled',
      message: 'Transaction cancelled',
      providerCode: '031',
      exchangeId: 'x',
    });
    await runTerminalSale(world.deps, sale.counter);
    hold.release();
    expect(await first).toEqual({ kind: 'token-refused' });
    expect(world.gateway.charges).toEqual([]);
  });
});

describe('the attempt key of a form', () => {
  it('claims nothing, even with another card, after the payer was told that nothing was charged', async () => {
    const world = await makeWorld();
    const hold = holdFirstRead(world);
    const key = { attemptId: `form-${freshId()}` };
    const pending = pay(world, paymentForm(key));
    await hold.firstRead;
    world.crm.invoice = null;
    expect((await pay(world, paymentForm(key))).kind).toBe('not-found');
    hold.release();
    expect(await pending).toEqual({ kind: 'token-refused' });
    expect(world.gateway.charges).toEqual([]);
  });

  it.each([
    ['declined', declinedOutcome, 'declined'],
    ['refused for its credentials', () => rejectedOutcome('credentials'), 'gateway-unavailable'],
    ['refused for its token', () => rejectedOutcome('token'), 'token-refused'],
  ] as const)('claims nothing after another card of the form was %s', async (_title, answer, expected) => {
    const world = await makeWorld();
    const hold = holdFirstRead(world);
    const key = { attemptId: `form-${freshId()}` };
    const lostPayment = pay(world, paymentForm(key));
    await hold.firstRead;
    const { charge } = world.gateway.script;
    world.gateway.script.charge = answer;
    expect((await pay(world, paymentForm(key))).kind).toBe(expected);
    world.gateway.script.charge = charge;
    hold.release();
    expect(await lostPayment).toEqual({ kind: 'token-refused' });
    expect(world.gateway.charges).toHaveLength(1);
    expect((await pay(world, paymentForm({ attemptId: `form-${freshId()}` }))).kind).toBe('approved');
  });

  it('claims nothing after a lookup showed that a payment under it was not charged', async () => {
    const world = await makeWorld();
    const hold = holdFirstRead(world);
    const key = { attemptId: `form-${freshId()}` };
    const pending = pay(world, paymentForm(key));
    await hold.firstRead;
    const { charge } = world.gateway.script;
    world.gateway.script.charge = () => lostOutcome;
    expect((await pay(world, paymentForm(key))).kind).toBe('pending');
    world.gateway.script.charge = charge;
    for (let check = 0; check < 20; check++) {
      world.clock.now += 5 * 60_000;
      await runSchedule(world.deps);
    }
    expect(await world.attempts()).toMatchObject([{ state: 'not_charged' }]);
    hold.release();
    expect(await pending).toEqual({ kind: 'token-refused' });
    expect(world.gateway.charges).toHaveLength(1);
  });

  it('blocks only one invoice, so the same key can pay another', async () => {
    const [first, other] = [await makeWorld(), await makeWorld()];
    const key = { attemptId: `form-${freshId()}` };
    setInvoice({ balanceCents: 0 })(first);
    expect((await pay(first, paymentForm(key))).kind).toBe('nothing-to-pay');
    expect((await pay(other, paymentForm(key))).kind).toBe('approved');
    setInvoice({ balanceCents: 18_400 })(first);
    expect((await pay(first, paymentForm({ attemptId: `form-${freshId()}` }))).kind).toBe('approved');
  });

  it('returns the approved payment again, even after an invalid form under the same key', async () => {
    const world = await makePartWorld();
    const key = { attemptId: `form-${freshId()}` };
    expect((await world.pay('50.00', key)).kind).toBe('approved');
    expect((await world.pay('1.00', { ...key, signature: 'data:image/png;base64,AAAA' })).kind).toBe('bad-signature');
    expect((await world.pay('50.00', key)).kind).toBe('approved');
    expect(world.charged()).toHaveLength(1);
  });
});

describe('a refusal that cannot be saved', () => {
  const failToSaveRefusal = (world: World) => {
    const { $client } = world.deps.db;
    let isRefusal = false;
    world.deps.db = openDb({
      prepare: (sql: string) => {
        isRefusal ||= sql.startsWith('INSERT INTO refused_tokens');
        return $client.prepare(sql);
      },
      batch: (statements: D1PreparedStatement[]) => {
        if (!isRefusal) return $client.batch(statements);
        isRefusal = false;
        return Promise.reject(new Error('D1_ERROR: Network connection lost'));
      },
    } as unknown as D1Database);
  };

  it('answers as pending, because the other request may still charge', async () => {
    const world = await makeWorld();
    const hold = holdFirstRead(world);
    const form = paymentForm();
    const first = pay(world, form);
    await hold.firstRead;
    failToSaveRefusal(world);
    setInvoice({ balanceCents: 0 })(world);
    expect(await pay(world, form)).toEqual({ kind: 'pending' });
    hold.release();
    expect((await first).kind).toBe('approved');
  });

  it('reports a payment that could not be checked as not started and still open to a retry', async () => {
    const world = await makeWorld();
    const key = { attemptId: `form-${freshId()}` };
    const { getInvoice } = world.deps.crm;
    world.deps.crm = { ...world.deps.crm, getInvoice: () => Promise.reject(new Error('D1_ERROR: gone')) };
    failToSaveRefusal(world);
    expect(await pay(world, paymentForm(key))).toEqual({ kind: 'not-started', isOpen: true });
    world.deps.crm = { ...world.deps.crm, getInvoice };
    expect((await pay(world, paymentForm(key))).kind).toBe('approved');
  });
});

describe('a desk sale submitted twice', () => {
  it('starts no sale after staff were told that nothing was started', async () => {
    const world = await makeCounter();
    const hold = holdFirstRead(world);
    const submission = { attemptId: `form-${freshId()}` };
    const first = world.start(submission);
    await hold.firstRead;
    world.deps.crm.getInvoice = () => Promise.reject(new CrmError('unavailable', 'down'));
    expect((await world.start(submission)).kind).toBe('crm-unavailable');
    hold.release();
    expect((await first).kind).toBe('not-started');
    expect(await world.attempts()).toEqual([]);
    const { invoice: foundInvoice } = world.crm;
    world.deps.crm.getInvoice = async () => foundInvoice;
    expect((await world.start({ attemptId: `form-${freshId()}` })).kind).toBe('started');
  });

  it('starts no sale after the sale of the same submission was cancelled at the card reader', async () => {
    const world = await makeCounter();
    const hold = holdFirstRead(world);
    const submission = { attemptId: `form-${freshId()}` };
    const first = world.start(submission);
    await hold.firstRead;
    const sale = await world.start(submission);
    if (sale.kind !== 'started') throw new Error(sale.kind);
    world.gateway.script.sale = () => ({
      kind: 'cancelled',
      message: 'Transaction cancelled',
      providerCode: '031',
      exchangeId: 'x',
    });
    await runTerminalSale(world.deps, sale.counter);
    hold.release();
    expect((await first).kind).toBe('not-started');
    expect(await world.attempts()).toMatchObject([{ state: 'cancelled' }]);
  });

  it('returns the sale of the faster request', async () => {
    const world = await makeCounter();
    const submission = { attemptId: `form-${freshId()}` };
    expect((await world.start(submission)).kind).toBe('started');
    expect((await world.start({ ...submission, amountShown: '1.00' }, world.ben, world.back)).kind).toBe('started');
    expect(await world.attempts()).toHaveLength(1);
  });
});
