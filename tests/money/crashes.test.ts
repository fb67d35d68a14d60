import { expect, it } from 'vitest';
import { allCrashes } from './experiments/crashes.ts';
import { brokenDatabase } from './experiments/database-faults.ts';
import { lostAlarm } from './experiments/lost-alarm.ts';
import { resetObject } from './experiments/object-resets.ts';
import { fasterCron, manyReconcilers, twoSenders } from './experiments/races.ts';
import { restoredDatabase } from './experiments/restore.ts';
import { cutSales } from './experiments/terminals.ts';
import { killLeaseHolder, tokenExpiry } from './experiments/token-expiry.ts';
import { LATER, twoVersions } from './experiments/two-versions.ts';
import { runInOwnWorld } from './own-world.ts';
import type { Figures } from './report.ts';
import { makeSafetyCheck, timeout } from './safe.ts';

const expectSafe = makeSafetyCheck();

it('charges once and loses nothing when the Worker is killed or replaced at any point', { timeout }, async () => {
  const allFigures: Figures[] = [];
  await runInOwnWorld((testWorker) => allCrashes(testWorker, (figures) => allFigures.push(figures)));
  for (const figures of allFigures) expectSafe(figures);
});

it('writes all of a payment or none of it when the clinic’s database breaks', { timeout }, async () => {
  expectSafe(await runInOwnWorld(brokenDatabase));
});

it('answers every payer and loses nothing when the clinic’s Durable Object ends during a charge', {
  timeout,
}, async () => {
  expectSafe(await runInOwnWorld(resetObject));
});

it('settles open payments when the platform lost a clinic’s alarm', {
  timeout,
}, async () => {
  const figures = await runInOwnWorld(lostAlarm);
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});

it('takes payments with two Worker versions at once, whichever has more migrations', { timeout }, async () => {
  expectSafe(await runInOwnWorld(twoVersions, { later: LATER }));
});

it('settles each charge once with many reconcilers running', { timeout }, async () => {
  expectSafe(await runInOwnWorld(manyReconcilers));
});

it('settles a charge once when the cron is faster than the Worker that made it', { timeout }, async () => {
  expectSafe(await runInOwnWorld(fasterCron));
});

it('sends a receipt once when two senders reach it at the same time', { timeout }, async () => {
  expectSafe(await runInOwnWorld(twoSenders));
});

it('renews an expired token once for all callers and fails none of them', { timeout }, async () => {
  expectSafe(await runInOwnWorld(tokenExpiry));
});

it.each(['before-renewal', 'after-renewal'] as const)(
  'recovers within 15 seconds when the holder of a token’s lease is killed: %s',
  { timeout },
  async (point) => {
    expectSafe(await runInOwnWorld((testWorker) => killLeaseHolder(testWorker, { point })));
  },
);

it('charges once and loses nothing when the call to a card reader is cut at any point', { timeout }, async () => {
  expectSafe(await runInOwnWorld(cutSales));
});

it('loses no payment and charges none twice when the database is restored to its state of an hour ago', {
  timeout,
}, async () => {
  const figures = await runInOwnWorld(restoredDatabase);
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});
