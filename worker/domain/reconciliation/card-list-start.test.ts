import { beforeEach, describe, expect, it } from 'vitest';
import { batch } from '#tests/support/unit/press-close';
import { ACCOUNT, add, addClinic } from '#tests/support/unit/rows';
import { depsWithGateway, NOW } from '#tests/support/unit/shown-gateway';
import type { Deps } from '#worker/deps';
import { fromUnsettled, lookUpUnsettled } from './missing.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const USUAL = NOW - 3 * DAY;

beforeEach(() => addClinic({}, 't1'));

/** Adds `count` approved card transactions, the oldest from nine days ago. */
async function addMany(count: number, overrides: Record<string, unknown> = {}) {
  const txn = { method: 'card', state: 'approved', terminal_id: 't1', batch_id: '7', seen_at: 1 };
  for (let n = 0; n < count; n++)
    await add('gateway_transactions', { provider_txn_id: `g${n}`, ...txn, at: NOW - 9 * DAY + n, ...overrides });
}

function world(settledAt: number | null = null) {
  const { deps, requests } = depsWithGateway([]);
  let listed = 0;
  const listBatches = async () => {
    listed += 1;
    return [{ ...batch('7', settledAt === null ? ('open' as const) : ('closed' as const)), settledAt }];
  };
  const worldDeps = { ...deps, gateway: { ...deps.gateway, listBatches } } as unknown as Deps;
  return { deps: worldDeps, requests, listed: () => listed };
}

describe('the start of the nightly card list', () => {
  it('is the usual time when at most twenty cards are left to query one by one', async () => {
    await addMany(20);
    const { deps, listed } = world();
    expect([await fromUnsettled(deps, ACCOUNT, USUAL), listed()]).toEqual([USUAL, 0]);
  });

  it('is the time of the oldest card when more than twenty are left after reading their batches', async () => {
    await addMany(21);
    const { deps, listed } = world();
    expect([await fromUnsettled(deps, ACCOUNT, USUAL), listed()]).toEqual([NOW - 9 * DAY, 1]);
  });

  it('is the usual time when their batches turn out to be settled', async () => {
    await addMany(21, { seen_at: NOW - DAY });
    expect(await fromUnsettled(world(NOW - 3 * DAY).deps, ACCOUNT, USUAL)).toBe(USUAL);
  });

  it.each<[string, Record<string, unknown>, boolean]>([
    ['the provider no longer keeps them', { at: NOW - 92 * DAY - 1 }, false],
    ['the provider still keeps them', { at: NOW - 92 * DAY }, true],
    ['they were seen this night', { seen_at: NOW - 12 * HOUR }, false],
    ['they were seen the night before', { seen_at: NOW - 12 * HOUR - 1 }, true],
    ['they are listed anyway', { at: USUAL }, false],
  ])('moves back for more than twenty cards when %s: %s', async (_title, overrides, isEarlier) => {
    await addMany(21, overrides);
    expect((await fromUnsettled(world().deps, ACCOUNT, USUAL)) < USUAL).toBe(isEarlier);
  });
});

describe('the check of unlisted cards', () => {
  it('queries twenty of them one by one after reading their batches', async () => {
    await addMany(21);
    const { deps, requests, listed } = world();
    await lookUpUnsettled(deps, ACCOUNT, USUAL);
    expect([requests.length, listed()]).toEqual([20, 1]);
    expect(requests).toContainEqual({ providerTxnId: 'g0' });
  });

  it('queries nothing when there are no unlisted cards', async () => {
    const { deps, requests, listed } = world();
    await lookUpUnsettled(deps, ACCOUNT, USUAL);
    expect([requests, listed()]).toEqual([[], 0]);
  });
});
