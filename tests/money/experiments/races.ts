import { violations } from '../invariants.ts';
import { runUntilQuiet } from '../quiet.ts';
import { extraCharges, lostCharges, readRecords } from '../records.ts';
import { type Figures, sized } from '../report.ts';
import { addBills, pay, payAll, runCron, type TestWorker } from '../test-worker.ts';

const SALE = '/rest/v2/mobile/transactions/sale';

/** E6: many cron runs at once over the same unanswered charges. */
export async function manyReconcilers(
  testWorker: TestWorker,
  unknowns = sized(30, 10),
  reconcilers = 12,
): Promise<Figures> {
  const { clusterWorld } = testWorker;
  const bills = await addBills(testWorker, unknowns);
  await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: unknowns });
  await payAll(testWorker, bills);
  clusterWorld.clockMs += 120_000;
  // Slows the mail service so that concurrent runs see the same mails as due.
  await clusterWorld.sandbox('POST', 'faults', { on: 'mail', do: 'delay', ms: 1000, times: 6 });
  await Promise.all(Array.from({ length: reconcilers }, () => clusterWorld.steer('schedule', {})));
  const { ledger } = await readRecords(testWorker);
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  return {
    experiment: `E6 ${reconcilers} reconcilers at once`,
    size: `${unknowns} unknowns`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: `${ledger.length} ledger rows, ${records.mails.length} receipts`,
    violations: [
      ...(ledger.length === unknowns ? [] : [`${ledger.length} ledger rows for ${unknowns} charges`]),
      ...(await violations(testWorker, records)),
    ],
  };
}

/**
 * E6b: the cron treats a charge as unanswered and settles it while the Worker that made it waits between the gateway's
 * answer and its own write. Half of the answers arrived, half were lost.
 */
export async function fasterCron(testWorker: TestWorker, invoices = sized(20, 6)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  const bills = await addBills(testWorker, invoices);
  const half = Math.floor(invoices / 2);
  await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: half });
  const payments = bills.map((bill) => pay(testWorker, bill, { knobs: { stopAt: 'after-gateway' } }));
  await clusterWorld.control.waitFor('after-gateway', invoices);
  await runCron(testWorker, 120_000);
  clusterWorld.control.release();
  const answers = await Promise.all(payments);
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  return {
    experiment: 'E6b cron faster than the answer',
    size: `${invoices} invoices`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: `${answers.filter(({ status }) => status === 200).length} of ${invoices} payers told at once`,
    violations: await violations(testWorker, records),
  };
}

/** E6c: the payer's request and the cron send the same receipt; the cron is held before the mail service. */
export async function twoSenders(testWorker: TestWorker, invoices = sized(10, 3)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  const bills = await addBills(testWorker, invoices);
  for (const bill of bills) {
    const payment = pay(testWorker, bill, { knobs: { stopAt: 'after-batch' } });
    await clusterWorld.control.waitFor('after-batch', 1);
    const cron = clusterWorld.steer('schedule', {}, { stopAt: 'outbox-before-send' });
    await clusterWorld.control.waitFor('outbox-before-send', 1);
    clusterWorld.control.release('after-batch');
    await payment;
    clusterWorld.control.release();
    await cron;
  }
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  return {
    experiment: 'E6c two senders of a receipt',
    size: `${invoices} invoices`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: `${records.mails.length} receipts`,
    violations: await violations(testWorker, records),
  };
}
