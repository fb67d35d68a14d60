import { LINE_MS } from '#worker/domain/payments/inquire-status';
import type { ClusterWorld } from '../cluster/cluster-world.ts';
import { violations } from '../invariants.ts';
import { becomeQuiet, until } from '../quiet.ts';
import { type AttemptRow, extraCharges, lostCharges, readCharges, readRecords, saleCalls } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import {
  type Answer,
  addBills,
  type Bill,
  newTestWorker,
  passOfCron,
  pay,
  payAll,
  type TestWorker,
} from '../test-worker.ts';
import { endsOf, SALE, UNTIL_RELEASED_MS } from './gateway-faults.ts';

const MINUTE = 60_000;

/** The Worker gives up a charge long before the gateway carries it out. */
export const IMPATIENT = { CHARGE_TIMEOUT_MS: 800 };

export type LateSuccess = {
  /** The payments that the gateway's duplicate check sees. */
  dedupe: 'none' | 'arrival' | 'commit';
  invoices?: number;
  name?: string;
};

/**
 * E3b and E3c: charges are still under way after more than enough lookups of the cron, and the payers try again. The
 * control has no hold. Both groups go through the same minutes.
 */
export async function lateSuccess(testWorker: TestWorker, options: LateSuccess): Promise<Figures> {
  const { dedupe, invoices = sized(20, 4) } = options;
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe });
  const round = await goThrough(newTestWorker(clusterWorld), newTestWorker(clusterWorld), invoices);
  const experiment = options.name ?? `E3c retry in flight, gateway dedupe ${dedupe}`;
  return { ...round, experiment, size: `${invoices} invoices` };
}

/** Release the late charges that the payers did not wait for. None may have come before. */
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

/** The gateway logs a call after it has carried it out. */
export const salesCarriedOut = (clusterWorld: ClusterWorld, count: number): Promise<void> =>
  until('every charge is carried out', async () => (await saleCalls(clusterWorld)) === count);

type Round = Omit<Figures, 'experiment' | 'size'>;

async function goThrough(held: TestWorker, unheld: TestWorker, invoices: number): Promise<Round> {
  const { clusterWorld } = held;
  const before = await saleCalls(clusterWorld);
  await addBills(held, invoices);
  await addBills(unheld, invoices);
  const all = [...held.bills, ...unheld.bills];
  await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'late', times: all.length, ms: UNTIL_RELEASED_MS });
  await Promise.all([payAll(held, held.bills), payAll(unheld, unheld.bills, { knobs: { settings: { HOLD_MS: 0 } } })]);
  for (let pass = 0; pass < 4; pass++) await passOfCron(held, 2 * MINUTE);
  await Promise.all([payAll(held, held.bills), payAll(unheld, unheld.bills)]);
  const attempts = [...(await readRecords(held)).attempts, ...(await readRecords(unheld)).attempts];
  await carryOut(clusterWorld, all, attempts, before);
  const { bookedAfter } = await becomeQuiet(held);
  const records = await readRecords(held);
  return {
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: String(extraCharges(await readCharges(clusterWorld, unheld.bills))),
    note: `booked after ${bookedAfter} passes, ${endsOf(records.attempts)}`,
    violations: await violations(held, records),
  };
}

/**
 * E3g: a charge is carried out after its hold is over and the payer has paid again. No program can prevent that; the
 * product must find it within the day and put it before a person.
 */
export async function laterThanTheHold({ clusterWorld }: TestWorker, invoices = sized(20, 4)): Promise<Figures> {
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const testWorker = newTestWorker(clusterWorld);
  const before = await saleCalls(clusterWorld);
  const bills = await addBills(testWorker, invoices);
  await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'late', times: invoices, ms: UNTIL_RELEASED_MS });
  await payAll(testWorker, bills);
  for (const minutes of [2, 2, 12]) await passOfCron(testWorker, minutes * MINUTE);
  await payAll(testWorker, bills);
  const sent = (await readRecords(testWorker)).attempts;
  await carryOut(clusterWorld, bills, sent, before);
  for (let hour = 0; hour < 26; hour++) await passOfCron(testWorker, 60 * MINUTE);

  const { attempts, charges, ledger } = await readRecords(testWorker);
  const unseen = charges.filter(({ id, order_id }) => {
    const isBooked = ledger.some((row) => row.provider_txn_id === id);
    return !isBooked && attempts.find((attempt) => attempt.id === order_id)?.state !== 'needs_human';
  });
  const payAgain = await payAll(testWorker, bills);
  const charged = (await saleCalls(clusterWorld)) - before - sent.length;
  return {
    experiment: 'E3g charge later than the hold',
    size: `${invoices} invoices`,
    extraCharges: charged,
    lost: unseen.length,
    control: null,
    note: `${extraCharges(charges)} charged late by the gateway: ${endsOf(attempts)}; then answers ${countOf(payAgain.map(({ status }) => status))}`,
    violations: unseen.map(({ id }) => `charge ${id} is neither in the ledger nor before a person`),
  };
}

/**
 * E3h: the payers press again while their charges are on the way and their Workers still wait for the answer, so that
 * each payment is looked up and not found. It must neither be released nor charged a second time.
 */
export async function askedUnderWay(testWorker: TestWorker, invoices = sized(20, 4)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const bills = await addBills(testWorker, invoices);
  await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'late', times: invoices, ms: UNTIL_RELEASED_MS });
  const going = bills.map((bill) => pay(testWorker, bill));
  await until(
    'the gateway has the calls',
    async () => (await clusterWorld.sandbox<unknown[]>('GET', 'faults')).length === 0,
  );
  // An answer that comes later than this may be lost on the way.
  clusterWorld.clockMs += LINE_MS + 5_000;
  const again = await payAll(testWorker, bills);
  clusterWorld.endPauses();
  const first = await Promise.all(going);
  await becomeQuiet(testWorker);
  const records = await readRecords(testWorker);
  const told = (answers: Answer[]) => countOf(answers.map(({ status }) => status));
  return {
    experiment: 'E3h asked for while under way',
    size: `${invoices} invoices`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: `answers ${told(first)}, to the second press ${told(again)}`,
    violations: await violations(testWorker, records),
  };
}
