import { ABANDONED_CALL_MS } from '#worker/domain/payments/inquire-status';
import type { ClusterWorld } from '../cluster/cluster-world.ts';
import { violations } from '../invariants.ts';
import { runUntilQuiet, until } from '../quiet.ts';
import { type AttemptRow, extraCharges, lostCharges, readCharges, readRecords, saleCalls } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import {
  type Answer,
  addBills,
  type Bill,
  newTestWorker,
  pay,
  payAll,
  runCron,
  type TestWorker,
} from '../test-worker.ts';
import { endsOf, SALE, UNTIL_RELEASED_MS } from './gateway-faults.ts';

const MINUTE = 60_000;

/** Settings with which the Worker gives up a charge long before the gateway carries it out. */
export const IMPATIENT = { CHARGE_TIMEOUT_MS: 800 };

export type LateSuccess = {
  /** The payments that the gateway's duplicate check sees. */
  dedupe: 'none' | 'arrival' | 'commit';
  invoices?: number;
  name?: string;
};

/**
 * E3b and E3c: charges are still under way after many lookups of the cron, and the payers try again. The control has no
 * hold and runs at the same time.
 */
export async function lateSuccess(testWorker: TestWorker, options: LateSuccess): Promise<Figures> {
  const { dedupe, invoices = sized(20, 4) } = options;
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe });
  const round = await retryLateCharges(newTestWorker(clusterWorld), newTestWorker(clusterWorld), invoices);
  const experiment = options.name ?? `E3c retry in flight, gateway dedupe ${dedupe}`;
  return { ...round, experiment, size: `${invoices} invoices` };
}

/** Releases the late charges after the payers have tried again. Throws if a charge came earlier. */
async function carryOut(
  clusterWorld: ClusterWorld,
  bills: Bill[],
  attempts: AttemptRow[],
  salesBefore: number,
): Promise<void> {
  const charges = await readCharges(clusterWorld, bills);
  const firstOf = ({ id }: Bill) => attempts.find(({ invoice_id }) => invoice_id === id)?.id;
  if (bills.some((bill) => charges.some(({ order_id }) => order_id === firstOf(bill))))
    throw new Error('a charge came before the payers tried again');
  clusterWorld.endPauses();
  // Each attempt has sent one sale.
  await salesCarriedOut(clusterWorld, salesBefore + attempts.length);
}

/** Waits until the gateway has carried out this many sales; it logs a call only afterwards. */
export const salesCarriedOut = (clusterWorld: ClusterWorld, count: number): Promise<void> =>
  until('every charge is carried out', async () => (await saleCalls(clusterWorld)) === count);

type RoundFigures = Omit<Figures, 'experiment' | 'size'>;

async function retryLateCharges(held: TestWorker, unheld: TestWorker, invoices: number): Promise<RoundFigures> {
  const { clusterWorld } = held;
  const callsBefore = await saleCalls(clusterWorld);
  await addBills(held, invoices);
  await addBills(unheld, invoices);
  const all = [...held.bills, ...unheld.bills];
  await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'late', times: all.length, ms: UNTIL_RELEASED_MS });
  await Promise.all([payAll(held, held.bills), payAll(unheld, unheld.bills, { knobs: { settings: { HOLD_MS: 0 } } })]);
  for (let pass = 0; pass < 4; pass++) await runCron(held, 2 * MINUTE);
  await Promise.all([payAll(held, held.bills), payAll(unheld, unheld.bills)]);
  const attempts = [...(await readRecords(held)).attempts, ...(await readRecords(unheld)).attempts];
  await carryOut(clusterWorld, all, attempts, callsBefore);
  const { bookedAfter } = await runUntilQuiet(held);
  const records = await readRecords(held);
  return {
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: String(extraCharges(await readCharges(clusterWorld, unheld.bills))),
    note: `booked after ${bookedAfter} passes, ${endsOf(records.attempts)}`,
    violations: await violations(held, records),
  };
}

/**
 * E3g: a charge is carried out after its hold is over and the payer has paid again. The product cannot prevent that; it
 * must find the charge within a day and put it into manual review.
 */
export async function chargeAfterHold({ clusterWorld }: TestWorker, invoices = sized(20, 4)): Promise<Figures> {
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const testWorker = newTestWorker(clusterWorld);
  const callsBefore = await saleCalls(clusterWorld);
  const bills = await addBills(testWorker, invoices);
  await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'late', times: invoices, ms: UNTIL_RELEASED_MS });
  await payAll(testWorker, bills);
  for (const minutes of [2, 2, 12]) await runCron(testWorker, minutes * MINUTE);
  await payAll(testWorker, bills);
  const sentAttempts = (await readRecords(testWorker)).attempts;
  await carryOut(clusterWorld, bills, sentAttempts, callsBefore);
  for (let hour = 0; hour < 26; hour++) await runCron(testWorker, 60 * MINUTE);

  const { attempts, charges, ledger } = await readRecords(testWorker);
  const unnoticed = charges.filter(({ id, order_id }) => {
    const isBooked = ledger.some((row) => row.provider_txn_id === id);
    return !isBooked && attempts.find((attempt) => attempt.id === order_id)?.state !== 'needs_human';
  });
  const repeated = await payAll(testWorker, bills);
  const newSales = (await saleCalls(clusterWorld)) - callsBefore - sentAttempts.length;
  return {
    experiment: 'E3g charge later than the hold',
    size: `${invoices} invoices`,
    extraCharges: newSales,
    lostCharges: unnoticed.length,
    control: null,
    note: `${extraCharges(charges)} charged late by the gateway: ${endsOf(attempts)}; then answers ${countOf(repeated.map(({ status }) => status))}`,
    violations: unnoticed.map(({ id }) => `charge ${id} is neither in the ledger nor in manual review`),
  };
}

/**
 * E3h: the payers press Pay again while their charges are under way and their Workers still wait for the answer. The
 * lookup finds no charge, but the payment must be neither released nor charged a second time.
 */
export async function retryUnderWay(testWorker: TestWorker, invoices = sized(20, 4)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const bills = await addBills(testWorker, invoices);
  await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'late', times: invoices, ms: UNTIL_RELEASED_MS });
  const pending = bills.map((bill) => pay(testWorker, bill));
  await until(
    'the gateway has the calls',
    async () => (await clusterWorld.sandbox<unknown[]>('GET', 'faults')).length === 0,
  );
  // Past this time the product assumes that the answer may have been lost.
  clusterWorld.clockMs += ABANDONED_CALL_MS + 5_000;
  const second = await payAll(testWorker, bills);
  clusterWorld.endPauses();
  const first = await Promise.all(pending);
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  const statuses = (answers: Answer[]) => countOf(answers.map(({ status }) => status));
  return {
    experiment: 'E3h asked for while under way',
    size: `${invoices} invoices`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: `answers ${statuses(first)}, to the second press ${statuses(second)}`,
    violations: await violations(testWorker, records),
  };
}
