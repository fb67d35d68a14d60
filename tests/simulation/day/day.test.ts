import { expect } from 'vitest';
import type { Edit } from '#tests/money/cluster/bundle';
import { it } from '#tests/support/complete-only';
import { bundleProduct } from '../product/load.ts';
import { liveDay } from './day.ts';
import { FEW, SMALL } from './plan.ts';
import { figuresOf, reportOf } from './report.ts';
import { resultOf } from './result.ts';

/** Hours of many clinics cost a minute and more of CPU, too much for every day, which simulates the money alone. */

const PATIENCE_MS = 1_800_000;
const missedIn = (result: ReturnType<typeof resultOf>) =>
  figuresOf(result).flatMap(({ what, isMet }) => (isMet ? [] : [what]));

it(
  'loses nothing when fifty clinics run two hours with outages, resets and revoked grants',
  async () => {
    const begun = performance.now();
    const day = await liveDay(await bundleProduct([]), SMALL, { seed: 1 });
    const result = resultOf(day, (performance.now() - begun) / 1000);
    console.log(reportOf(result));
    expect(result.verdict.freshness.looked.count).toBeGreaterThan(20);
    expect(result.verdict.nights.due).toBeGreaterThan(5);
    expect(day.staff.reversed).toBe(SMALL.refunds);
    // An hour's trouble is a larger share of two hours than of a day.
    const ofADay = 'all edits made while CRM and grant were well';
    expect(missedIn(result).filter((what) => !what.startsWith(ofADay))).toEqual([]);
  },
  PATIENCE_MS,
);

it(
  'misses the edits of clinics with lost alarms when the cron is off, and reports it',
  async () => {
    // So many that no draw of a day leaves all idle clinics their alarms.
    const lost = { seed: 2, alarmsLost: 0.3 };
    const calm = await liveDay(await bundleProduct([]), FEW, { ...lost, hasCron: false });
    const healed = await liveDay(await bundleProduct([]), FEW, lost);
    // The last edit in minutes: one that never came into the books is for ever.
    const last = (day: typeof calm) => resultOf(day, 0).verdict.freshness.idle.most;
    expect(last(calm)).toBe(Number.POSITIVE_INFINITY);
    expect(missedIn(resultOf(calm, 0))).toContain(`freshness, idle (${calm.freshness.idle.length} edits)`);
    // A turn in ten minutes, silence that is noticed after twenty, and the next cron.
    expect(last(healed)).toBeLessThan(45);
  },
  PATIENCE_MS,
);

/** No answer of the gateway is taken for a refusal, so the payer sends another token. */
const lostIsRefused: Edit = {
  file: 'worker/vendors/clearent/charge.ts',
  from: `return { kind: 'unknown', cause: reply.cause, exchangeId: '' };
  return outcomeOf(reply, request);`,
  to: `return { kind: 'rejected', reason: 'token', message: '', providerCode: '' };
  return outcomeOf(reply, request);`,
};

it(
  'charges payers twice when a lost answer is treated as a refusal, and reports it',
  async () => {
    const alone = { seed: 3, dedupe: 'none' as const };
    const broken = await liveDay(await bundleProduct([lostIsRefused]), FEW, alone);
    expect(resultOf(broken, 0).verdict.money.extra).toBeGreaterThan(0);
    const whole = await liveDay(await bundleProduct([]), FEW, alone);
    expect(resultOf(whole, 0).verdict.money).toMatchObject({ extra: 0, lost: 0, open: 0 });
  },
  PATIENCE_MS,
);
