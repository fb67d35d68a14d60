import { randomInt } from 'node:crypto';
import { hubs } from '#sandbox/credentials';
import { decimalFromCents } from '#shared/money';
import type { ClusterWorld } from '../cluster/cluster-world.ts';
import { violations } from '../invariants.ts';
import { runUntilQuiet } from '../quiet.ts';
import {
  type Charge,
  extraCharges,
  lostCharges,
  naiveKey,
  type Records,
  readCharges,
  readRecords,
  saleCalls,
} from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import {
  addBills,
  addBillsInParts,
  type Bill,
  cardToken,
  LEAST_PART_CENTS,
  newTestWorker,
  pay,
  payAll,
  runCron,
  type TestWorker,
} from '../test-worker.ts';
import { SALE, UNTIL_RELEASED_MS } from './gateway-faults.ts';
import { salesCarriedOut } from './late-success.ts';
import { payUntilPaid } from './pay-until-paid.ts';

const MINUTE = 60_000;
const PART_CENTS = 2_000;

/**
 * E22: in two rounds, many payers press Pay on the same invoice at the same moment, each for a part of random size,
 * even more than the remaining balance. Then each invoice is paid in full. The gateway's duplicate check is off.
 */
export async function concurrentParts(
  testWorker: TestWorker,
  { invoices, payers } = { invoices: sized(20, 3), payers: sized(25, 10) },
): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const bills = await addBillsInParts(testWorker, invoices);
  await pressAtOnce(clusterWorld, bills, payers, (bill, partCents) => pay(testWorker, bill, { partCents }));
  await payAll(testWorker, bills);
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  const unguarded = await addUnguarded(testWorker, invoices);
  await pressAtOnce(clusterWorld, unguarded, payers, (bill, partCents) => payNaively(testWorker, bill, partCents));
  const charges = await chargesOf(clusterWorld, unguarded);
  return {
    experiment: 'E22 parts at once',
    size: `${invoices} invoices x ${payers}`,
    ...figuresOf(testWorker, records),
    control: String(unguarded.filter((bill) => centsOf(charges, bill) > bill.amountCents).length),
    violations: [...unpaid(records), ...(await violations(testWorker, records))],
  };
}

async function pressAtOnce(
  clusterWorld: ClusterWorld,
  bills: Bill[],
  payers: number,
  payPart: (bill: Bill, partCents: number) => Promise<unknown>,
): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'delay', times: bills.length * payers, ms: 60 });
    await Promise.all(
      bills.flatMap((bill) =>
        Array.from({ length: payers }, () => payPart(bill, randomInt(LEAST_PART_CENTS, bill.amountCents))),
      ),
    );
    await clusterWorld.sandbox('DELETE', 'faults');
  }
}

/** E22b: equal parts in turn, at a gateway that treats two charges with the same key as one. */
export async function equalParts(testWorker: TestWorker, invoices = sized(20, 3)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  const bills = await addBillsInParts(testWorker, invoices);
  const unguarded = await addUnguarded(testWorker, invoices);
  for (let part = 0; part < 3; part++) {
    await payAll(testWorker, bills, { partCents: PART_CENTS });
    await payAllNaively(testWorker, unguarded, PART_CENTS);
  }
  await payAll(testWorker, bills);
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  const equalCount = records.charges.filter(({ amountCents }) => amountCents === PART_CENTS).length;
  return {
    experiment: 'E22b equal parts',
    size: `${invoices} invoices`,
    ...figuresOf(testWorker, records),
    control: String(3 * invoices - (await chargesOf(clusterWorld, unguarded)).length),
    violations: [
      ...(equalCount === 3 * invoices ? [] : [`${equalCount} of ${3 * invoices} equal parts were charged`]),
      ...unpaid(records),
      ...(await violations(testWorker, records)),
    ],
  };
}

