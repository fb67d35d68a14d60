import { describe, expect, it } from 'vitest';
import { bareClinic, gatewayCharge } from '#tests/support/unit/bare-clinic';
import { transaction } from '#tests/support/unit/world';
import type { Attempt } from '#worker/data/schema/schema';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import {
  hasFailed,
  isMoney,
  lookUpCharge,
  lookUpOtherMethod,
  mayBeForeignMoney,
  mergeLookUps,
} from './look-up-charge.ts';

const txn = (overrides: Partial<GatewayTransaction> = {}): GatewayTransaction => ({
  ...transaction({
    attemptId: 'a1',
    dedupeKey: 'k1',
    amountCents: 500,
    terminal: { accountId: 1, terminalId: 'T', sealedApiKey: '' },
  }),
  id: 't1',
  ...overrides,
});
type State = GatewayTransaction['state'];

describe('looking up an attempt at the gateway', () => {
  type Answer = GatewayTransaction[] | 'unavailable';
  const lookUp = async (byOrder: Answer, byKey: Answer, reported: GatewayTransaction[] = []) => {
    const { deps, gateway, read } = await bareClinic();
    gateway.script.find = (by) => ('attemptId' in by ? byOrder : byKey);
    const result = await lookUpCharge(deps, await read(), reported);
    if (typeof result === 'string') return result;
    const ids = (txns: GatewayTransaction[]) => txns.map(({ id }) => id);
    return [ids(result.ownCharges), ids(result.foreignCharges), ids(result.all), result.terminal.terminalId];
  };
  const foreignCharge = gatewayCharge({ id: 't2', attemptId: 'else' });

  it.each<[string, Answer, Answer]>([
    ['the order', 'unavailable', []],
    ['the key', [], 'unavailable'],
  ])('is unavailable when the query by %s is not answered', async (_title, byOrder, byKey) => {
    expect(await lookUp(byOrder, byKey)).toBe('unavailable');
  });

  it('combines both answers with the transactions just reported', async () => {
    const refund = gatewayCharge({ id: 't3', kind: 'REFUND' });
    expect(await lookUp([gatewayCharge()], [foreignCharge, refund], [gatewayCharge({ id: 't4' })])).toEqual([
      ...[['t1', 't4'], ['t2'], ['t1', 't2', 't3', 't4'], 'T1'],
    ]);
  });

  it('excludes foreign money in an unknown state', async () => {
    expect(await lookUp([], [{ ...foreignCharge, state: 'other' }])).toEqual([[], [], ['t2'], 'T1']);
  });

  it.each([
    ['card', 'ach'],
    ['ach', 'card'],
  ] as const)('finds foreign money under the key of a %s payment among %s transactions', async (method, other) => {
    const { deps, read } = await bareClinic({ method });
    const lookups: unknown[] = [];
    let answer: Answer = [gatewayCharge(), foreignCharge, { ...foreignCharge, id: 't3', state: 'other' }];
    deps.gateway.find = async (_terminal, ...args) => {
      lookups.push(args);
      return answer;
    };
    const terminal = { accountId: 7, terminalId: 'T1', sealedApiKey: '' };
    const find = async () => lookUpOtherMethod(deps, terminal, await read());
    expect(await find()).toMatchObject([{ id: 't2' }, { id: 't3' }]);
    expect(lookups).toEqual([[other, { dedupeKey: '1-1' }]]);
    answer = 'unavailable';
    expect(await find()).toBe('unavailable');
  });
});

describe('merging two answers about one transaction', () => {
  const mergeEitherWay = (a: Partial<GatewayTransaction>, b: Partial<GatewayTransaction>) => {
    const [result, swappedResult] = [mergeLookUps([txn(a)], [txn(b)]), mergeLookUps([txn(b)], [txn(a)])];
    expect(swappedResult).toEqual(result);
    expect(result).toHaveLength(1);
    return result[0];
  };

  it.each<[State, State, State]>([
    ['other', 'pending', 'pending'],
    ['other', 'declined', 'declined'],
    ['pending', 'declined', 'declined'],
    ['pending', 'approved', 'approved'],
    ['approved', 'returned', 'returned'],
    ['declined', 'approved', 'other'],
    ['declined', 'returned', 'other'],
    ['declined', 'declined', 'declined'],
  ])('turns %s and %s into %s, in either order', (a, b, state) => {
    expect(mergeEitherWay({ state: a }, { state: b })?.state).toBe(state);
  });

  it('keeps a void from either answer, and drops the amount when the answers differ', () => {
    expect(mergeEitherWay({ isVoided: true }, {})?.isVoided).toBe(true);
    expect(mergeEitherWay({}, {})?.isVoided).toBe(false);
    expect(mergeEitherWay({ amountCents: 500 }, { amountCents: 500 })?.amountCents).toBe(500);
    expect(mergeEitherWay({ amountCents: 500 }, { amountCents: 501 })?.amountCents).toBeNull();
  });

  it('fills in missing ids from either answer', () => {
    const ids = { attemptId: 'a', dedupeKey: 'k', parentId: 'p' };
    const noIds = { attemptId: '', dedupeKey: '', parentId: '' };
    expect(mergeEitherWay({ ...ids, state: 'pending' }, { ...noIds, state: 'approved' })).toMatchObject(ids);
    expect(mergeEitherWay({ ...noIds, state: 'pending' }, { ...ids, state: 'approved' })).toMatchObject(ids);
  });

  it('keeps two transactions when their ids differ or are missing', () => {
    expect(mergeLookUps([txn()], [txn({ id: 't2' })]).map(({ id }) => id)).toEqual(['t1', 't2']);
    expect(mergeLookUps([txn({ id: '' })], [txn({ id: '' })])).toHaveLength(2);
  });
});

describe('another charge under an attempt’s key', () => {
  const attempt = { id: 'own', dedupeKey: 'k1' } as Attempt;
  const isForeign = (overrides: Partial<GatewayTransaction>) => mayBeForeignMoney(txn(overrides), attempt);

  it.each(['SALE', 'debit', 'FORCED SALE', ''])('is foreign money when it is a charge of the kind "%s"', (kind) => {
    expect(isForeign({ kind })).toBe(true);
  });

  it.each<[string, Partial<GatewayTransaction>]>([
    ['of the attempt itself', { attemptId: 'own' }],
    ['under another key', { dedupeKey: 'k2' }],
    ['that is a refund', { kind: 'REFUND' }],
    ['that was declined', { state: 'declined' }],
    ['that was returned', { state: 'returned' }],
    ['that was voided', { isVoided: true }],
  ])('is not foreign money when it is one %s', (_title, overrides) => {
    expect(isForeign(overrides)).toBe(false);
  });
});

describe('a charge', () => {
  it.each<[State, moves: boolean, isFailed: boolean]>([
    ['approved', true, false],
    ['pending', true, false],
    ['declined', false, true],
    ['returned', false, true],
    ['other', false, false],
  ])('counts in state %s as money (%s) or as failed (%s)', (state, moves, isFailed) => {
    expect([isMoney(txn({ state })), hasFailed({ state, isVoided: false })]).toEqual([moves, isFailed]);
    expect(hasFailed({ state, isVoided: true })).toBe(true);
  });
});
