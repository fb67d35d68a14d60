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

it('does not treat a charge still under way as never made, unlike a payment without a hold', {
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
  'does not depend on the gateway’s duplicate check: %s',
  { timeout },
  async (dedupe, isDoubleWithoutHold) => {
    const figures = await inItsOwnWorld((testWorker) => lateSuccess(testWorker, { dedupe }), { settings: IMPATIENT });
    expectSafe(figures);
    expect(Number(figures.control) > 0).toBe(isDoubleWithoutHold);
  },
);

it('finds a charge carried out after its hold ended and puts it into manual review', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(laterThanTheHold, { settings: IMPATIENT }));
});

it('does not release a payment under way while its charge is not yet visible', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(askedUnderWay));
});

it.each(['one index lags', 'the charge is late'] as const)(
  'settles its own charge that becomes visible between two lookups: %s',
  { timeout },
  async (way) => {
    expectSafe(await inItsOwnWorld((testWorker) => lateSighting(testWorker, way), { settings: IMPATIENT }));
  },
);

it('settles a charge automatically if nothing contradicts it, and leaves all others to manual review', {
  timeout,
}, async () => {
  expectSafe(await inItsOwnWorld(beforeAPerson));
});

it('never treats an unreachable gateway as "not charged"', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(unreachable));
});

it('puts a charge of a different amount into manual review instead of settling it', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(shortChange));
});

it('does not settle a payment on the answer to another sale', { timeout }, async () => {
  expectSafe(await inItsOwnWorld(anothersAnswer));
});
