import { beforeEach, describe, expect, it } from 'vitest';
import { batch } from '#tests/support/unit/press-close';
import { ACCOUNT, add, addClinic } from '#tests/support/unit/rows';
import { depsWithGateway, NOW } from '#tests/support/unit/shown-gateway';
import type { Deps } from '#worker/deps';
import { cardListStart, lookUpUnsettled } from './missing-or-unsettled.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const USUAL_START = NOW - 3 * DAY;

beforeEach(() => addClinic({}, 't1'));

/** Adds `count` approved card transactions, the oldest from nine days ago. */
async function addMany(count: number, overrides: Record<string, unknown> = {}) {
  const txn = { method: 'card', state: 'approved', terminal_id: 't1', batch_id: '7', seen_at: 1 };
  for (let n = 0; n < count; n++)
    await add('gateway_transactions', { provider_txn_id: `g${n}`, ...txn, at: NOW - 9 * DAY + n, ...overrides });
}

function makeWorld(settledAt: number | null = null) {
  const { deps, requests } = depsWithGateway([]);
  let listCalls = 0;
  const listBatches = async () => {
    listCalls += 1;
    return [{ ...batch('7', settledAt === null ? ('open' as const) : ('closed' as const)), settledAt }];
  };
  const worldDeps = { ...deps, gateway: { ...deps.gateway, listBatches } } as unknown as Deps;
  return { deps: worldDeps, requests, listed: () => listCalls };
}

describe('the start of the nightly card list', () => {
  it('is the usual time when at most twenty cards are left to query one by one', async () => {
    await addMany(20);
    const { deps, listed } = makeWorld();
    expect([await cardListStart(deps, ACCOUNT, USUAL_START), listed()]).toEqual([USUAL_START, 0]);
  });

  it('is the time of the oldest card when more than twenty are left after reading their batches', async () => {
    await addMany(21);
    const { deps, listed } = makeWorld();
    expect([await cardListStart(deps, ACCOUNT, USUAL_START), listed()]).toEqual([NOW - 9 * DAY, 1]);
  });

  it('is the usual time when their batches turn out to be settled', async () => {
    await addMany(21, { seen_at: NOW - DAY });
    expect(await cardListStart(makeWorld(NOW - 3 * DAY).deps, ACCOUNT, USUAL_START)).toBe(USUAL_START);
  });

  it.each<[string, Record<string, unknown>, boolean]>([
    ['the provider no longer keeps them', { at: NOW - 92 * DAY - 1 }, false],
    ['the provider still keeps them', { at: NOW - 92 * DAY }, true],
    ['they were seen this night', { seen_at: NOW - 12 * HOUR }, false],
    ['they were seen the night before', { seen_at: NOW - 12 * HOUR - 1 }, true],
    ['they are listed anyway', { at: USUAL_START }, false],
  ])('moves back for more than twenty cards when %s: %s', async (_title, overrides, isEarlier) => {
    await addMany(21, overrides);
    expect((await cardListStart(makeWorld().deps, ACCOUNT, USUAL_START)) < USUAL_START).toBe(isEarlier);
  });
});

describe('the check of unlisted cards', () => {
  it('queries twenty of them one by one after reading their batches', async () => {
    await addMany(21);
    const { deps, requests, listed } = makeWorld();
    await lookUpUnsettled(deps, ACCOUNT, USUAL_START);
    expect([requests.length, listed()]).toEqual([20, 1]);
    expect(requests).toContainEqual({ providerTxnId: 'g0' });
  });

  it('queries nothing when there are no unlisted cards', async () => {
    const { deps, requests, listed } = makeWorld();
    await lookUpUnsettled(deps, ACCOUNT, USUAL_START);
    expect([requests, listed()]).toEqual([[], 0]);
  });
});
