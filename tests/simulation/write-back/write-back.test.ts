import { expect, test } from 'vitest';
import { openAccount } from './account.ts';
import { type RunResult, runPayments, runs } from './runs.ts';

const MINUTE = 60_000;

function report(name: string, { states, faults }: RunResult): void {
  console.log(`write-back ${name}: ${JSON.stringify(states)}, ${JSON.stringify(faults)}`);
}

test('payments get one correct record each despite faults, resets and lagging links', async () => {
  const result = await runPayments(runs.on);
  report('on', result);
  expect(result.violations).toEqual([]);
  expect(Object.values(result.faults)).not.toContain(0);
}, 300_000);

test('two installments of one invoice get two records', async () => {
  const result = await runPayments(runs.parts);
  report('parts', result);
  expect(result.violations).toEqual([]);
}, 300_000);

test('the balance due prevents a duplicate record when links lag longer than both look-ups', async () => {
  const result = await runPayments(runs.late);
  report('late', result);
  expect(result.violations).toEqual([]);
  expect(result.states['payment written']).toBeGreaterThan(90);
}, 300_000);

test('a payment is not recorded again when staff already entered it in the CRM', async () => {
  const result = await runPayments(runs.desk);
  report('desk', result);
  expect(result.violations).toEqual([]);
  expect(result.states['payment unknown']).toBeGreaterThan(10);
}, 300_000);

test('a record that moves no balance is never requested again after a lost call', async () => {
  const result = await runPayments(runs.recordOnly);
  report('record-only', result);
  expect(result.violations).toEqual([]);
  expect(result.states['payment written']).toBeGreaterThan(90);
  expect(result.states['payment unknown']).toBeGreaterThan(0);
  expect(result.rows.filter(({ state, effect }) => state === 'written' && effect === 'paid')).toEqual([]);
}, 300_000);

test('an account that accepts no records is tried once, and the reason is saved', async () => {
  const account = await openAccount('off', () => 1);
  try {
    for (let n = 0; n < 20; n++) await account.pay(n, 5000);
    await account.pass(30 * MINUTE);
    expect(account.line.faults.creates).toBe(1);
    expect(account.settings()).toMatchObject({ state: 'cannot', said: expect.stringContaining('must be set up') });
  } finally {
    await account.close();
  }
});
