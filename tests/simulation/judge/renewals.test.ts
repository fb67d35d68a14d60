import { expect, it } from 'vitest';
import type { Edit } from '#tests/money/cluster/bundle';
import { guards } from '#tests/money/guards';
import { choicesOf } from '../engine/choices.ts';
import { runSeed } from '../run.ts';
import { createSimulator } from '../simulator.ts';
import { themeOf } from '../world/themes.ts';
import { isSecondUseExcused, type Use } from './renewals.ts';

const first: Use = { task: { isOver: true }, leasedAt: 0, isDisturbed: false, answeredAt: 300, failures: 0 };
const second = (leasedAt: number): Use => ({ ...first, leasedAt, answeredAt: null });

it.each<[situation: string, isExcused: boolean, first: Partial<Use>, leasedAt: number, jumps?: number[]]>([
  ['second use at the same moment', false, {}, 0],
  ['second use while the lease is valid', false, { answeredAt: null }, 10_000],
  ['second use after the lease, first use unanswered', true, { answeredAt: null }, 10_001],
  ['second use after the lease, new tokens possibly still being written', true, {}, 25_300],
  ['second use long after the new tokens must have been written', false, {}, 1_800_000],
  ['second use long after, clock jump during the write', true, {}, 1_800_000, [100]],
  ['second use long after, clock jump after the write', false, {}, 1_800_000, [30_000]],
  ['second use long after, clock jump before the first use', false, {}, 1_800_000, [-1]],
  ['task of the first use died', true, { task: { isOver: false } }, 0],
  ['call of the first use had a fault', true, { isDisturbed: true }, 0],
  ['one write of the first use failed', false, { failures: 1 }, 0],
  ['both writes of the first use failed', true, { failures: 2 }, 0],
])(
  'the first use of a refresh token may excuse a second: %s',
  (_situation, isExcused, overrides, leasedAt, jumps = []) => {
    expect(isSecondUseExcused({ ...first, ...overrides }, second(leasedAt), jumps)).toBe(isExcused);
  },
);

const unwrittenTokens: Edit = {
  file: 'worker/data/crm-sync/tokens.ts',
  from: '.set({ ...tokens, version: row.version + 1, leaseUntil: 0 })',
  to: '.set({ leaseUntil: 0 })',
};

it.each([
  ['two tasks may renew at once', guards.lease],
  ['the new tokens are not written', unwrittenTokens],
])(
  'a refresh token used twice is detected when %s',
  async (_defect, edit) => {
    const [brokenSimulator, intactSimulator] = [await createSimulator([edit]), await createSimulator()];
    let failingSeed: number | undefined;
    for (let seed = 1; seed <= 1_000 && failingSeed === undefined; seed++) {
      // In other themes two renewals at once are rare.
      if (!themeOf(choicesOf(seed))?.isTokenOld) continue;
      const { violations } = await runSeed(brokenSimulator, seed);
      if (violations.some((violation) => violation.startsWith('G:'))) failingSeed = seed;
    }
    expect(failingSeed).toBeDefined();
    expect((await runSeed(intactSimulator, failingSeed ?? 1)).violations).toEqual([]);
  },
  300_000,
);
