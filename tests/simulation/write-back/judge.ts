import type { Account, CrmRecord, Paid, Payments } from './account.ts';
import type { Call } from './trouble.ts';

/** The rules of write-back, held against the CRM's records and the calls on the wire; what breaks one is a sentence. */

const LEAST_BETWEEN_LOOKS_MS = 120_000;
const MOST_WRITES_A_SECOND = 2;
/** So often is a record asked for at most. Chance may lose as many calls of one payment; then a person has it by right. */
const MOST_TRIES = 5;

const cents = (decimal: string) => Math.round(Number(decimal) * 100);
const referenceOf = ({ n }: Paid) => `txn-${n}-payment-0`;

/** No moment at which the CRM has a payment twice, or says that more was taken than was, or more given back. */
export async function judgeNow(account: Account, payments: Paid[]): Promise<string[]> {
  const broken: string[] = [];
  const records = Map.groupBy(await account.records(), ({ reference }) => reference);
  for (const paid of payments) {
    const own = records.get(referenceOf(paid)) ?? [];
    if (own.length > 1) broken.push(`W1: payment ${paid.n} has ${own.length} records`);
    const given = own.reduce((sum, { refunds }) => sum + cents(refunds), 0);
    if (given > paid.givenBack) broken.push(`W2: ${given} of payment ${paid.n} is given back, not ${paid.givenBack}`);
  }
  for (const [invoice, taken] of sumsOf(payments, ({ invoiceId, cents: amount }) => [invoiceId, amount])) {
    const told = [...records.values()].flat().filter((record) => record.invoice === invoice);
    const sum = told.reduce((total, { amount }) => total + cents(amount), 0);
    if (sum > taken) broken.push(`W3: the CRM says that ${sum} was taken for invoice ${invoice}, not ${taken}`);
  }
  return broken;
}

/** Once all is quiet: each payment has its record, with what is left of it, or, where that may be, a person has it. */
export async function judgeEnd(account: Account, payments: Paid[], mayNeedPerson: boolean): Promise<string[]> {
  const broken = await judgeNow(account, payments);
  const records = new Map((await account.records()).map((record) => [record.reference, record]));
  const rows = new Map(account.rows().map((row) => [row.id, row]));
  for (const paid of payments) {
    const record = records.get(referenceOf(paid));
    const { state, tries = 0, said } = rows.get(`pay-a${paid.n}`) ?? {};
    if (state === 'unknown' && !mayNeedPerson && tries < MOST_TRIES)
      broken.push(`W11: payment ${paid.n} waits for a person after ${tries} tries: ${said}`);
    if (record) {
      if (leftOf(record) !== paid.cents - paid.givenBack && state === 'written')
        broken.push(`W4: ${leftOf(record)} is left of payment ${paid.n}, not ${paid.cents - paid.givenBack}`);
    } else if (state !== 'unknown' && paid.givenBack < paid.cents)
      broken.push(`W5: payment ${paid.n} has no record and is ${state}`);
  }
  return broken;
}

const leftOf = ({ amount, refunds }: CrmRecord) => cents(amount) - cents(refunds);

function sumsOf<T>(all: T[], of: (one: T) => [string, number]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [key, amount] of all.map(of)) sums.set(key, (sums.get(key) ?? 0) + amount);
  return sums;
}

/** When a record may be asked for a second time, and how often anything may be written. */
export function judgeCalls({ line: { calls, waits } }: Account, kind: Payments): string[] {
  const broken: string[] = [];
  const writes = calls.filter((call) => call.kind === 'create' || call.kind === 'change');
  for (const [index, { at }] of writes.entries()) {
    const before = writes[index - MOST_WRITES_A_SECOND];
    if (before && at - before.at < 1000) broken.push(`W6: more than ${MOST_WRITES_A_SECOND} writes in a second`);
    if (waits.some(({ from, until }) => from < at && at < until))
      broken.push('W7: a write before Retry-After was over');
  }
  for (const [index, call] of calls.entries()) {
    if (call.kind !== 'create') continue;
    const owed = calls.slice(0, index).findLast((one) => one.kind === 'balance' && one.invoice === call.invoice);
    if (owed?.kind !== 'balance' || cents(owed.owed) < call.cents) broken.push('W12: a record of more than is owed');
    const first = calls
      .slice(0, index)
      .findLastIndex((one) => one.kind === 'create' && one.reference === call.reference && one.isOpen);
    if (first >= 0) broken.push(...judgeSecond(calls, first, index, kind));
  }
  return broken;
}

/** Two empty looks, two minutes apart, and what is owed, read right before, as it was before the first. */
function judgeSecond(calls: Call[], first: number, second: number, kind: Payments): string[] {
  const { invoice } = calls[second] as Call;
  const own = calls.slice(first, second).filter((call) => call.invoice === invoice);
  const looks = own.filter((call) => call.kind === 'look').map(({ at }) => at);
  const owedBefore = (end: number) =>
    calls.slice(0, end).findLast((call) => call.kind === 'balance' && call.invoice === invoice);
  const [before, now] = [owedBefore(first), owedBefore(second)];
  const broken: string[] = [];
  if (kind !== 'on') broken.push(`W8: a second record was asked for in an account that is ${kind}`);
  if (Math.max(...looks) - Math.min(...looks) < LEAST_BETWEEN_LOOKS_MS) broken.push('W9: not after two looks');
  if (
    own.at(-1)?.kind !== 'balance' ||
    before?.kind !== 'balance' ||
    now?.kind !== 'balance' ||
    before.owed !== now.owed
  )
    broken.push('W10: what is owed was not read right before, or had moved');
  return broken;
}
