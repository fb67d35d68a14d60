import { describe, expect, it } from 'vitest';
import { bareClinic, shownCharge } from '#tests/support/unit/bare-clinic';
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

const txn = (more: Partial<GatewayTransaction> = {}): GatewayTransaction => ({
  ...transaction({
    attemptId: 'a1',
    dedupeKey: 'k1',
    amountCents: 500,
    terminal: { accountId: 1, terminalId: 'T', sealedApiKey: '' },
  }),
  id: 't1',
  ...more,
});
type State = GatewayTransaction['state'];

describe('an attempt at the gateway', () => {
  type Answer = GatewayTransaction[] | 'unavailable';
  const lookUp = async (byOrder: Answer, byKey: Answer, shown: GatewayTransaction[] = []) => {
    const { deps, gateway, read } = await bareClinic();
    gateway.script.find = (by) => ('attemptId' in by ? byOrder : byKey);
    const found = await lookUpCharge(deps, await read(), shown);
    if (typeof found === 'string') return found;
    const ids = (txns: GatewayTransaction[]) => txns.map(({ id }) => id);
    return [ids(found.own), ids(found.foreign), ids(found.all), found.terminal.terminalId];
  };
  const foreign = shownCharge({ id: 't2', attemptId: 'else' });

  it.each<[string, Answer, Answer]>([
    ['the order', 'unavailable', []],
    ['the key', [], 'unavailable'],
  ])('is not known where %s is not answered for', async (_what, byOrder, byKey) => {
    expect(await lookUp(byOrder, byKey)).toBe('unavailable');
  });

  it('has what either answer shows, and what was shown a moment ago', async () => {
    const refund = shownCharge({ id: 't3', kind: 'REFUND' });
    expect(await lookUp([shownCharge()], [foreign, refund], [shownCharge({ id: 't4' })])).toEqual([
      ...[['t1', 't4'], ['t2'], ['t1', 't2', 't3', 't4'], 'T1'],
    ]);
  });

  it('has no foreign money that is in a state that nobody knows', async () => {
    expect(await lookUp([], [{ ...foreign, state: 'other' }])).toEqual([[], [], ['t2'], 'T1']);
  });

  it.each([
    ['card', 'ach'],
    ['ach', 'card'],
  ] as const)('paid by %s is looked up by %s for foreign money under its key', async (method, other) => {
    const { deps, read } = await bareClinic({ method });
    const asked: unknown[] = [];
    let answer: Answer = [shownCharge(), foreign, { ...foreign, id: 't3', state: 'other' }];
    deps.gateway.find = async (_terminal, ...how) => {
      asked.push(how);
      return answer;
    };
    const terminal = { accountId: 7, terminalId: 'T1', sealedApiKey: '' };
    const find = async () => lookUpOtherMethod(deps, terminal, await read());
    expect(await find()).toMatchObject([{ id: 't2' }, { id: 't3' }]);
    expect(asked).toEqual([[other, { dedupeKey: '1-1' }]]);
    answer = 'unavailable';
    expect(await find()).toBe('unavailable');
  });
});

describe('two answers about one transaction', () => {
  const merged = (a: Partial<GatewayTransaction>, b: Partial<GatewayTransaction>) => {
    const [both, swapped] = [mergeLookUps([txn(a)], [txn(b)]), mergeLookUps([txn(b)], [txn(a)])];
    expect(swapped).toEqual(both);
    expect(both).toHaveLength(1);
    return both[0];
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
  ])('%s and %s come to %s, in any order', (a, b, state) => {
    expect(merged({ state: a }, { state: b })?.state).toBe(state);
  });

  it('are voided if one says so, and have no amount where they name two', () => {
    expect(merged({ isVoided: true }, {})?.isVoided).toBe(true);
    expect(merged({}, {})?.isVoided).toBe(false);
    expect(merged({ amountCents: 500 }, { amountCents: 500 })?.amountCents).toBe(500);
    expect(merged({ amountCents: 500 }, { amountCents: 501 })?.amountCents).toBeNull();
  });

  it('complete each other’s ids', () => {
    const ids = { attemptId: 'a', dedupeKey: 'k', parentId: 'p' };
    const none = { attemptId: '', dedupeKey: '', parentId: '' };
    expect(merged({ ...ids, state: 'pending' }, { ...none, state: 'approved' })).toMatchObject(ids);
    expect(merged({ ...none, state: 'pending' }, { ...ids, state: 'approved' })).toMatchObject(ids);
  });

  it('are of two where the ids differ, or are missing', () => {
    expect(mergeLookUps([txn()], [txn({ id: 't2' })]).map(({ id }) => id)).toEqual(['t1', 't2']);
    expect(mergeLookUps([txn({ id: '' })], [txn({ id: '' })])).toHaveLength(2);
  });
});

describe('another charge under an attempt’s key', () => {
  const attempt = { id: 'own', dedupeKey: 'k1' } as Attempt;
  const isForeign = (more: Partial<GatewayTransaction>) => mayBeForeignMoney(txn(more), attempt);

  it.each(['SALE', 'debit', 'FORCED SALE', ''])('is foreign money as a charge of the kind "%s"', (kind) => {
    expect(isForeign({ kind })).toBe(true);
  });

  it.each<[string, Partial<GatewayTransaction>]>([
    ['of the attempt itself', { attemptId: 'own' }],
    ['under another key', { dedupeKey: 'k2' }],
    ['that gives money back', { kind: 'REFUND' }],
    ['that was declined', { state: 'declined' }],
    ['that was returned', { state: 'returned' }],
    ['that was voided', { isVoided: true }],
  ])('is none %s', (_what, more) => {
    expect(isForeign(more)).toBe(false);
  });
});

describe('a charge', () => {
  it.each<[State, moves: boolean, isNothing: boolean]>([
    ['approved', true, false],
    ['pending', true, false],
    ['declined', false, true],
    ['returned', false, true],
    ['other', false, false],
  ])('that is %s is money (%s) or came to nothing (%s)', (state, moves, isNothing) => {
    expect([isMoney(txn({ state })), hasFailed({ state, isVoided: false })]).toEqual([moves, isNothing]);
    expect(hasFailed({ state, isVoided: true })).toBe(true);
  });
});
