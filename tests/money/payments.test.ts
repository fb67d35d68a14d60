import { expect, it } from 'vitest';
import { concurrentCloses } from './experiments/batches.ts';
import { cardTester } from './experiments/card-tester.ts';
import { concurrentSubmits, sameToken } from './experiments/concurrency.ts';
import { changedBalance } from './experiments/crm-drift.ts';
import { sameNumber } from './experiments/gateway-faults.ts';
import { IMPATIENT } from './experiments/late-success.ts';
import { answersUnderLoad } from './experiments/load.ts';
import { concurrentParts, differentAmount, editedBetweenParts, equalParts } from './experiments/parts.ts';
import { concurrentReversals } from './experiments/reversals.ts';
import { deskAndLink } from './experiments/terminals.ts';
import { runInOwnWorld } from './own-world.ts';
import { makeSafetyCheck, timeout } from './safe.ts';

const expectSafe = makeSafetyCheck();

it('charges once for any number of concurrent submits, where a naive payment charges more often', {
  timeout,
}, async () => {
  const figures = await runInOwnWorld(concurrentSubmits);
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});

it('sends a card token to the gateway once and always repeats the same answer', { timeout }, async () => {
  expectSafe(await runInOwnWorld(sameToken));
});

it('never settles one charge for two invoices', { timeout }, async () => {
  expectSafe(await runInOwnWorld(sameNumber));
});

it('charges the current CRM balance or nothing', { timeout }, async () => {
  expectSafe(await runInOwnWorld(changedBalance));
});

it('charges each installment once and never more than the invoice total, where a naive payment charges more', {
  timeout,
}, async () => {
  for (const experiment of [concurrentParts, equalParts]) {
    const figures = await runInOwnWorld(experiment);
    expectSafe(figures);
    expect(Number(figures.control)).toBeGreaterThan(0);
  }
});

it('charges no installment after the CRM amount was edited, where a naive payment charges one', {
  timeout,
}, async () => {
  const figures = await runInOwnWorld(editedBetweenParts);
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});

it('accepts only the same amount while an installment may still be charged, where a naive payment charges twice', {
  timeout,
}, async () => {
  const figures = await runInOwnWorld(differentAmount, { settings: IMPATIENT });
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});

it('closes a batch once and never the next one for any number of concurrent presses', { timeout }, async () => {
  expectSafe(await runInOwnWorld(concurrentCloses));
});

it('refunds no more than was paid and records the gateway’s refunds for any number of concurrent requests', {
  timeout,
}, async () => {
  expectSafe(await runInOwnWorld(concurrentReversals));
});

it('lets only one of a terminal and a payer claim an invoice when both try at once', {
  timeout,
}, async () => {
  const figures = await runInOwnWorld(deskAndLink);
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});

it('lets few stolen cards reach the gateway while nearly every honest payer can pay', {
  timeout,
}, async () => {
  const figures = await runInOwnWorld(cardTester);
  expectSafe(figures);
  expect(Number(figures.control)).toBeGreaterThan(0);
});

it('keeps every client response consistent with ledger and gateway while one payment in twenty is disturbed', {
  timeout,
}, async () => {
  expectSafe(await runInOwnWorld(answersUnderLoad));
});
