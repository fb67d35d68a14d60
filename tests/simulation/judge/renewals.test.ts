import { expect, it } from 'vitest';
import type { Edit } from '#tests/money/cluster/bundle';
import { guards } from '#tests/money/guards';
import { choicesOf } from '../engine/choices.ts';
import { runSeed } from '../run.ts';
import { createSimulator } from '../simulator.ts';
import { themeOf } from '../world/themes.ts';
import { excuses, type Use } from './renewals.ts';

const first: Use = { task: { isOver: true }, leasedAt: 0, isBent: false, heardAt: 300, failures: 0 };
const second = (leasedAt: number): Use => ({ ...first, leasedAt, heardAt: null });

it.each<[what: string, isExcused: boolean, first: Partial<Use>, leasedAt: number, jumps?: number[]]>([
  ['at the same moment', false, {}, 0],
  ['while the lease stands', false, { heardAt: null }, 10_000],
  ['after the lease, and nothing was heard of the first', true, { heardAt: null }, 10_001],
  ['after the lease, while the new tokens may still be on their way', true, {}, 25_300],
  ['long after the new tokens must have been written', false, {}, 1_800_000],
  ['the same, and the clock had jumped', true, {}, 1_800_000, [100]],
  ['the same, and the clock jumped later', false, {}, 1_800_000, [30_000]],
  ['the clock had jumped before', false, {}, 1_800_000, [-1]],
  ['whose holder died', true, { task: { isOver: false } }, 0],
  ['whose call went wrong', true, { isBent: true }, 0],
  ['of which one write failed', false, { failures: 1 }, 0],
  ['of which both writes failed', true, { failures: 2 }, 0],
])(
  'decides whether the first use of a refresh token excuses a second: %s',
  (_what, isExcused, own, leasedAt, jumps = []) => {
    expect(excuses({ ...first, ...own }, second(leasedAt), jumps)).toBe(isExcused);
  },
);

const neverWritten: Edit = {
  file: 'worker/data/crm-sync/tokens.ts',
  from: '.set({ ...tokens, version: row.version + 1, leaseUntil: 0 })',
  to: '.set({ leaseUntil: 0 })',
};

it.each([
  ['two may renew at once', guards.lease],
  ['the new tokens are not written', neverWritten],
])(
  'detects a refresh token used twice when %s',
  async (_what, edit) => {
    const [broken, product] = [await createSimulator([edit]), await createSimulator()];
    let found: number | undefined;
    for (let seed = 1; seed <= 1_000 && found === undefined; seed++) {
      // The others hardly ever renew twice at once.
      if (!themeOf(choicesOf(seed))?.isTokenOld) continue;
      const { violations } = await runSeed(broken, seed);
      if (violations.some((violation) => violation.startsWith('G:'))) found = seed;
    }
    expect(found).toBeDefined();
    expect((await runSeed(product, found ?? 1)).violations).toEqual([]);
  },
  300_000,
);
