import type { DatabaseFault } from '../cluster/knobs.ts';
import { violations, violationsNow } from '../invariants.ts';
import { runUntilQuiet } from '../quiet.ts';
import { extraCharges, lostCharges, readRecords } from '../records.ts';
import { type Figures, sized } from '../report.ts';
import { addBills, pay, payAll, runCron, type TestWorker } from '../test-worker.ts';
import { payUntilPaid } from './pay-until-paid.ts';

const SALE = '/rest/v2/mobile/transactions/sale';

/** More often than any request writes. */
const ALWAYS = 99;

/** The writer whose write breaks; by default the payment itself. */
type Writer = 'cron' | 'payer who retries';

/**
 * Faults of a clinic's database, on the way to its object and in it. A claim is one batch of three statements; settling
 * an approval is one batch of six.
 */
export const databaseFaults: (DatabaseFault & { writer?: Writer })[] = [
  { on: 'claim', do: 'fail-before', times: ALWAYS },
  { on: 'claim', do: 'lose-reply', times: ALWAYS },
  { on: 'claim', do: 'refuse', after: 1, times: ALWAYS },
  { on: 'claim', do: 'refuse', after: 2, times: ALWAYS },
  { on: 'claim', do: 'fail-in-object', times: ALWAYS },
  { on: 'claim', do: 'fail-after-commit', times: ALWAYS },
  { on: 'settle', do: 'fail-before', times: 1 },
  { on: 'settle', do: 'fail-before', times: ALWAYS },
  { on: 'settle', do: 'lose-reply', times: 1 },
  { on: 'settle', do: 'lose-reply', times: ALWAYS },
  { on: 'settle', do: 'fail-in-object', times: ALWAYS },
  { on: 'settle', do: 'fail-after-commit', times: 1 },
  { on: 'settle', do: 'fail-after-commit', times: ALWAYS },
  { on: 'settle', do: 'refuse', after: 1, times: ALWAYS },
  { on: 'settle', do: 'refuse', after: 2, times: ALWAYS },
  { on: 'settle', do: 'refuse', after: 3, times: ALWAYS },
  { on: 'settle', do: 'refuse', after: 4, times: ALWAYS },
  { on: 'settle', do: 'refuse', after: 5, times: ALWAYS },
  { on: 'settle', do: 'refuse', after: 6, times: ALWAYS },
  { on: 'settle', do: 'fail-before', times: ALWAYS, writer: 'cron' },
  { on: 'settle', do: 'lose-reply', times: ALWAYS, writer: 'cron' },
  { on: 'settle', do: 'fail-after-commit', times: ALWAYS, writer: 'cron' },
  { on: 'settle', do: 'refuse', after: 4, times: ALWAYS, writer: 'cron' },
  { on: 'settle', do: 'fail-before', times: ALWAYS, writer: 'payer who retries' },
  { on: 'settle', do: 'lose-reply', times: ALWAYS, writer: 'payer who retries' },
];

/** E5: each database fault in turn, at the claim, at the settlement, and while the cron settles. */
export async function brokenDatabase(testWorker: TestWorker, invoices = sized(10, 2)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const errors: string[] = [];
  for (const { writer, ...database } of databaseFaults) {
    const bills = await addBills(testWorker, invoices);
    if (writer) {
      await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: invoices });
      const lostPayments = await payAll(testWorker, bills);
      if (writer === 'cron') await runCron(testWorker, 120_000, { database });
      else
        await Promise.all(lostPayments.map(({ bill, token }) => pay(testWorker, bill, { token, knobs: { database } })));
    } else {
      await payAll(testWorker, bills, { knobs: { database } });
    }
    const label = `${database.do} at ${database.on}${database.after ? ` after ${database.after}` : ''}${writer ? ` by the ${writer}` : ''}`;
    errors.push(...(await violationsNow(testWorker)).map((violation) => `${label}: ${violation}`));
    await Promise.all(bills.filter((_, index) => index % 2 === 0).map((bill) => pay(testWorker, bill)));
    const { bookedAfter } = await runUntilQuiet(testWorker, 1);
    if (bookedAfter === null) errors.push(`${label}: not every charge was in the ledger after one pass of the cron`);
    errors.push(...(await payUntilPaid(testWorker, bills)).map((violation) => `${label}: ${violation}`));
  }
  const records = await readRecords(testWorker);
  return {
    experiment: 'E5 clinic’s database breaks',
    size: `${databaseFaults.length} ways x ${invoices} invoices`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: '0 partial rows',
    violations: [...errors, ...(await violations(testWorker, records))],
  };
}
