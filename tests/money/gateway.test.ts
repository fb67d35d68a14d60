import { expect, it } from 'vitest';
import { automaticResolution } from './experiments/automatic-resolution.ts';
import {
  answerOfAnotherSale,
  gatewayFaults,
  lostAnswers,
  unreachable,
  wrongAmount,
} from './experiments/gateway-faults.ts';
import { lateSighting } from './experiments/late-sighting.ts';
import { chargeAfterHold, IMPATIENT, lateSuccess, retryUnderWay } from './experiments/late-success.ts';
import { runInOwnWorld } from './own-world.ts';
import { makeSafetyCheck, timeout } from './safe.ts';

const expectSafe = makeSafetyCheck();

it.each(gatewayFaults)(
  'charges once and settles the charge when the gateway answers: %s',
  { timeout },
  async (fault) => {
    expectSafe(await runInOwnWorld((testWorker) => lostAnswers(testWorker, fault), { settings: IMPATIENT }));
  },
);

it('does not treat a charge still under way as never made, unlike a payment without a hold', {
  timeout,
}, async () => {
  const figures = await runInOwnWorld(
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
    const figures = await runInOwnWorld((testWorker) => lateSuccess(testWorker, { dedupe }), { settings: IMPATIENT });
    expectSafe(figures);
    expect(Number(figures.control) > 0).toBe(isDoubleWithoutHold);
  },
);

it('finds a charge carried out after its hold ended and puts it into manual review', { timeout }, async () => {
  expectSafe(await runInOwnWorld(chargeAfterHold, { settings: IMPATIENT }));
});

it('does not release a payment under way while its charge is not yet visible', { timeout }, async () => {
  expectSafe(await runInOwnWorld(retryUnderWay));
});

it.each(['one index lags', 'the charge is late'] as const)(
  'settles its own charge that becomes visible between two lookups: %s',
  { timeout },
  async (way) => {
    expectSafe(await runInOwnWorld((testWorker) => lateSighting(testWorker, way), { settings: IMPATIENT }));
  },
);

it('settles a charge automatically if nothing contradicts it, and leaves all others to manual review', {
  timeout,
}, async () => {
  expectSafe(await runInOwnWorld(automaticResolution));
});

it('never treats an unreachable gateway as "not charged"', { timeout }, async () => {
  expectSafe(await runInOwnWorld(unreachable));
});

it('puts a charge of a different amount into manual review instead of settling it', { timeout }, async () => {
  expectSafe(await runInOwnWorld(wrongAmount));
});

it('does not settle a payment on the answer to another sale', { timeout }, async () => {
  expectSafe(await runInOwnWorld(answerOfAnotherSale));
});
