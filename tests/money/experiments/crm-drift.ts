import { hubs } from '#sandbox/credentials';
import { decimalFromCents } from '#shared/money';
import { violations } from '../invariants.ts';
import { runUntilQuiet } from '../quiet.ts';
import { extraCharges, lostCharges, readRecords } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { addBills, pay, payAll, type TestWorker } from '../test-worker.ts';

/**
 * E10: the balance changes in the CRM after the pay link was sent. A payer who submits no shown balance is charged the
 * new one; a payer who submits the old balance is not charged. After the payment the CRM still shows an open invoice.
 */
export async function changedBalance(testWorker: TestWorker, invoices = sized(20, 6)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  const bills = await addBills(testWorker, invoices);
  const shownAmounts = bills.map(({ amountCents }) => decimalFromCents(amountCents));
  for (const bill of bills) {
    bill.amountCents -= 777;
    const properties = { hs_balance_due: decimalFromCents(bill.amountCents) };
    await clusterWorld.sandbox('PATCH', `hubs/${hubs[0].hubId}/invoices/${bill.id}`, { properties });
  }
  const refused = await Promise.all(
    bills.map((bill, index) => pay(testWorker, bill, { amountShown: shownAmounts[index] ?? '' })),
  );
  await payAll(testWorker, bills);
  const repeated = await payAll(testWorker, bills);
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  const acceptedCount = [...refused, ...repeated].filter(({ status }) => status !== 409).length;
  return {
    experiment: 'E10 balance changes in the CRM',
    size: `${invoices} invoices`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: `answers ${countOf(testWorker.answers.map(({ status }) => status))}`,
    violations: [
      ...(acceptedCount === 0 ? [] : [`${acceptedCount} submits were not refused`]),
      ...(await violations(testWorker, records)),
    ],
  };
}
