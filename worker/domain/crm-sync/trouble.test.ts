import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import type { CrmFailure } from '#shared/contracts/operators/operator-values';
import { type CopyWorld, makeCopyWorld } from '#tests/support/unit/sync-world';
import { clearFaults, control, newInvoice } from '#tests/support/wire';
import { findSync } from '#worker/data/crm-sync/state';
import { crmTokens } from '#worker/data/schema/schema';
import { CrmError } from '#worker/vendors/hubspot/port';
import { pauseAfter } from './run-state.ts';
import { awaitFirstPage, readSyncState, refreshIfStale } from './state.ts';
import { MIN_GAP_MS, syncAccount, syncAccounts, syncForViewer } from './sync-accounts.ts';

afterEach(async () => {
  await clearFaults();
  await control('settings', { limits: false });
});

const injectFault = (kind: string, times: number, on = 'crm') => control('faults', { on, do: kind, times, ms: 0 });
const stateOf = (world: CopyWorld) => readSyncState(world.deps, world.accountId);

/** Makes the CRM refuse the next `times` requests for changes. */
function refuseChanges(world: CopyWorld, times: number, reason: CrmFailure, retryAfterMs: number | null = null) {
  const { listChanged } = world.deps.crm;
  let remainingRefusals = times;
  world.deps.crm.listChanged = async (...values) => {
    const answer = listChanged(...values);
    if (remainingRefusals-- <= 0) return answer;
    await answer.catch(() => undefined);
    throw new CrmError(reason, 'refused by the test', retryAfterMs);
  };
}

describe('a sync while the CRM fails', () => {
  it.each(['429', '500', 'html-502', 'drop-before', 'drop-after', 'bad-json', '401-expired', 'redirect'])(
    'loses no record when some CRM requests fail with %s',
    async (kind) => {
      const world = await makeCopyWorld();
      const { listRecords, readRecords } = world.deps.crm;
      let requests = 0;
      const failEveryThird = async <T>(answer: () => Promise<T>): Promise<T> => {
        if (++requests % 3 === 0) await injectFault(kind, 1);
        return answer();
      };
      world.deps.crm.listRecords = (...values) => failEveryThird(() => listRecords(...values));
      world.deps.crm.readRecords = (...values) => failEveryThird(() => readRecords(...values));
      let outcome = await world.sync();
      for (let turn = 0; turn < 5 && outcome !== 'finished'; turn++) {
        world.clock.ahead += 15_000;
        outcome = await world.sync();
      }
      expect(outcome).toBe('finished');
      expect(requests).toBeGreaterThan(6);
      expect(await world.invoices()).toHaveLength((await world.inCrm()).invoices);
      expect(await world.contacts()).toHaveLength((await world.inCrm()).contacts);
      expect((await stateOf(world)).isStale).toBe(false);
    },
  );

  it('calls a CRM that is down once per run, and again after a pause', async () => {
    const world = await makeCopyWorld();
    await world.sync();
    const { asOf } = await stateOf(world);
    await injectFault('500', 1000);
    world.calls.splice(0);
    expect(await world.sync()).toBe('failed');
    expect(world.calls).toHaveLength(1);
    expect(await stateOf(world)).toMatchObject({ isStale: true, asOf });
    expect(await syncAccount(world.deps, world.accountId)).toBe('busy');
    await clearFaults();
    world.clock.ahead += 5000;
    expect(await syncAccount(world.deps, world.accountId)).toBe('finished');
    const laterState = await stateOf(world);
    expect(laterState.isStale).toBe(false);
    expect(laterState.asOf).toBeGreaterThan(asOf ?? Number.POSITIVE_INFINITY);
  });

  it('sends no request until the pause that the CRM requests is over', async () => {
    const world = await makeCopyWorld();
    await world.sync();
    refuseChanges(world, 1, 'unavailable', 3_600_000);
    expect(await world.sync()).toBe('failed');
    world.calls.splice(0);
    world.clock.ahead += 3_500_000;
    expect(await syncAccount(world.deps, world.accountId)).toBe('busy');
    await syncAccounts(world.deps);
    await refreshIfStale(world.deps, world.accountId, await stateOf(world));
    expect(world.calls).toEqual([]);
    world.clock.ahead += 200_000;
    expect(await syncAccount(world.deps, world.accountId)).toBe('finished');
  });

  it('waits out a ten-second rate limit within the run', async () => {
    const world = await makeCopyWorld();
    await world.sync();
    const { listArchived } = world.deps.crm;
    let refusals = 0;
    world.deps.crm.listArchived = async (...values) => {
      if (++refusals === 1) throw new CrmError('unavailable', 'HTTP 429', 10_000);
      return listArchived(...values);
    };
    await world.makeDeletionsDue();
    const before = world.clock.ahead;
    expect(await world.sync()).toBe('finished');
    expect(world.clock.ahead - before).toBeGreaterThanOrEqual(10_000);
  });
});

