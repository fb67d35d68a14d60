import { afterAll, expect, it } from 'vitest';
import { beforeAPerson } from './experiments/automatic-resolution.ts';
import { closesAtOnce } from './experiments/batches.ts';
import { cardTester } from './experiments/card-tester.ts';
import { manyAtOnce, sameToken } from './experiments/concurrency.ts';
import { allCrashes } from './experiments/crashes.ts';
import { changedBalance } from './experiments/crm-drift.ts';
import { brokenDatabase } from './experiments/database-faults.ts';
import { gatewayFaults, lostAnswers, sameNumber, shortChange, unreachable } from './experiments/gateway-faults.ts';
import { lateSighting } from './experiments/late-sighting.ts';
import { askedUnderWay, IMPATIENT, laterThanTheHold, lateSuccess } from './experiments/late-success.ts';
import { everyWordKept } from './experiments/load.ts';
import { lostAlarm } from './experiments/lost-alarm.ts';
import { resetObject } from './experiments/object-resets.ts';
import { anotherAmount, editedBetweenParts, equalParts, partsAtOnce } from './experiments/parts.ts';
import { cronIsFaster, manyReconcilers } from './experiments/races.ts';
import { restoredDatabase } from './experiments/restore.ts';
import { givenBackAtOnce } from './experiments/reversals.ts';
import { cutSales, deskAndLink } from './experiments/terminals.ts';
import { holderDies, tokenExpiry } from './experiments/token-expiry.ts';
import { LATER, twoVersions } from './experiments/two-versions.ts';
import { inItsOwnWorld } from './own-world.ts';
import { type Figures, figuresTable } from './report.ts';

const timeout = 1_800_000;
const found: Figures[] = [];

function expectSafe(figures: Figures) {
  found.push(figures);
  const { extraCharges, lost, violations } = figures;
  expect({ extraCharges, lost, violations }).toEqual({ extraCharges: 0, lost: 0, violations: [] });
}

afterAll(() => {
  console.log(`\n${figuresTable(found)}\n`);
});

it('charges once for any number of submits at once, where a naive payment charges more often', {
  timeout,
}, async () => {
  const figures = await inItsOwnWorld(manyAtOnce);
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});

it('sends a card token to the gateway once and answers it the same for ever', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(sameToken));
});

it('charges once and loses nothing when the Worker is killed or replaced at any point', { timeout }, async () => {
  const all: Figures[] = [];
  await inItsOwnWorld((testWorker) => allCrashes(testWorker, (figures) => all.push(figures)));
  for (const figures of all) expectSafe(figures);
});

it.each(gatewayFaults)(
  'charges once and settles the charge when the gateway answers: %s',
  { timeout },
  async (fault) => {
    expectSafe(await inItsOwnWorld((testWorker) => lostAnswers(testWorker, fault), { settings: IMPATIENT }));
  },
);

it('does not take a charge that is still under way for one that never happened, where a payment without a hold would', {
  timeout,
}, async () => {
  const figures = await inItsOwnWorld(
    (testWorker) => lateSuccess(testWorker, { dedupe: 'none', name: 'E3b reconcile before late success' }),
    { settings: IMPATIENT },
  );
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});

it.each([
  ['none', true],
  ['arrival', true],
  ['commit', false],
] as const)(
  'does not depend on the duplicate check of the gateway: %s',
  { timeout },
  async (dedupe, isDoubleWithoutHold) => {
    const figures = await inItsOwnWorld((testWorker) => lateSuccess(testWorker, { dedupe }), { settings: IMPATIENT });
    expectSafe(figures);
    expect(Number(figures.control) > 0).toBe(isDoubleWithoutHold);
  },
);

it('finds a charge that was carried out after its hold, and shows it to a person', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(laterThanTheHold, { settings: IMPATIENT }));
});

it('does not release a payment that is under way because its charge is not seen yet', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(askedUnderWay));
});

it.each(['one index lags', 'the charge is late'] as const)(
  'settles its own charge that becomes visible between two lookups: %s',
  { timeout },
  async (way) => {
    expectSafe(await inItsOwnWorld((testWorker) => lateSighting(testWorker, way), { settings: IMPATIENT }));
  },
);

it('settles a charge without a person once nothing contradicts it, and leaves all others to a person', {
  timeout,
}, async () => {
  expectSafe(await inItsOwnWorld(beforeAPerson));
});

it('never takes silence of the gateway for "not charged"', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(unreachable));
});

it('puts a charge of another amount before a person and does not settle it', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(shortChange));
});

it('never settles one charge for two invoices', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(sameNumber));
});

it('charges the balance that the CRM has now, or nothing', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(changedBalance));
});

it('charges each part once and never more in parts than the invoice comes to, where a naive payment charges more', {
  timeout,
}, async () => {
  for (const experiment of [partsAtOnce, equalParts]) {
    const figures = await inItsOwnWorld(experiment);
    expectSafe(figures);
    expect(Number(figures.control)).toBeGreaterThan(0);
  }
});

it('charges no part after the amount was edited in the CRM, where a naive payment charges one', {
  timeout,
}, async () => {
  const figures = await inItsOwnWorld(editedBetweenParts);
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});

it('takes only the same amount again for a part that may still be charged, where a naive payment is charged twice', {
  timeout,
}, async () => {
  const figures = await inItsOwnWorld(anotherAmount, { settings: IMPATIENT });
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});

it('writes all of a payment or nothing of it when the clinic’s database breaks', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(brokenDatabase));
});

it('answers every payer and loses nothing when the clinic’s object ends in the middle of a charge', {
  timeout,
}, async () => {
  expectSafe(await inItsOwnWorld(resetObject));
});

it('settles what is open when the platform has lost a clinic’s alarm, which nothing else would', {
  timeout,
}, async () => {
  const figures = await inItsOwnWorld(lostAlarm);
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});

it('takes payments by two versions of the Worker at once, whichever has more migrations', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(twoVersions, { later: LATER }));
});

it('settles each charge once with many reconcilers at work', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(manyReconcilers));
});

it('settles a charge once when the cron is faster than the Worker that made it', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(cronIsFaster));
});

it('renews an expired token once for all callers, and fails none of them', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(tokenExpiry));
});

it.each(['before-renewal', 'after-renewal'] as const)(
  'recovers within 15 seconds when the holder of a token’s lease is killed: %s',
  { timeout },
  async (point) => {
    expectSafe(await inItsOwnWorld((testWorker) => holderDies(testWorker, { point })));
  },
);

it('closes a batch once and never the next one, for any number of presses at once', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(closesAtOnce));
});

it('refunds no more than was paid, and records what the gateway refunded, for any number of requests at once', {
  timeout,
}, async () => {
  expectSafe(await inItsOwnWorld(givenBackAtOnce));
});

it('lets only one of a terminal and a payer have an invoice that both want at the same moment', {
  timeout,
}, async () => {
  const figures = await inItsOwnWorld(deskAndLink);
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});

it('charges once and loses nothing when the call to a card reader is cut anywhere', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(cutSales));
});

it('lets few stolen cards through to the gateway and nearly every honest payer pay at the same time', {
  timeout,
}, async () => {
  const figures = await inItsOwnWorld(cardTester);
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});

it('loses no payment and charges none twice when the database is put back to its state of an hour ago', {
  timeout,
}, async () => {
  const figures = await inItsOwnWorld(restoredDatabase);
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});

it('keeps every answer to a client in agreement with ledger and gateway, with one payment in twenty disturbed', {
  timeout,
}, async () => {
  expectSafe(await inItsOwnWorld(everyWordKept));
});
