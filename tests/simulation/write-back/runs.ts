import { complete } from '#tests/support/complete-only';
import { randomFrom } from '#tests/support/seeded-random';
import { type Account, openAccount, type Paid, type Payments } from './account.ts';
import { judgeCalls, judgeEnd, judgeNow } from './judge.ts';
import type * as product from './product.ts';

const MINUTE = 60_000;

/**
 * `lag`: minimum and maximum delay of a new record's associations (ms). `parts`: share of bills paid in two parts;
 * `desk`: share also entered in the CRM by staff. `mayNeedPerson`: some of them may end with a person.
 */
export type Run = {
  payments: Payments;
  seed: number;
  count: number;
  lag: [number, number];
  parts: number;
  desk: number;
  mayNeedPerson: boolean;
};

const usual: Run = {
  payments: 'on',
  seed: 7,
  count: 150,
  lag: [0, 90_000],
  parts: 0,
  desk: 0,
  mayNeedPerson: false,
};

/** The size that the requirement names; associations of new records lag by up to 90 s throughout. */
export const runs = {
  on: { ...usual, seed: 20_261_123, count: complete ? 500 : 200 },
  parts: { ...usual, parts: 0.5 },
  // Longer than both look-ups: until then only the balance shows that a record exists.
  late: { ...usual, seed: 11, lag: [10 * MINUTE, 20 * MINUTE], parts: 0.5, mayNeedPerson: true },
  desk: { ...usual, seed: 5, desk: 0.2, mayNeedPerson: true },
  recordOnly: { ...usual, seed: 42, payments: 'record-only', mayNeedPerson: true },
} satisfies Record<string, Run>;

export type Told = { broken: string[]; states: Record<string, number>; rows: ReturnType<Account['rows']>; met: object };

/** Records payments over an hour or more, refunds some, waits for quiet, and returns the broken rules. */
export async function live(run: Run, without?: typeof product): Promise<Told> {
  const random = randomFrom(run.seed).next;
  const account = await openAccount(run.payments, random, without);
  const payments: Paid[] = [];
  const broken: string[] = [];
  try {
    for (let tick = 0; payments.length < run.count; tick++) {
      await account.lag(Math.floor(run.lag[0] + random() * (run.lag[1] - run.lag[0])));
      for (let n = 0; n < 8 && payments.length < run.count; n++)
        payments.push(await payNext(account, payments, run, random));
      await giveSomeBack(account, payments, random);
      await account.pass(20_000);
      if (tick % 10 === 0) broken.push(...(await judgeNow(account, payments)));
    }
    await growQuiet(account);
    for (let part = 0; part < 2; part++) {
      for (const one of payments.filter(({ givenBack }) => givenBack === 0 || part > 0).slice(0, GIVEN_BACK_IN_PARTS))
        await giveBack(account, one, Math.ceil((one.cents - one.givenBack) / 3));
      await growQuiet(account);
    }
    broken.push(...(await judgeEnd(account, payments, run.mayNeedPerson)), ...judgeCalls(account, run.payments));
    const rows = account.rows();
    const states: Told['states'] = {};
    for (const { kind, state } of rows) states[`${kind} ${state}`] = (states[`${kind} ${state}`] ?? 0) + 1;
    return { broken: [...new Set(broken)], states, rows, met: account.line.met };
  } finally {
    await account.close();
  }
}

/** Number of the first payments that are refunded in parts, once all are recorded. */
const GIVEN_BACK_IN_PARTS = 20;

async function growQuiet(account: Account): Promise<void> {
  for (let minute = 0; minute < 240; minute += 2) {
    await account.pass(2 * MINUTE);
    const rows = account.rows();
    // A refund waits as long as its payment awaits a person.
    const waiting = new Set(rows.filter(({ state }) => state === 'unknown').map(({ attemptId }) => attemptId));
    const isOpen = ({ state, attemptId }: (typeof rows)[number]) =>
      ['due', 'sent'].includes(state) && !waiting.has(attemptId);
    if (!rows.some(isOpen)) return;
  }
}

async function payNext(account: Account, payments: Paid[], { parts, desk }: Run, random: () => number): Promise<Paid> {
  const n = payments.length;
  const before = payments.at(-1);
  if (before && before.billed > before.cents && payments.at(-2)?.invoiceId !== before.invoiceId)
    return account.pay(n, before.billed - before.cents, before);
  const cents = 1000 + Math.floor(random() * 90_000);
  const paid = await account.pay(n, cents, { billed: parts > 0 && random() < parts ? 3 * cents : cents });
  if (desk > 0 && random() < desk) await account.enter(paid);
  return paid;
}

/** Refunds only bills that were paid at once, so that nothing else changes the balance. */
async function giveSomeBack(account: Account, payments: Paid[], random: () => number): Promise<void> {
  const one = payments[Math.floor(random() * payments.length)];
  if (!one || one.billed > one.cents || random() >= 0.6) return;
  const left = one.cents - one.givenBack;
  await giveBack(account, one, random() < 0.5 ? left : Math.ceil(left / 3));
}

async function giveBack(account: Account, paid: Paid, amount: number): Promise<void> {
  if (amount > 0 && paid.givenBack + amount <= paid.cents) await account.giveBack(paid, amount);
}