describe('an account’s CRM grant', () => {
  it('is renewed once when its token expires mid-sync, and the sync completes', async () => {
    const world = await makeCopyWorld();
    const { listRecords } = world.deps.crm;
    let requests = 0;
    world.deps.crm.listRecords = async (...values) => {
      if (++requests === 2)
        await world.db.update(crmTokens).set({ expiresAt: 0 }).where(eq(crmTokens.accountId, world.accountId));
      if (requests === 2) throw new CrmError('expired', 'the access token was refused');
      return listRecords(...values);
    };
    expect(await world.sync()).toBe('finished');
    expect(world.calls.filter((call) => call === 'refreshTokens')).toHaveLength(1);
    expect(await world.invoices()).toHaveLength((await world.inCrm()).invoices);
  });

  it('stops the sync with one alert when revoked, and resumes it after reconnecting', async () => {
    const world = await makeCopyWorld();
    await world.sync();
    const { refreshTokens } = world.deps.crm;
    world.deps.crm.refreshTokens = async () => {
      throw new CrmError('revoked', 'the grant is gone');
    };
    await world.db.update(crmTokens).set({ expiresAt: 0 }).where(eq(crmTokens.accountId, world.accountId));
    world.calls.splice(0);
    for (let turn = 0; turn < 3; turn++) expect(await world.sync()).toBe('failed');
    expect(world.calls).toEqual([]);
    expect(world.logs.filter((line) => line.startsWith('ALERT'))).toEqual(['ALERT crm-grant-revoked']);
    expect((await stateOf(world)).isStale).toBe(true);
    world.deps.crm.refreshTokens = refreshTokens;
    await world.connect();
    expect(await world.sync()).toBe('finished');
    expect((await stateOf(world)).isStale).toBe(false);
  });

  it('is logged once and not retried at every turn when it lacks a scope', async () => {
    const world = await makeCopyWorld();
    await world.sync();
    refuseChanges(world, 100, 'missing-scopes');
    expect(await world.sync()).toBe('failed');
    const row = await findSync(world.deps.db, world.accountId);
    expect([row?.failure, row?.failingSince]).toEqual(['missing-scopes', expect.any(Number)]);
    world.clock.ahead += 60_000;
    expect(await syncAccount(world.deps, world.accountId)).toBe('busy');
    expect(await world.sync()).toBe('failed');
    expect(world.logs.filter((line) => line === 'crm-scope-missing')).toHaveLength(1);
  });
});

describe('an account’s CRM rate limit', () => {
  it('is used evenly up to 60%, then not until its window ends', () => {
    const pauseWith = (remaining: number) => pauseAfter({ max: 110, remaining, windowMs: 10_000 });
    expect(pauseWith(109)).toBe(0);
    expect(pauseWith(80)).toBe(Math.ceil(10_000 / 66));
    expect(pauseWith(44)).toBe(Math.ceil(10_000 / 66));
    expect(pauseWith(43)).toBe(10_000);
    expect(pauseWith(0)).toBe(10_000);
  });

  it('allows at most three searches a second, since search answers report no limit', () => {
    expect(pauseAfter(null)).toBeGreaterThanOrEqual(1000 / 3);
  });
});

