import { hubs } from '#sandbox/credentials';
import { decimalFromCents } from '#shared/money';
import { violations } from '../invariants.ts';
import { becomeQuiet } from '../quiet.ts';
import { extraCharges, lostCharges, readRecords } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { addBills, pay, payAll, type TestWorker } from '../test-worker.ts';

/**
 * E10: the balance changes in the CRM after the link went out. A payer who sends no shown balance is charged the new
 * one; one who sends the old balance is not charged. After the payment the CRM still says that the invoice is open.
 */
export async function changedBalance(testWorker: TestWorker, invoices = sized(20, 6)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  const bills = await addBills(testWorker, invoices);
  const shown = bills.map(({ amountCents }) => decimalFromCents(amountCents));
  for (const bill of bills) {
    bill.amountCents -= 777;
    const properties = { hs_balance_due: decimalFromCents(bill.amountCents) };
    await clusterWorld.sandbox('PATCH', `hubs/${hubs[0].hubId}/invoices/${bill.id}`, { properties });
  }
  const refused = await Promise.all(
    bills.map((bill, index) => pay(testWorker, bill, { amountShown: shown[index] ?? '' })),
  );
  await payAll(testWorker, bills);
  const again = await payAll(testWorker, bills);
  await becomeQuiet(testWorker);
  const records = await readRecords(testWorker);
  const wrong = [...refused, ...again].filter(({ status }) => status !== 409).length;
  return {
    experiment: 'E10 balance changes in the CRM',
    size: `${invoices} invoices`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: `answers ${countOf(testWorker.answers.map(({ status }) => status))}`,
    violations: [
      ...(wrong === 0 ? [] : [`${wrong} submits were not refused`]),
      ...(await violations(testWorker, records)),
    ],
  };
}
