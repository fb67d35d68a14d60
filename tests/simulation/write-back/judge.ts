import type { Account, CrmRecord, Payment, Payments } from './account.ts';
import type { Call } from './trouble.ts';

/** Checks the rules of write-back against the CRM's records and the calls on the wire. Each violation is a sentence. */

const MIN_LOOK_GAP_MS = 120_000;
const MAX_WRITES_PER_SECOND = 2;
/** Maximum tries for a record. Chance may lose that many calls of one payment, which then rightly goes to a person. */
const MAX_TRIES = 5;

const cents = (decimal: string) => Math.round(Number(decimal) * 100);
const referenceOf = ({ n }: Payment) => `txn-${n}-payment-0`;

/** At no moment does the CRM have a payment twice, or more taken or refunded than the product did. */
export async function judgeNow(account: Account, payments: Payment[]): Promise<string[]> {
  const violations: string[] = [];
  const records = Map.groupBy(await account.records(), ({ reference }) => reference);
  for (const payment of payments) {
    const ownRecords = records.get(referenceOf(payment)) ?? [];
    if (ownRecords.length > 1) violations.push(`W1: payment ${payment.n} has ${ownRecords.length} records`);
    const refunded = ownRecords.reduce((sum, { refunds }) => sum + cents(refunds), 0);
    if (refunded > payment.refunded)
      violations.push(`W2: ${refunded} of payment ${payment.n} is refunded, not ${payment.refunded}`);
  }
  for (const [invoice, takenCents] of sumsOf(payments, ({ invoiceId, cents: amount }) => [invoiceId, amount])) {
    const invoiceRecords = [...records.values()].flat().filter((record) => record.invoice === invoice);
    const sum = invoiceRecords.reduce((total, { amount }) => total + cents(amount), 0);
    if (sum > takenCents) violations.push(`W3: the CRM has ${sum} taken for invoice ${invoice}, not ${takenCents}`);
  }
  return violations;
}

/** In quiet time each payment has a record with its remaining amount, or is in manual review if that is allowed. */
export async function judgeEnd(account: Account, payments: Payment[], mayNeedPerson: boolean): Promise<string[]> {
  const violations = await judgeNow(account, payments);
  const records = new Map((await account.records()).map((record) => [record.reference, record]));
  const rows = new Map(account.rows().map((row) => [row.id, row]));
  for (const payment of payments) {
    const record = records.get(referenceOf(payment));
    const { state, tries = 0, said } = rows.get(`pay-a${payment.n}`) ?? {};
    if (state === 'unknown' && !mayNeedPerson && tries < MAX_TRIES)
      violations.push(`W11: payment ${payment.n} waits for a person after ${tries} tries: ${said}`);
    if (record) {
      const expected = payment.cents - payment.refunded;
      if (leftOf(record) !== expected && state === 'written')
        violations.push(`W4: ${leftOf(record)} is left of payment ${payment.n}, not ${expected}`);
    } else if (state !== 'unknown' && payment.refunded < payment.cents)
      violations.push(`W5: payment ${payment.n} has no record and is ${state}`);
  }
  return violations;
}

const leftOf = ({ amount, refunds }: CrmRecord) => cents(amount) - cents(refunds);

function sumsOf<T>(items: T[], entryOf: (item: T) => [string, number]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [key, amount] of items.map(entryOf)) sums.set(key, (sums.get(key) ?? 0) + amount);
  return sums;
}

/** Checks the rate of writes and the conditions for a second attempt to create a record. */
export function judgeCalls({ line: { calls, waits } }: Account, kind: Payments): string[] {
  const violations: string[] = [];
  const writes = calls.filter((call) => call.kind === 'create' || call.kind === 'change');
  for (const [index, { at }] of writes.entries()) {
    const before = writes[index - MAX_WRITES_PER_SECOND];
    if (before && at - before.at < 1000) violations.push(`W6: more than ${MAX_WRITES_PER_SECOND} writes in a second`);
    if (waits.some(({ from, until }) => from < at && at < until))
      violations.push('W7: a write before Retry-After was over');
  }
  for (const [index, call] of calls.entries()) {
    if (call.kind !== 'create') continue;
    const owed = calls
      .slice(0, index)
      .findLast((earlier) => earlier.kind === 'balance' && earlier.invoice === call.invoice);
    if (owed?.kind !== 'balance' || cents(owed.owed) < call.cents)
      violations.push('W12: a record exceeds the amount owed');
    const first = calls
      .slice(0, index)
      .findLastIndex((earlier) => earlier.kind === 'create' && earlier.reference === call.reference && earlier.isOpen);
    if (first >= 0) violations.push(...judgeSecond(calls, first, index, kind));
  }
  return violations;
}

/** A second record needs two empty look-ups two minutes apart, and a balance, read just before, equal to the first. */
function judgeSecond(calls: Call[], first: number, second: number, kind: Payments): string[] {
  const { invoice } = calls[second] as Call;
  const between = calls.slice(first, second).filter((call) => call.invoice === invoice);
  const lookTimes = between.filter((call) => call.kind === 'look').map(({ at }) => at);
  const balanceBefore = (end: number) =>
    calls.slice(0, end).findLast((call) => call.kind === 'balance' && call.invoice === invoice);
  const [before, now] = [balanceBefore(first), balanceBefore(second)];
  const violations: string[] = [];
  if (kind !== 'on') violations.push(`W8: a second record was requested in an account with the setting ${kind}`);
  if (Math.max(...lookTimes) - Math.min(...lookTimes) < MIN_LOOK_GAP_MS)
    violations.push('W9: a second record without two look-ups apart');
  if (
    between.at(-1)?.kind !== 'balance' ||
    before?.kind !== 'balance' ||
    now?.kind !== 'balance' ||
    before.owed !== now.owed
  )
    violations.push('W10: the balance was not read just before a second record, or had changed');
  return violations;
}