describe('many concurrent requests', () => {
  it('call a CRM that is down only once in five seconds, even 50 at a time', async () => {
    const world = await makeCopyWorld();
    await newInvoice({}, world.accountId);
    await world.sync();
    await injectFault('500', 100_000);
    const { asOf } = await stateOf(world);
    for (let round = 0; round < 4; round++) {
      world.clock.ahead += 5000;
      world.calls.splice(0);
      const states = await Promise.all(
        Array.from({ length: 50 }, async () => {
          const state = await stateOf(world);
          await refreshIfStale(world.deps, world.accountId, state);
          return stateOf(world);
        }),
      );
      expect(world.calls).toHaveLength(1);
      expect(states.filter(({ isStale }) => isStale).length).toBeGreaterThan(0);
      expect(new Set(states.map((state) => state.asOf))).toEqual(new Set([asOf]));
      expect((await stateOf(world)).isStale).toBe(true);
    }
  });

  it('sync an account only once', async () => {
    const world = await makeCopyWorld();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => syncAccount(world.deps, world.accountId)));
    expect(outcomes.filter((outcome) => outcome !== 'busy')).toEqual(['finished']);
  });

  it('show an empty account’s newest records at once after a single read', async () => {
    const world = await makeCopyWorld();
    const id = await newInvoice({}, world.accountId);
    const results = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const state = await stateOf(world);
        const refresh = refreshIfStale(world.deps, world.accountId, state);
        const firstPage = await awaitFirstPage(
          { ...world.deps, pause: () => new Promise((r) => setTimeout(r, 20)) },
          world.accountId,
        );
        const row = await world.invoice(id);
        await refresh;
        return [firstPage.isEmpty, row?.contactEmail !== ''];
      }),
    );
    expect(new Set(results.map(String))).toEqual(new Set(['false,true']));
    expect(world.calls.filter((call) => call === 'listNewest invoices')).toHaveLength(1);
  });

  it('do not wait for an empty account when its CRM is down', async () => {
    const world = await makeCopyWorld();
    await injectFault('500', 100_000);
    await refreshIfStale(world.deps, world.accountId, await stateOf(world));
    const before = world.clock.ahead;
    expect(await awaitFirstPage(world.deps, world.accountId)).toMatchObject({ isEmpty: true, isStale: true });
    expect(world.clock.ahead - before).toBe(0);
    expect(world.calls).toEqual(['listNewest invoices']);
  });
});

describe('the sync schedule', () => {
  it('runs every minute only while someone views the records, otherwise every ten minutes', async () => {
    const world = await makeCopyWorld();
    const { SYNC_EVERY_MS, SYNC_IDLE_MS } = world.deps.settings;
    while ((await world.copy()).completeAt === null) {
      await syncAccounts(world.deps);
      world.clock.ahead += MIN_GAP_MS;
    }
    const nextAfter = async (run: () => Promise<unknown>) => {
      await run();
      const { dueAt, requestedAt } = await world.copy();
      world.clock.ahead += dueAt - world.deps.now();
      return dueAt - requestedAt;
    };
    world.clock.ahead += SYNC_IDLE_MS;
    const pauseOfSchedule = () => nextAfter(() => syncAccounts(world.deps));
    /** A run itself takes some seconds. */
    const expectAround = (actual: number, ms: number) => {
      expect(actual).toBeGreaterThanOrEqual(ms);
      expect(actual).toBeLessThan(ms + 20_000);
    };
    expectAround(await pauseOfSchedule(), SYNC_IDLE_MS);
    expectAround(await nextAfter(() => syncForViewer(world.deps, world.accountId)), SYNC_EVERY_MS);
    for (let minute = 0; minute < 4; minute++) expectAround(await pauseOfSchedule(), SYNC_EVERY_MS);
    expectAround(await pauseOfSchedule(), SYNC_IDLE_MS);
  });

  it('syncs every account that is due, and none before its time', async () => {
    const [harbor, cedar] = [await makeCopyWorld(1), await makeCopyWorld(2)];
    await syncAccounts(harbor.deps);
    for (let turn = 0; turn < 10 && (await cedar.copy()).completeAt === null; turn++) {
      harbor.clock.ahead += 6000;
      await syncAccounts(harbor.deps);
    }
    expect((await harbor.copy()).completeAt).not.toBeNull();
    expect((await cedar.copy()).completeAt).not.toBeNull();
    for (const world of [harbor, cedar]) expect((await world.copy()).dueAt).toBeGreaterThan(harbor.deps.now());
    const requestTimes = async () => [(await harbor.copy()).requestedAt, (await cedar.copy()).requestedAt];
    const previousTimes = await requestTimes();
    harbor.calls.splice(0);
    await syncAccounts(harbor.deps);
    expect(harbor.calls).toEqual([]);
    expect(await requestTimes()).toEqual(previousTimes);
    harbor.clock.ahead += harbor.deps.settings.SYNC_IDLE_MS + 1000;
    const dueAt = harbor.deps.now();
    await syncAccounts(harbor.deps);
    expect(harbor.calls).toContain('listChanged invoices');
    for (const at of await requestTimes()) expect(at).toBeGreaterThanOrEqual(dueAt);
  });
});
