import { afterAll, expect, test, vi } from 'vitest';
import type { ChargeRequest, SearchKey, TerminalSaleRequest } from '#worker/vendors/gateway-port';
import { comparable } from './comparable.ts';
import { BASE } from './test-world.ts';
import {
  billing,
  CARD,
  FAULTS_OF_BOTH,
  type FaultOfBoth,
  modelSide,
  type Reader,
  type Side,
  sandboxSide,
} from './two-gateways.ts';

/**
 * The model and the sandbox were written independently from the same contract. The product's own adapter uses both, and
 * the same calls must have the same outcomes. A difference means an error in one of them or a gap in the contract.
 */
const sandbox = await sandboxSide();
const model = modelSide();
const networkFetch = fetch;
vi.stubGlobal('fetch', ((input, init) =>
  String(input).startsWith(BASE) ? model.fetch(input, init) : networkFetch(input, init)) as typeof fetch);
afterAll(() => vi.unstubAllGlobals());

/** Runs the same scenario on both sides and compares the results. */
async function expectSame(scenario: (side: Side) => Promise<unknown[]>) {
  const [sandboxResults, modelResults] = [await scenario(sandbox), await scenario(model)];
  expect(sandboxResults.length).toBeGreaterThan(0);
  expect(comparable(modelResults)).toEqual(comparable(sandboxResults));
}

let orders = 0;
const newOrderId = () => `order${++orders}`;

async function request(
  side: Side,
  overrides: Partial<ChargeRequest> = {},
  card = CARD.approved,
): Promise<ChargeRequest> {
  const token = overrides.method === 'ach' ? await side.bankToken() : await side.cardToken(card);
  const defaults = { attemptId: newOrderId(), dedupeKey: `INV-${orders}-0`, amountCents: 1555, clientIp: null };
  return { terminal: side.web, method: 'card', token, billing, ...defaults, ...overrides };
}

const sell = async (side: Side, overrides: Partial<ChargeRequest> = {}, card?: string) =>
  side.gateway.charge(await request(side, overrides, card));

/** A test on both sides, with the same order numbers on each. */
function onBothSides(run: (side: Side) => Promise<unknown[]>) {
  return async () => {
    const from = orders;
    await expectSame((side) => {
      orders = from;
      return run(side);
    });
  };
}

test(
  'a sale is approved, declined, failed, or refused before anything is attempted',
  onBothSides(async (side) => {
    const sale = await request(side);
    return [
      await side.gateway.charge(sale),
      await side.gateway.charge({ ...sale, attemptId: newOrderId(), dedupeKey: 'INV-used' }),
      await sell(side, {}, CARD.declined),
      await sell(side, {}, CARD.fails),
      await sell(side, { amountCents: 21 }),
      await sell(side, { amountCents: 14 }),
      await sell(side, { amountCents: 3 }),
      await sell(side, { token: 'no.such.token' }),
      await sell(side, { terminal: side.stranger }),
    ];
  }),
);

test(
  'a repeated key and amount charges once, another amount twice',
  onBothSides(async (side) => {
    const key = { dedupeKey: `INV-same-${newOrderId()}` };
    const outcomes = [await sell(side, key), await sell(side, key), await sell(side, { ...key, amountCents: 1600 })];
    return [...outcomes, await side.gateway.find(side.web, 'card', key)];
  }),
);

test(
  'a bank debit is pending or declined, and is found by order, key and id',
  onBothSides(async (side) => {
    const debit = await request(side, { method: 'ach' });
    const outcome = await side.gateway.charge(debit);
    const id = 'txn' in outcome ? (outcome.txn?.id ?? '') : '';
    const by: SearchKey[] = [{ attemptId: debit.attemptId }, { dedupeKey: debit.dedupeKey }, { providerTxnId: id }];
    const lookUps = await Promise.all(by.map((key) => side.gateway.find(side.web, 'ach', key)));
    const foundAsCard = await side.gateway.find(side.web, 'card', { attemptId: debit.attemptId });
    return [outcome, lookUps, foundAsCard, await sell(side, { method: 'ach', amountCents: 50 })];
  }),
);

test(
  'a card charge is found only by order, key and id, across all terminals of the merchant',
  onBothSides(async (side) => {
    const sale = await request(side);
    const outcome = await side.gateway.charge(sale);
    const id = 'txn' in outcome ? (outcome.txn?.id ?? '') : '';
    const by: SearchKey[] = [{ attemptId: sale.attemptId }, { dedupeKey: sale.dedupeKey }, { providerTxnId: id }];
    const lookUps = await Promise.all(by.map((key) => side.gateway.find(side.desk, 'card', key)));
    return [
      outcome,
      lookUps,
      await side.gateway.find(side.web, 'card', { attemptId: 'unheard' }),
      await side.gateway.find(side.web, 'card', { providerTxnId: '1' }),
      await side.gateway.find(side.stranger, 'card', { attemptId: sale.attemptId }),
    ];
  }),
);

async function sellForId(side: Side, overrides: Partial<ChargeRequest> = {}): Promise<string> {
  const outcome = await sell(side, overrides);
  if (outcome.kind !== 'approved') throw new Error(`The sale was ${outcome.kind}`);
  return outcome.txn.id;
}

