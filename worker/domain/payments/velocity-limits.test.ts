import { describe, expect, it } from 'vitest';
import type { Db } from '#worker/data/db';
import type { VelocityCounts } from '#worker/data/payments/decline-counts';
import type { Deps } from '#worker/deps';
import {
  checkVelocity,
  countDeclinesEverywhere,
  countParameters,
  limitsFor,
  recordDecline,
} from './velocity-limits.ts';

const NOW = 10_000_000_000;
const HOUR_S = 3600;

function makeDeps(installation: Partial<Db> = {}) {
  const logs: [string, object?][] = [];
  const settings = {
    DECLINES_PER_LINK_HOUR: 5,
    DECLINES_PER_IP_HOUR: 10,
    DECLINES_PER_UNKNOWN_IP_HOUR: 6,
    BREAKER_MIN_ATTEMPTS: 20,
    BREAKER_WINDOW_MS: 600_000,
  };
  const addLog = (event: string, fields?: object) => void logs.push([event, fields]);
  const deps = { settings, installation, now: () => NOW, log: { info: addLog, alert: addLog } } as unknown as Deps;
  return { deps, logs };
}

const counts = (overrides: Partial<VelocityCounts> = {}): VelocityCounts => ({
  linkClosed: 0,
  ipDeclines: 0,
  recent: 0,
  recentDeclined: 0,
  ...overrides,
});
const defaultLimits = { perLinkHour: 5, perIpHour: 10, declinedElsewhere: 0 };

describe('hourly decline limits of a payer', () => {
  it.each<[string, VelocityCounts | undefined, number, object]>([
    ['are those of the settings', counts(), 0, defaultLimits],
    ['are those of the settings if nothing was counted', undefined, 3, { ...defaultLimits, declinedElsewhere: 3 }],
    ['count the declines at other clinics', counts({ ipDeclines: 2 }), 5, { ...defaultLimits, declinedElsewhere: 3 }],
    [
      'count no declines elsewhere if the total is lower than the clinic’s own',
      counts({ ipDeclines: 2 }),
      1,
      defaultLimits,
    ],
    [
      'are two if most cards fail',
      counts({ recent: 20, recentDeclined: 11 }),
      0,
      { ...defaultLimits, perLinkHour: 2, perIpHour: 2 },
    ],
    [
      'are those of the settings if half of the cards fail',
      counts({ recent: 20, recentDeclined: 10 }),
      0,
      defaultLimits,
    ],
    ['are those of the settings after few attempts', counts({ recent: 19, recentDeclined: 19 }), 0, defaultLimits],
  ])('%s', (_title, storedCounts, totalDeclines, limits) => {
    const { deps, logs } = makeDeps();
    expect(limitsFor(deps, { clientIp: 'ip' }, 7, storedCounts, totalDeclines)).toEqual(limits);
    const isTested = storedCounts?.recentDeclined === 11;
    expect(logs).toEqual(isTested ? [['card-testing-suspected', { accountId: 7, recent: 20 }]] : []);
  });

  it('are lower without a known address, and never above the settings', () => {
    const { deps } = makeDeps();
    expect(limitsFor(deps, { clientIp: null }, 7, counts(), 0)).toEqual({ ...defaultLimits, perIpHour: 6 });
    Object.assign(deps.settings, { DECLINES_PER_LINK_HOUR: 1, DECLINES_PER_IP_HOUR: 1 });
    const countsUnderTest = counts({ recent: 20, recentDeclined: 20 });
    expect(limitsFor(deps, { clientIp: 'ip' }, 7, countsUnderTest, 0)).toMatchObject({ perLinkHour: 1, perIpHour: 1 });
  });

  it('are logged with account 0 when the account is unknown', () => {
    const { deps, logs } = makeDeps();
    limitsFor(deps, { clientIp: 'ip' }, undefined, counts({ recent: 20, recentDeclined: 20 }), 0);
    expect(logs).toEqual([['card-testing-suspected', { accountId: 0, recent: 20 }]]);
  });

  it('are counted over the windows of the settings', () => {
    expect(countParameters(makeDeps().deps, 'ip')).toEqual({
      ipKey: 'ip',
      perLinkHour: 5,
      windowMs: 600_000,
      now: NOW,
    });
  });
});

describe('a payment', () => {
  it.each<[string, VelocityCounts | undefined, number, number | null]>([
    ['without any counts', undefined, 99, null],
    ['within the limits', counts({ ipDeclines: 6 }), 3, null],
    ['at the limit of its address', counts({ ipDeclines: 7 }), 3, HOUR_S],
    ['by a link that is closed', counts({ linkClosed: 1 }), 0, 24 * HOUR_S],
  ])('%s is allowed or gets a retry time', (_title, storedCounts, declinedElsewhere, retryAfterS) => {
    const refusal = checkVelocity(storedCounts, { ...defaultLimits, declinedElsewhere });
    expect(refusal).toEqual(retryAfterS === null ? null : { kind: 'too-many', retryAfterS });
  });
});

describe('declines across all clinics', () => {
  const prepare = () => {
    throw new Error('D1 is away');
  };
  const unreachableDb = { $client: { prepare } } as never;

  it('are counted for the last hour', async () => {
    const boundValues: unknown[] = [];
    const bind = (...values: unknown[]) => {
      boundValues.push(values);
      return { first: async () => ({ n: 4 }) };
    };
    const { deps } = makeDeps({ $client: { prepare: () => ({ bind }) } } as never);
    expect(await countDeclinesEverywhere(deps, 'ip')).toBe(4);
    expect(boundValues).toEqual([['ip', NOW - 3_600_000]]);
  });

  it('count as none when they cannot be read, which is logged', async () => {
    const { deps, logs } = makeDeps(unreachableDb);
    expect(await countDeclinesEverywhere(deps, 'ip')).toBe(0);
    expect(logs.map(([event]) => event)).toEqual(['declines-not-counted']);
  });

  it('omit a decline that cannot be saved, which is logged', async () => {
    const { deps, logs } = makeDeps(unreachableDb);
    await recordDecline(deps, 'ip');
    expect(logs.map(([event]) => event)).toEqual(['decline-not-recorded']);
  });
});
