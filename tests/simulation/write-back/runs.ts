import { complete } from '#tests/support/complete-only';
import { randomFrom } from '#tests/support/seeded-random';
import { type Account, openAccount, type Payment, type Payments } from './account.ts';
import { judgeCalls, judgeEnd, judgeNow } from './judge.ts';
import type * as product from './product.ts';

const MINUTE = 60_000;

/**
 * `lag`: minimum and maximum delay of a new record's associations (ms). `parts`: share of bills paid in two parts;
 * `desk`: share also entered in the CRM by staff. `mayNeedPerson`: some payments may end in manual review.
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

const DEFAULTS: Run = {
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
  on: { ...DEFAULTS, seed: 20_261_123, count: complete ? 500 : 200 },
  parts: { ...DEFAULTS, parts: 0.5 },
  // Longer than both look-ups: until then only the balance shows that a record exists.
  late: { ...DEFAULTS, seed: 11, lag: [10 * MINUTE, 20 * MINUTE], parts: 0.5, mayNeedPerson: true },
  desk: { ...DEFAULTS, seed: 5, desk: 0.2, mayNeedPerson: true },
  recordOnly: { ...DEFAULTS, seed: 42, payments: 'record-only', mayNeedPerson: true },
} satisfies Record<string, Run>;

export type RunResult = {
  violations: string[];
  states: Record<string, number>;
  rows: ReturnType<Account['rows']>;
  faults: object;
};

/** Records payments over an hour or more, refunds some, waits for quiet, and returns the broken rules. */
export async function runPayments(run: Run, mutant?: typeof product): Promise<RunResult> {
  const random = randomFrom(run.seed).next;
  const account = await openAccount(run.payments, random, mutant);
  const payments: Payment[] = [];
  const violations: string[] = [];
  try {
    for (let tick = 0; payments.length < run.count; tick++) {
      await account.lag(Math.floor(run.lag[0] + random() * (run.lag[1] - run.lag[0])));
      for (let n = 0; n < 8 && payments.length < run.count; n++)
        payments.push(await payNext(account, payments, run, random));
      await refundSome(account, payments, random);
      await account.pass(20_000);
      if (tick % 10 === 0) violations.push(...(await judgeNow(account, payments)));
    }
    await waitForQuiet(account);
    for (let part = 0; part < 2; part++) {
      for (const payment of payments.filter(({ refunded }) => refunded === 0 || part > 0).slice(0, PARTIAL_REFUNDS))
        await refund(account, payment, Math.ceil((payment.cents - payment.refunded) / 3));
      await waitForQuiet(account);
    }
    violations.push(...(await judgeEnd(account, payments, run.mayNeedPerson)), ...judgeCalls(account, run.payments));
    const rows = account.rows();
    const states: RunResult['states'] = {};
    for (const { kind, state } of rows) states[`${kind} ${state}`] = (states[`${kind} ${state}`] ?? 0) + 1;
    return { violations: [...new Set(violations)], states, rows, faults: account.line.faults };
  } finally {
    await account.close();
  }
}

/** Number of the first payments that are refunded in parts, once all are recorded. */
const PARTIAL_REFUNDS = 20;

async function waitForQuiet(account: Account): Promise<void> {
  for (let minute = 0; minute < 240; minute += 2) {
    await account.pass(2 * MINUTE);
    const rows = account.rows();
    // A refund waits as long as its payment awaits a person.
    const inReview = new Set(rows.filter(({ state }) => state === 'unknown').map(({ attemptId }) => attemptId));
    const isOpen = ({ state, attemptId }: (typeof rows)[number]) =>
      ['due', 'sent'].includes(state) && !inReview.has(attemptId);
    if (!rows.some(isOpen)) return;
  }
}

async function payNext(
  account: Account,
  payments: Payment[],
  { parts, desk }: Run,
  random: () => number,
): Promise<Payment> {
  const n = payments.length;
  const previous = payments.at(-1);
  if (previous && previous.billed > previous.cents && payments.at(-2)?.invoiceId !== previous.invoiceId)
    return account.pay(n, previous.billed - previous.cents, previous);
  const cents = 1000 + Math.floor(random() * 90_000);
  const payment = await account.pay(n, cents, { billed: parts > 0 && random() < parts ? 3 * cents : cents });
  if (desk > 0 && random() < desk) await account.enterInCrm(payment);
  return payment;
}

/** Refunds only bills that were paid at once, so that nothing else changes the balance. */
async function refundSome(account: Account, payments: Payment[], random: () => number): Promise<void> {
  const payment = payments[Math.floor(random() * payments.length)];
  if (!payment || payment.billed > payment.cents || random() >= 0.6) return;
  const remaining = payment.cents - payment.refunded;
  await refund(account, payment, random() < 0.5 ? remaining : Math.ceil(remaining / 3));
}

async function refund(account: Account, payment: Payment, amount: number): Promise<void> {
  if (amount > 0 && payment.refunded + amount <= payment.cents) await account.refund(payment, amount);
}
