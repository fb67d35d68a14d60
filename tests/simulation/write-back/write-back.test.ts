import { afterEach, expect, test } from 'vitest';
import { randomFrom } from '#tests/support/seeded-random';
import { type Account, openAccount, type Paid, type Payments, sumsOf } from './account.ts';

/** The scale of the requirement; links of new records lag by up to 90 s all the while. */
const PAYMENTS = 500;
const MINUTE = 60_000;
const LONGEST_LAG = 90_000;

const opened: Account[] = [];
afterEach(async () => {
  for (const account of opened.splice(0)) await account.close();
});

async function open(payments: Payments, seed: number) {
  const random = randomFrom(seed).next;
  const account = await openAccount(payments, random);
  opened.push(account);
  return { account, random };
}

/** No moment at which the CRM says that more was taken, or more is left, than is so. */
async function expectNeverMore(account: Account, payments: Paid[]) {
  const sums = sumsOf(await account.records());
  for (const { invoiceId, cents } of payments) {
    const { n, taken } = sums.get(invoiceId) ?? { n: 0, taken: 0 };
    expect(n, `records of invoice ${invoiceId}`).toBeLessThanOrEqual(1);
    expect(taken, `taken for invoice ${invoiceId}`).toBeLessThanOrEqual(cents);
  }
  return sums;
}

/** Payments come in over an hour or more, some of them are given back, and then it is quiet. */
async function live(account: Account, random: () => number, count: number): Promise<Paid[]> {
  const payments: Paid[] = [];
  for (let tick = 0; payments.length < count; tick++) {
    await account.lag(Math.floor(random() * LONGEST_LAG));
    for (let n = 0; n < 8 && payments.length < count; n++)
      payments.push(await account.pay(payments.length, 1000 + Math.floor(random() * 90_000)));
    const one = payments[Math.floor(random() * payments.length)];
    if (one && random() < 0.6) {
      const left = one.cents - one.givenBack;
      const amount = random() < 0.5 ? left : Math.ceil(left / 3);
      if (amount > 0) await account.giveBack(one, amount);
    }
    await account.pass(20_000);
    if (tick % 10 === 0) await expectNeverMore(account, payments);
  }
  for (let minute = 0; minute < 240; minute += 2) {
    await account.pass(2 * MINUTE);
    if ((await account.rows()).every(({ state }) => !['due', 'sent'].includes(state))) break;
  }
  return payments;
}

const statesOf = async (account: Account) => {
  const counts: Record<string, number> = {};
  for (const { kind, state } of await account.rows())
    counts[`${kind} ${state}`] = (counts[`${kind} ${state}`] ?? 0) + 1;
  return counts;
};

test('500 payments through faults, resets and links that lag end in one record each, of what was taken and is left', async () => {
  const { account, random } = await open('on', 20_261_123);
  const payments = await live(account, random, PAYMENTS);
  const sums = await expectNeverMore(account, payments);
  const given = payments.filter(({ cents, givenBack }) => givenBack === cents && !sums.has('')).length;
  for (const { invoiceId, cents, givenBack } of payments) {
    const sum = sums.get(invoiceId);
    // Only one that was given back in full before its turn came has none.
    if (!sum) expect(givenBack, `invoice ${invoiceId} has no record`).toBe(cents);
    else expect(sum).toEqual({ n: 1, taken: cents, left: cents - givenBack });
  }
  const { met } = account.line;
  console.log(
    `write-back on: ${JSON.stringify(await statesOf(account))}, given back in full: ${given}, ${JSON.stringify(met)}`,
  );
  expect(met.lostBefore * met.lostAfter * met.resets).toBeGreaterThan(0);
  expect((await account.rows()).filter(({ state }) => state === 'unknown')).toEqual([]);
}, 300_000);

test('where a record moves no balance, none is ever asked for a second time after a lost call', async () => {
  const { account, random } = await open('record-only', 42);
  const payments = await live(account, random, 150);
  await expectNeverMore(account, payments);
  const counts = await statesOf(account);
  console.log(`write-back record-only: ${JSON.stringify(counts)}, ${JSON.stringify(account.line.met)}`);
  expect(counts['payment written']).toBeGreaterThan(90);
  expect(counts['payment unknown']).toBeGreaterThan(0);
  expect((await account.rows()).filter(({ state, effect }) => state === 'written' && effect === 'paid')).toEqual([]);
}, 300_000);

test('an account that takes no records is asked once, and says why', async () => {
  const { account } = await open('off', 7);
  account.line.met.isOn = false;
  for (let n = 0; n < 20; n++) await account.pay(n, 5000);
  for (let minute = 0; minute < 30; minute++) await account.pass(MINUTE);
  expect(account.line.met.creates).toBe(1);
  expect(account.settings()).toMatchObject({ state: 'cannot', said: expect.stringContaining('must be set up') });
});
