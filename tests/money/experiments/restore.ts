import type { Knobs } from '../cluster/knobs.ts';
import { violations } from '../invariants.ts';
import { becomeQuiet } from '../quiet.ts';
import { type Charge, extraCharges, lostCharges, readCharges, readRecords, saleCalls } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import {
  type Answer,
  addBills,
  type Bill,
  newTestWorker,
  passOfCron,
  payAll,
  type TestWorker,
} from '../test-worker.ts';
import { merchant } from './batches.ts';
import { SALE } from './gateway-faults.ts';

const MINUTE = 60_000;
/** The gateway's search may lag by ten minutes, so a run that is to have seen everything comes later. */
const PAST_THE_LAG = 11 * MINUTE;
const AT_ONCE = 25;

async function payInGroups(testWorker: TestWorker, bills: Bill[], knobs: Knobs = {}): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < bills.length; at += AT_ONCE)
    answers.push(...(await payAll(testWorker, bills.slice(at, at + AT_ONCE), { knobs })));
  return answers;
}

/** Charges that stand neither in the ledger nor before a person. */
async function unseenCharges(testWorker: TestWorker): Promise<Charge[]> {
  const { charges, ledger, attempts } = await readRecords(testWorker);
  const known = new Set(ledger.map((row) => row.provider_txn_id));
  const withAPerson = new Set(attempts.filter(({ state }) => state === 'needs_human').map(({ id }) => id));
  return charges.filter(({ id, order_id }) => !known.has(id) && !withAPerson.has(order_id));
}

/**
 * E13: the database is put back to its state of an hour ago, and all payments of that hour are lost from it. Payers who
 * have paid press again, before and after the gateway's transactions were read; a person confirms what was found. The
 * gateway's duplicate check is off. The control's payers press in a product that was not told of the restore.
 */
export async function restoredDatabase(testWorker: TestWorker, payments = sized(200, 12)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const control = newTestWorker(clusterWorld);
  const early = await addBills(testWorker, Math.ceil(payments / 10));
  const lost = await addBills(testWorker, payments);
  const unpaid = await addBills(testWorker, Math.ceil(payments / 10));
  await addBills(control, Math.ceil(payments / 10));
  await payInGroups(testWorker, early);
  await becomeQuiet(testWorker);
  await passOfCron(testWorker, MINUTE);

  const putBack = await clusterWorld.copyClinic();
  await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: Math.ceil(payments / 10) });
  await payInGroups(testWorker, lost);
  await payInGroups(control, control.bills);
  await becomeQuiet(testWorker);
  await passOfCron(testWorker, 50 * MINUTE);
  await putBack();
  clusterWorld.clockMs += MINUTE;

  await payInGroups(control, control.bills);
  const knobs: Knobs = { settings: { RESTORED_AT: new Date(Date.now() + clusterWorld.clockMs).toISOString() } };
  const before = await saleCalls(clusterWorld);
  const paused = await payInGroups(testWorker, [...lost, ...unpaid], knobs);
  await passOfCron(testWorker, MINUTE, knobs);
  const stillPaused = await payInGroups(testWorker, lost, knobs);
  await passOfCron(testWorker, PAST_THE_LAG, knobs);
  const missing = await unseenCharges(testWorker);
  const found = (await readRecords(testWorker)).attempts.filter(({ state }) => state === 'needs_human');
  const closed = await payInGroups(testWorker, lost, knobs);
  const sent = (await saleCalls(clusterWorld)) - before;

  const words: string[] = [];
  for (const { id } of found)
    words.push((await clusterWorld.steer<{ kind: string }>('resolve', { merchant, attemptId: id })).kind);
  const after = await payInGroups(testWorker, [...lost, ...unpaid], knobs);
  await becomeQuiet(testWorker);
  const records = await readRecords(testWorker);
  const receipts = records.mails.length - records.bills.length;
  return {
    experiment: 'E13 restored an hour back, then reconciled',
    size: `${payments} payments to find again`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: String(extraCharges(await readCharges(clusterWorld, control.bills))),
    note: `missing after the run ${missing.length}, ${found.length} found and ${countOf(words)}, receipts repeated ${receipts}; answers ${countOf([...paused, ...stillPaused].map(({ status }) => status))}, ${countOf(closed.map(({ status }) => status))}, ${countOf(after.map(({ status }) => status))}`,
    violations: [
      ...missing.map(({ id }) => `charge ${id} is neither in the ledger nor before a person`),
      ...(sent === 0 ? [] : [`${sent} sales were sent for invoices that were paid already`]),
      ...(receipts === 0 ? [] : [`${receipts} receipts too many`]),
      ...(await violations(testWorker, records)),
    ],
  };
}