/** E22c: the balance is edited in the CRM between two parts. After that, nothing more may be charged. */
export async function editedBetweenParts(testWorker: TestWorker, invoices = sized(20, 3)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  const bills = await addBillsInParts(testWorker, invoices);
  const unguarded = await addUnguarded(testWorker, invoices);
  await payAll(testWorker, bills, { partCents: PART_CENTS });
  await payAllNaively(testWorker, unguarded, PART_CENTS);
  for (const bill of [...bills, ...unguarded]) {
    const properties = { hs_balance_due: decimalFromCents(bill.amountCents - PART_CENTS) };
    await clusterWorld.sandbox('PATCH', `hubs/${hubs[0].hubId}/invoices/${bill.id}`, { properties });
  }
  const refused = [
    ...(await payAll(testWorker, bills, { partCents: PART_CENTS })),
    ...(await payAll(testWorker, bills)),
  ];
  await payAllNaively(testWorker, unguarded);
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  const accepted = refused.filter(({ status }) => status !== 409).length;
  const rows = await clusterWorld.sql<{ n: number }>(
    "SELECT count(*) AS n FROM collections WHERE state = 'frozen' AND frozen_at IS NOT NULL",
  );
  return {
    experiment: 'E22c edited between parts',
    size: `${invoices} invoices`,
    ...figuresOf(testWorker, records),
    control: String((await chargesOf(clusterWorld, unguarded)).length - invoices),
    violations: [
      ...(accepted === 0 ? [] : [`${accepted} submits were not refused`]),
      ...(records.charges.length === invoices ? [] : [`${records.charges.length} charges`]),
      ...(rows[0]?.n === invoices ? [] : [`${rows[0]?.n} invoices await manual review`]),
      ...(await violations(testWorker, records)),
    ],
  };
}

/**
 * E22d: a part is released as not charged, and the gateway carries it out after all. Meanwhile its payer tries another
 * amount, then the whole balance, then the same amount again. Under one key the gateway charges the same amount only
 * once, but a different amount again.
 */
export async function differentAmount(testWorker: TestWorker, invoices = sized(20, 3)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  const callsBefore = await saleCalls(clusterWorld);
  const bills = await addBillsInParts(testWorker, invoices);
  const unguarded = await addUnguarded(testWorker, invoices);
  await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'late', times: 2 * invoices, ms: UNTIL_RELEASED_MS });
  await Promise.all([
    payAll(testWorker, bills, { partCents: PART_CENTS }),
    payAllNaively(testWorker, unguarded, PART_CENTS),
  ]);
  for (const minutes of [2, 2, 12]) await runCron(testWorker, minutes * MINUTE);
  const larger = await payAll(testWorker, bills, { partCents: PART_CENTS + 1_000 });
  const remainderAnswers = await payAll(testWorker, bills);
  const sameAmountAnswers = await payAll(testWorker, bills, { partCents: PART_CENTS });
  await payAllNaively(testWorker, unguarded, PART_CENTS + 1_000);
  const expectedSales = (await readRecords(testWorker)).attempts.length + 2 * invoices;
  clusterWorld.endPauses();
  await salesCarriedOut(clusterWorld, callsBefore + expectedSales);
  await runUntilQuiet(testWorker);
  const unpaidAtEnd = await payUntilPaid(testWorker, bills);
  const records = await readRecords(testWorker);
  // The price of a part answers 422; the claim alone answers 409.
  const accepted = [...larger, ...remainderAnswers].filter(({ status }) => status !== 422 && status !== 409).length;
  const refused = sameAmountAnswers.filter(({ status }) => status !== 200).length;
  return {
    experiment: 'E22d another amount after a release',
    size: `${invoices} invoices`,
    ...figuresOf(testWorker, records),
    control: String(extraCharges(await chargesOf(clusterWorld, unguarded))),
    violations: [
      ...(accepted === 0 ? [] : [`${accepted} different amounts were not refused`]),
      ...(refused === 0 ? [] : [`${refused} payments of the same amount were refused`]),
      ...unpaidAtEnd,
      ...(await violations(testWorker, records)),
    ],
  };
}

/** Adds invoices of the control, which checks the balance, charges and then records, without any of the guards. */
const addUnguarded = ({ clusterWorld }: TestWorker, count: number): Promise<Bill[]> =>
  addBills(newTestWorker(clusterWorld), count);

const payNaively = async (testWorker: TestWorker, { payId }: Bill, partCents?: number) =>
  testWorker.clusterWorld.steer('naive', { payId, token: await cardToken(testWorker), partCents });

const payAllNaively = (testWorker: TestWorker, bills: Bill[], partCents?: number) =>
  Promise.all(bills.map((bill) => payNaively(testWorker, bill, partCents)));

const chargesOf = (clusterWorld: ClusterWorld, unguarded: Bill[]) => readCharges(clusterWorld, unguarded, naiveKey);

const centsOf = (charges: Charge[], bill: Bill): number =>
  charges.filter(({ invoice }) => invoice === naiveKey(bill)).reduce((sum, { amountCents }) => sum + amountCents, 0);

const figuresOf = ({ answers }: TestWorker, records: Records) => ({
  extraCharges: extraCharges(records.charges),
  lostCharges: lostCharges(records),
  note: `${records.charges.length} parts; answers ${countOf(answers.map(({ status }) => status))}`,
});

const unpaid = ({ bills, localStatuses }: Records): string[] =>
  bills.filter(({ id }) => localStatuses.get(id) !== 'paid').map(({ number }) => `${number} was not paid in full`);
