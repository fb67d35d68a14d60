import { expect, it } from 'vitest';
import { beforeAPerson } from './experiments/automatic-resolution.ts';
import { anothersAnswer, gatewayFaults, lostAnswers, shortChange, unreachable } from './experiments/gateway-faults.ts';
import { lateSighting } from './experiments/late-sighting.ts';
import { askedUnderWay, IMPATIENT, laterThanTheHold, lateSuccess } from './experiments/late-success.ts';
import { inItsOwnWorld } from './own-world.ts';
import { tableOfSafe, timeout } from './safe.ts';

const expectSafe = tableOfSafe();

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

it("does not settle a payment on another sale's answer", { timeout }, async () => {
  expectSafe(await inItsOwnWorld(anothersAnswer));
});
