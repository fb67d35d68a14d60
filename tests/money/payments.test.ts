import { expect, it } from 'vitest';
import { closesAtOnce } from './experiments/batches.ts';
import { cardTester } from './experiments/card-tester.ts';
import { manyAtOnce, sameToken } from './experiments/concurrency.ts';
import { changedBalance } from './experiments/crm-drift.ts';
import { sameNumber } from './experiments/gateway-faults.ts';
import { IMPATIENT } from './experiments/late-success.ts';
import { everyWordKept } from './experiments/load.ts';
import { anotherAmount, editedBetweenParts, equalParts, partsAtOnce } from './experiments/parts.ts';
import { givenBackAtOnce } from './experiments/reversals.ts';
import { deskAndLink } from './experiments/terminals.ts';
import { inItsOwnWorld } from './own-world.ts';
import { tableOfSafe, timeout } from './safe.ts';

const expectSafe = tableOfSafe();

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

it('lets few stolen cards through to the gateway and nearly every honest payer pay at the same time', {
  timeout,
}, async () => {
  const figures = await inItsOwnWorld(cardTester);
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});

it('keeps every answer to a client in agreement with ledger and gateway, with one payment in twenty disturbed', {
  timeout,
}, async () => {
  expectSafe(await inItsOwnWorld(everyWordKept));
});
