import type { Knobs } from '../cluster/knobs.ts';
import { violations } from '../invariants.ts';
import { runUntilQuiet } from '../quiet.ts';
import { type Charge, extraCharges, lostCharges, readCharges, readRecords, saleCalls } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { type Answer, addBills, type Bill, newTestWorker, payAll, runCron, type TestWorker } from '../test-worker.ts';
import { merchant } from './batches.ts';
import { SALE } from './gateway-faults.ts';

const MINUTE = 60_000;
/** The gateway's search may lag by ten minutes; only a later run sees every charge. */
const PAST_THE_LAG = 11 * MINUTE;
const AT_ONCE = 25;

async function payInGroups(testWorker: TestWorker, bills: Bill[], knobs: Knobs = {}): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < bills.length; at += AT_ONCE)
    answers.push(...(await payAll(testWorker, bills.slice(at, at + AT_ONCE), { knobs })));
  return answers;
}

/** Charges that are neither in the ledger nor in manual review. */
async function unseenCharges(testWorker: TestWorker): Promise<Charge[]> {
  const { charges, ledger, attempts } = await readRecords(testWorker);
  const booked = new Set(ledger.map((row) => row.provider_txn_id));
  const inReview = new Set(attempts.filter(({ state }) => state === 'needs_human').map(({ id }) => id));
  return charges.filter(({ id, order_id }) => !booked.has(id) && !inReview.has(order_id));
}

/**
 * E13: the database is restored to its state of an hour ago, so it lacks all payments of that hour. Payers who have
 * paid press Pay again, before and after the gateway's transactions are read; then staff confirm the charges that were
 * found. The gateway's duplicate check is off. The control's payers press Pay without RESTORED_AT, so the product is
 * unaware of the restore.
 */
export async function restoredDatabase(testWorker: TestWorker, payments = sized(200, 12)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const control = newTestWorker(clusterWorld);
  const earlyBills = await addBills(testWorker, Math.ceil(payments / 10));
  const lostBills = await addBills(testWorker, payments);
  const unpaid = await addBills(testWorker, Math.ceil(payments / 10));
  await addBills(control, Math.ceil(payments / 10));
  await payInGroups(testWorker, earlyBills);
  await runUntilQuiet(testWorker);
  await runCron(testWorker, MINUTE);

  const restoreClinic = await clusterWorld.copyClinic();
  await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: Math.ceil(payments / 10) });
  await payInGroups(testWorker, lostBills);
  await payInGroups(control, control.bills);
  await runUntilQuiet(testWorker);
  await runCron(testWorker, 50 * MINUTE);
  await restoreClinic();
  clusterWorld.clockMs += MINUTE;

  await payInGroups(control, control.bills);
  const knobs: Knobs = { settings: { RESTORED_AT: new Date(Date.now() + clusterWorld.clockMs).toISOString() } };
  const callsBefore = await saleCalls(clusterWorld);
  const paused = await payInGroups(testWorker, [...lostBills, ...unpaid], knobs);
  await runCron(testWorker, MINUTE, knobs);
  const stillPaused = await payInGroups(testWorker, lostBills, knobs);
  await runCron(testWorker, PAST_THE_LAG, knobs);
  const missing = await unseenCharges(testWorker);
  const foundAttempts = (await readRecords(testWorker)).attempts.filter(({ state }) => state === 'needs_human');
  const closed = await payInGroups(testWorker, lostBills, knobs);
  const resentSales = (await saleCalls(clusterWorld)) - callsBefore;

  const resolutions: string[] = [];
  for (const { id } of foundAttempts)
    resolutions.push((await clusterWorld.steer<{ kind: string }>('resolve', { merchant, attemptId: id })).kind);
  const after = await payInGroups(testWorker, [...lostBills, ...unpaid], knobs);
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  const receipts = records.mails.length - records.bills.length;
  return {
    experiment: 'E13 restored an hour back, then reconciled',
    size: `${payments} payments to find again`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: String(extraCharges(await readCharges(clusterWorld, control.bills))),
    note: `missing after the run ${missing.length}, ${foundAttempts.length} found and ${countOf(resolutions)}, receipts repeated ${receipts}; answers ${countOf([...paused, ...stillPaused].map(({ status }) => status))}, ${countOf(closed.map(({ status }) => status))}, ${countOf(after.map(({ status }) => status))}`,
    violations: [
      ...missing.map(({ id }) => `charge ${id} is neither in the ledger nor in manual review`),
      ...(resentSales === 0 ? [] : [`${resentSales} sales were sent for invoices that were already paid`]),
      ...(receipts === 0 ? [] : [`${receipts} surplus receipts`]),
      ...(await violations(testWorker, records)),
    ],
  };
}
