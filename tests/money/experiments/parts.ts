import { randomInt } from 'node:crypto';
import { hubs } from '#sandbox/credentials';
import { decimalFromCents } from '#shared/money';
import { violations } from '../invariants.ts';
import { becomeQuiet } from '../quiet.ts';
import { extraCharges, lostCharges, type Records, readRecords } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { addBillsInParts, LEAST_PART_CENTS, pay, payAll, type TestWorker } from '../test-worker.ts';

/**
 * E22: many payers press Pay on the same invoice at the same moment, each for a part of any size, also more than is left,
 * and two rounds of it. Then each invoice is paid to its end. The gateway's own duplicate check is off.
 */
export async function partsAtOnce(
  testWorker: TestWorker,
  { invoices, payers } = { invoices: sized(20, 3), payers: sized(25, 10) },
): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const bills = await addBillsInParts(testWorker, invoices);
  for (let round = 0; round < 2; round++) {
    await clusterWorld.sandbox('POST', 'faults', { on: 'gateway', do: 'delay', times: invoices * payers, ms: 60 });
    await Promise.all(
      bills.flatMap((bill) =>
        Array.from({ length: payers }, () =>
          pay(testWorker, bill, { partCents: randomInt(LEAST_PART_CENTS, bill.amountCents) }),
        ),
      ),
    );
    await clusterWorld.sandbox('DELETE', 'faults');
  }
  await payAll(testWorker, bills);
  await becomeQuiet(testWorker);
  const records = await readRecords(testWorker);
  return {
    experiment: 'E22 parts at once',
    size: `${invoices} invoices x ${payers}`,
    ...figuresOf(testWorker, records),
    violations: [...unpaid(records), ...(await violations(testWorker, records))],
  };
}

/** E22b: equal parts, one after the other, at a gateway that takes two charges with one key for the same. */
export async function equalParts(testWorker: TestWorker, invoices = sized(20, 3)): Promise<Figures> {
  const bills = await addBillsInParts(testWorker, invoices);
  const partCents = 2_000;
  for (let part = 0; part < 3; part++) await payAll(testWorker, bills, { partCents });
  await payAll(testWorker, bills);
  await becomeQuiet(testWorker);
  const records = await readRecords(testWorker);
  const equal = records.charges.filter(({ amountCents }) => amountCents === partCents).length;
  return {
    experiment: 'E22b equal parts',
    size: `${invoices} invoices`,
    ...figuresOf(testWorker, records),
    violations: [
      ...(equal === 3 * invoices ? [] : [`${equal} equal parts were charged of ${3 * invoices}`]),
      ...unpaid(records),
      ...(await violations(testWorker, records)),
    ],
  };
}

/** E22c: the balance is edited in the CRM between two parts. Nothing is charged any more. */
export async function editedBetweenParts(testWorker: TestWorker, invoices = sized(20, 3)): Promise<Figures> {
  const bills = await addBillsInParts(testWorker, invoices);
  await payAll(testWorker, bills, { partCents: 2_000 });
  for (const bill of bills) {
    const properties = { hs_balance_due: decimalFromCents(bill.amountCents - 2_000) };
    await testWorker.clusterWorld.sandbox('PATCH', `hubs/${hubs[0].hubId}/invoices/${bill.id}`, { properties });
  }
  const refused = [...(await payAll(testWorker, bills, { partCents: 2_000 })), ...(await payAll(testWorker, bills))];
  await becomeQuiet(testWorker);
  const records = await readRecords(testWorker);
  const wrong = refused.filter(({ status }) => status !== 409).length;
  const rows = await testWorker.clusterWorld.sql<{ n: number }>(
    "SELECT count(*) AS n FROM collections WHERE state = 'frozen' AND frozen_at IS NOT NULL",
  );
  return {
    experiment: 'E22c edited between parts',
    size: `${invoices} invoices`,
    ...figuresOf(testWorker, records),
    violations: [
      ...(wrong === 0 ? [] : [`${wrong} submits were not refused`]),
      ...(records.charges.length === invoices ? [] : [`${records.charges.length} charges`]),
      ...(rows[0]?.n === invoices ? [] : [`${rows[0]?.n} invoices wait for a person`]),
      ...(await violations(testWorker, records)),
    ],
  };
}

const figuresOf = ({ answers }: TestWorker, records: Records) => ({
  extraCharges: extraCharges(records.charges),
  lost: lostCharges(records),
  control: null,
  note: `${records.charges.length} parts; answers ${countOf(answers.map(({ status }) => status))}`,
});

const unpaid = ({ bills, localStatuses }: Records): string[] =>
  bills.filter(({ id }) => localStatuses.get(id) !== 'paid').map(({ number }) => `${number} was not paid to its end`);
