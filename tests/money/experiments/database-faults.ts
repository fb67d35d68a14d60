import type { DatabaseFault } from '../cluster/knobs.ts';
import { violations, violationsNow } from '../invariants.ts';
import { becomeQuiet } from '../quiet.ts';
import { extraCharges, lostCharges, readRecords } from '../records.ts';
import { type Figures, sized } from '../report.ts';
import { addBills, passOfCron, pay, payAll, type TestWorker } from '../test-worker.ts';
import { payUntilPaid } from './pay-until-paid.ts';

const SALE = '/rest/v2/mobile/transactions/sale';

const always = 99;

/** The writer whose write breaks; by default the payment itself. */
type By = 'cron' | 'payer who asks again';

/** Faults of a clinic's database, on the way to its object and in it: claiming is one batch of three statements, settling an approval one of six. */
export const databaseFaults: (DatabaseFault & { by?: By })[] = [
  { on: 'claim', do: 'fail-before', times: always },
  { on: 'claim', do: 'lose-reply', times: always },
  { on: 'claim', do: 'refuse', after: 1, times: always },
  { on: 'claim', do: 'refuse', after: 2, times: always },
  { on: 'claim', do: 'fail-in-object', times: always },
  { on: 'claim', do: 'fail-after-commit', times: always },
  { on: 'settle', do: 'fail-before', times: 1 },
  { on: 'settle', do: 'fail-before', times: always },
  { on: 'settle', do: 'lose-reply', times: 1 },
  { on: 'settle', do: 'lose-reply', times: always },
  { on: 'settle', do: 'fail-in-object', times: always },
  { on: 'settle', do: 'fail-after-commit', times: 1 },
  { on: 'settle', do: 'fail-after-commit', times: always },
  { on: 'settle', do: 'refuse', after: 1, times: always },
  { on: 'settle', do: 'refuse', after: 2, times: always },
  { on: 'settle', do: 'refuse', after: 3, times: always },
  { on: 'settle', do: 'refuse', after: 4, times: always },
  { on: 'settle', do: 'refuse', after: 5, times: always },
  { on: 'settle', do: 'refuse', after: 6, times: always },
  { on: 'settle', do: 'fail-before', times: always, by: 'cron' },
  { on: 'settle', do: 'lose-reply', times: always, by: 'cron' },
  { on: 'settle', do: 'fail-after-commit', times: always, by: 'cron' },
  { on: 'settle', do: 'refuse', after: 4, times: always, by: 'cron' },
  { on: 'settle', do: 'fail-before', times: always, by: 'payer who asks again' },
  { on: 'settle', do: 'lose-reply', times: always, by: 'payer who asks again' },
];

/** E5: the clinic's database breaks in every way in turn, at the claim, at the settlement, and while the cron settles. */
export async function brokenDatabase(testWorker: TestWorker, invoices = sized(10, 2)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const wrong: string[] = [];
  for (const { by, ...database } of databaseFaults) {
    const bills = await addBills(testWorker, invoices);
    if (by) {
      await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: invoices });
      const asked = await payAll(testWorker, bills);
      if (by === 'cron') await passOfCron(testWorker, 120_000, { database });
      else await Promise.all(asked.map(({ bill, token }) => pay(testWorker, bill, { token, knobs: { database } })));
    } else {
      await payAll(testWorker, bills, { knobs: { database } });
    }
    const what = `${database.do} at ${database.on}${database.after ? ` after ${database.after}` : ''}${by ? ` by the ${by}` : ''}`;
    wrong.push(...(await violationsNow(testWorker)).map((sentence) => `${what}: ${sentence}`));
    await Promise.all(bills.filter((_, index) => index % 2 === 0).map((bill) => pay(testWorker, bill)));
    const { bookedAfter } = await becomeQuiet(testWorker, 1);
    if (bookedAfter === null) wrong.push(`${what}: not every charge was in the ledger after one pass of the cron`);
    wrong.push(...(await payUntilPaid(testWorker, bills)).map((sentence) => `${what}: ${sentence}`));
  }
  const records = await readRecords(testWorker);
  return {
    experiment: 'E5 clinic’s database breaks',
    size: `${databaseFaults.length} ways x ${invoices} invoices`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: '0 partial rows',
    violations: [...wrong, ...(await violations(testWorker, records))],
  };
}
