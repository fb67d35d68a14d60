import { violations } from '../invariants.ts';
import { becomeQuiet } from '../quiet.ts';
import { extraCharges, lostCharges, readRecords } from '../records.ts';
import { type Figures, sized } from '../report.ts';
import { addBills, passOfCron, pay, payAll, type Till } from '../till.ts';

const SALE = '/rest/v2/mobile/transactions/sale';

/** E6: many runs of the cron at once over the same unanswered charges. */
export async function manyReconcilers(till: Till, unknowns = sized(30, 10), reconcilers = 12): Promise<Figures> {
  const { farm } = till;
  const bills = await addBills(till, unknowns);
  await farm.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: unknowns });
  await payAll(till, bills);
  farm.clockMs += 120_000;
  // A mail service that takes its time: whoever looks meanwhile sees the same mails as still owed.
  await farm.sandbox('POST', 'faults', { on: 'mail', do: 'delay', ms: 1000, times: 6 });
  await Promise.all(Array.from({ length: reconcilers }, () => farm.steer('schedule', {})));
  const { ledger } = await readRecords(till);
  await becomeQuiet(till);
  const records = await readRecords(till);
  return {
    experiment: `E6 ${reconcilers} reconcilers at once`,
    size: `${unknowns} unknowns`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: `${ledger.length} ledger rows, ${records.mails.length} receipts`,
    violations: [
      ...(ledger.length === unknowns ? [] : [`${ledger.length} ledger rows for ${unknowns} charges`]),
      ...(await violations(till, records)),
    ],
  };
}

/**
 * E6b: the cron takes a charge for unanswered and settles it while the Worker that made it still stands between the
 * gateway's answer and its own write. Half of the answers were good, half were lost.
 */
export async function cronIsFaster(till: Till, invoices = sized(20, 6)): Promise<Figures> {
  const { farm } = till;
  const bills = await addBills(till, invoices);
  const half = Math.floor(invoices / 2);
  await farm.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: half });
  const going = bills.map((bill) => pay(till, bill, { knobs: { stopAt: 'after-gateway' } }));
  await farm.control.waitFor('after-gateway', invoices);
  await passOfCron(till, 120_000);
  farm.control.release();
  const answers = await Promise.all(going);
  await becomeQuiet(till);
  const records = await readRecords(till);
  return {
    experiment: 'E6b cron faster than the answer',
    size: `${invoices} invoices`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: `${answers.filter(({ status }) => status === 200).length} of ${invoices} payers told at once`,
    violations: await violations(till, records),
  };
}
