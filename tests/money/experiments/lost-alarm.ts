import { violations } from '../invariants.ts';
import { runUntilQuiet } from '../quiet.ts';
import { extraCharges, lostCharges, readRecords } from '../records.ts';
import { type Figures, sized } from '../report.ts';
import { addBills, newTestWorker, payAll, type TestWorker } from '../test-worker.ts';
import { SALE } from './gateway-faults.ts';

const MINUTE = 60_000;
/** After 20 minutes a clinic counts as silent; the cron then wakes it, and its next alarm settles the charges. */
const AWAKE_WITHIN = 22;

/** Makes charges whose answers are lost, then deletes the clinic's alarm. Returns an error if there was none. */
async function loseTheAlarm(testWorker: TestWorker, invoices: number): Promise<string[]> {
  const { clusterWorld } = testWorker;
  const bills = await addBills(testWorker, invoices);
  await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: invoices });
  await payAll(testWorker, bills);
  const hadAlarm = await clusterWorld.steer<boolean>('lose-alarm', {});
  return hadAlarm ? [] : ['the clinic had no alarm although its charges are open'];
}

/** Returns the minutes until the ledger has every charge; null if more than `atMost`. */
async function minutesUntilBooked(
  testWorker: TestWorker,
  { hasCron, atMost }: { hasCron: boolean; atMost: number },
): Promise<number | null> {
  const { clusterWorld } = testWorker;
  for (let minute = 1; minute <= atMost; minute++) {
    clusterWorld.clockMs += MINUTE;
    if (hasCron) await clusterWorld.steer('cron', {});
    await clusterWorld.steer('ring', {});
    if (lostCharges(await readRecords(testWorker)) === 0) return minute;
  }
  return null;
}

/** E20: the platform loses a clinic's alarm while charges are open. The control has no cron that wakes the clinic. */
export async function lostAlarm(testWorker: TestWorker, invoices = sized(10, 3)): Promise<Figures> {
  const errors = await loseTheAlarm(testWorker, invoices);
  const minutes = await minutesUntilBooked(testWorker, { hasCron: true, atMost: AWAKE_WITHIN });
  if (minutes === null) errors.push(`not every charge was in the ledger after ${AWAKE_WITHIN} minutes`);

  const control = newTestWorker(testWorker.clusterWorld);
  errors.push(...(await loseTheAlarm(control, invoices)));
  await minutesUntilBooked(control, { hasCron: false, atMost: AWAKE_WITHIN });
  const unbooked = lostCharges(await readRecords(control));
  await runUntilQuiet(testWorker);
  await runUntilQuiet(control);
  const records = await readRecords(testWorker);
  return {
    experiment: 'E20 alarm lost',
    size: `${invoices} open charges`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: String(unbooked),
    note: `booked after ${minutes} minutes`,
    violations: [...errors, ...(await violations(testWorker, records)), ...(await violations(control))],
  };
}