test(
  'a void works once, a refund up to the amount left, and a repeated refund counts once',
  onBothSides(async (side) => {
    const voided = await sellForId(side);
    const refunded = await sellForId(side);
    const { gateway, web: terminal } = side;
    const voidOf = (providerTxnId: string) =>
      gateway.voidTransaction({ terminal, providerTxnId, reversalId: newOrderId() });
    const refund = (amountCents: number, dedupeKey: string, providerTxnId = refunded) =>
      gateway.refund({ terminal, providerTxnId, reversalId: newOrderId(), amountCents, dedupeKey });
    const key = `INV-${newOrderId()}`;
    return [
      await voidOf(voided),
      await voidOf(voided),
      await refund(100, `${key}-r0`, voided),
      await refund(500, `${key}-r1`),
      await refund(500, `${key}-r1`),
      await voidOf(refunded),
      await refund(1056, `${key}-r2`),
      await refund(1055, `${key}-r3`),
      await refund(1, `${key}-r4`),
      await voidOf('1'),
      await gateway.find(terminal, 'card', { providerTxnId: voided }),
      await gateway.find(terminal, 'card', { dedupeKey: `${key}-r3` }),
    ];
  }),
);

async function sellAtReader(side: Side, act: Reader | null, overrides: Partial<TerminalSaleRequest> = {}) {
  const defaults = { attemptId: newOrderId(), dedupeKey: `INV-${orders}-0`, amountCents: 2000 };
  const customer = { firstName: 'Ann', lastName: 'Lee' };
  const outcome = side.gateway.startTerminalSale({ terminal: side.desk, ...defaults, customer, ...overrides });
  if (act) await side.atReader(act);
  return outcome;
}

test(
  'a reader sells, declines, cancels, repeats, and goes offline',
  onBothSides(async (side) => {
    const key = { dedupeKey: `INV-reader-${newOrderId()}` };
    const outcomes = [
      await sellAtReader(side, 'tap', key),
      await sellAtReader(side, 'decline'),
      await sellAtReader(side, 'cancel'),
      await sellAtReader(side, null, { amountCents: 0 }),
    ];
    await side.setReader('offline');
    outcomes.push(await sellAtReader(side, null));
    await side.setReader('online');
    return [...outcomes, await sellAtReader(side, null, { terminal: side.web })];
  }),
);

test(
  'a batch opens with a sale, lists its transactions and closes once, after which voids fail',
  onBothSides(async (side) => {
    const { gateway, web } = side;
    await gateway.closeBatch(web, 'ecommerce');
    const emptyClose = await gateway.closeBatch(web, 'ecommerce');
    const id = await sellForId(side);
    await sellForId(side, { amountCents: 700 });
    const reversal = { terminal: web, providerTxnId: id, reversalId: newOrderId() };
    await gateway.refund({ ...reversal, amountCents: 300, dedupeKey: `INV-${orders}-r1` });
    const open = await gateway.listBatches(web, { status: 'open' });
    const [batch] = open === 'unavailable' ? [] : open;
    const batchRows = batch && (await gateway.batchTransactions(web, batch));
    const closed = await gateway.closeBatch(web, 'ecommerce');
    const last = await gateway.listBatches(web, { status: 'closed' });
    return [
      emptyClose,
      open,
      batchRows,
      closed,
      last === 'unavailable' ? last : last.slice(0, 1),
      await gateway.listBatches(web, { status: 'failed' }),
      await gateway.voidTransaction({ ...reversal, reversalId: newOrderId() }),
    ];
  }),
);

test(
  'a reader’s own call closes its batch and no other terminal’s batch',
  onBothSides(async (side) => {
    await side.gateway.closeBatch(side.desk, 'counter');
    await sellAtReader(side, 'tap');
    const closed = await side.gateway.closeBatch(side.desk, 'counter');
    return [
      closed,
      await side.gateway.closeBatch(side.desk, 'counter'),
      await side.gateway.closeBatch(side.web, 'counter'),
    ];
  }),
);

test(
  'a list for a time window has sales, voids and refunds of both terminals, oldest first',
  onBothSides(async (side) => {
    const { gateway, web } = side;
    const amount = { amountCents: 4321 };
    const providerTxnId = await sellForId(side, amount);
    await gateway.voidTransaction({ terminal: web, providerTxnId, reversalId: newOrderId() });
    await sellAtReader(side, 'tap', amount);
    const window = await gateway.find(web, 'card', { providerTxnId });
    const at = window === 'unavailable' ? 0 : (window[0]?.createdAt ?? 0);
    const list = await gateway.listTransactions(web, 'card', { from: at - 60_000, to: at + 300_000 }, 1);
    if (list === 'unavailable') return [list];
    return [list.isLast, list.transactions.filter(({ amountCents }) => amountCents === 4321)];
  }),
);

const SALE_PATH = '/rest/v2/mobile/transactions/sale';

test.each(Object.keys(FAULTS_OF_BOTH) as `${FaultOfBoth}`[])(
  'a sale under %s has the same outcome and the same later lookup in both',
  (name) =>
    onBothSides(async (side) => {
      const fault = name as unknown as FaultOfBoth;
      const sale = await request(side);
      await side.fault(SALE_PATH, 'sale', fault);
      const outcome = await side.gateway.charge(sale);
      return [outcome, await side.gateway.find(side.web, 'card', { attemptId: sale.attemptId })];
    })(),
);

test.each(['500', 'html-502', '429', 'redirect'] as const)('a lookup under %s is unavailable, not empty', (name) =>
  onBothSides(async (side) => {
    await side.fault('/rest/v2/transactions', 'find', name as unknown as FaultOfBoth);
    return [await side.gateway.find(side.web, 'card', { attemptId: 'unheard' })];
  })(),
);
