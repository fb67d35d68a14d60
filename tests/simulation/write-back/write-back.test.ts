import { expect, test } from 'vitest';
import { openAccount } from './account.ts';
import { live, runs, type Told } from './runs.ts';

const MINUTE = 60_000;

function report(name: string, { states, met }: Told): void {
  console.log(`write-back ${name}: ${JSON.stringify(states)}, ${JSON.stringify(met)}`);
}

test('payments get one correct record each despite faults, resets and lagging links', async () => {
  const told = await live(runs.on);
  report('on', told);
  expect(told.broken).toEqual([]);
  expect(Object.values(told.met)).not.toContain(0);
}, 300_000);

test('two installments of one invoice get two records', async () => {
  const told = await live(runs.parts);
  report('parts', told);
  expect(told.broken).toEqual([]);
}, 300_000);

test('the balance due prevents a duplicate record when links lag longer than both look-ups', async () => {
  const told = await live(runs.late);
  report('late', told);
  expect(told.broken).toEqual([]);
  expect(told.states['payment written']).toBeGreaterThan(90);
}, 300_000);

test('nothing is recorded twice when staff already entered it in the CRM', async () => {
  const told = await live(runs.desk);
  report('desk', told);
  expect(told.broken).toEqual([]);
  expect(told.states['payment unknown']).toBeGreaterThan(10);
}, 300_000);

test('a record that moves no balance is never requested again after a lost call', async () => {
  const told = await live(runs.recordOnly);
  report('record-only', told);
  expect(told.broken).toEqual([]);
  expect(told.states['payment written']).toBeGreaterThan(90);
  expect(told.states['payment unknown']).toBeGreaterThan(0);
  expect(told.rows.filter(({ state, effect }) => state === 'written' && effect === 'paid')).toEqual([]);
}, 300_000);

test('an account that accepts no records is tried once, and the reason is saved', async () => {
  const account = await openAccount('off', () => 1);
  try {
    for (let n = 0; n < 20; n++) await account.pay(n, 5000);
    await account.pass(30 * MINUTE);
    expect(account.line.met.creates).toBe(1);
    expect(account.settings()).toMatchObject({ state: 'cannot', said: expect.stringContaining('must be set up') });
  } finally {
    await account.close();
  }
});
