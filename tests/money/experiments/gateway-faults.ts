import { violations } from '../invariants.ts';
import { runUntilQuiet, until } from '../quiet.ts';
import { extraCharges, lostCharges, readCharges, readRecords } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { addBills, type Bill, cardToken, pay, payAll, runCron, type TestWorker } from '../test-worker.ts';
import { payUntilPaid, retryThreeTimes } from './pay-until-paid.ts';

export const SALE = '/rest/v2/mobile/transactions/sale';
const LOOK_UP = '/rest/v2/transactions';
const MINUTE = 60_000;

export const gatewayFaults = ['drop-before', 'drop-after', '500-after', 'html-after', 'wrong-amount', 'late'] as const;
export type GatewayFault = (typeof gatewayFaults)[number];

/** The longest pause of the sandbox; the test ends it earlier. */
export const UNTIL_RELEASED_MS = 600_000;

const isCharged = async (testWorker: TestWorker, bills: Bill[]) =>
  (await readCharges(testWorker.clusterWorld, bills)).length >= bills.length;

/** E3: every first charge loses its answer in the same way; each payer retries three times. */
export async function lostAnswers(
  testWorker: TestWorker,
  fault: GatewayFault,
  invoices = sized(20, 4),
): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const bills = await addBills(testWorker, invoices);
  const first = await Promise.all(
    bills.map(async (bill) => ({ bill, token: await cardToken(testWorker), attemptId: `form-${bill.id}` })),
  );
  await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: fault, times: invoices, ms: UNTIL_RELEASED_MS });
  await Promise.all(first.map(({ bill, ...payment }) => pay(testWorker, bill, payment)));
  // Half of the payers retry before the cron runs, which settles their own payment.
  const [eager, patient] = [first.filter((_, index) => index % 2 === 0), first.filter((_, index) => index % 2 === 1)];
  await Promise.all(eager.map(({ bill, token, attemptId }) => retryThreeTimes(testWorker, bill, token, attemptId)));
  clusterWorld.endPauses();
  if (fault !== 'drop-before') await until('every charge is recorded', () => isCharged(testWorker, bills));
  const { bookedAfter } = await runUntilQuiet(testWorker);
  await Promise.all(patient.map(({ bill, token, attemptId }) => retryThreeTimes(testWorker, bill, token, attemptId)));
  const unpaid = await payUntilPaid(testWorker, bills);
  const records = await readRecords(testWorker);
  const late = bookedAfter === null ? ['not every charge was in the ledger after two passes of the cron'] : [];
  return {
    experiment: `E3 ${fault}`,
    size: `${invoices} invoices, 3 retries each`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: `booked after ${bookedAfter} passes, ${endsOf(records.attempts)}`,
    violations: [...unpaid, ...late, ...(await violations(testWorker, records))],
  };
}

export const endsOf = (attempts: { state: string }[]) => countOf(attempts.map(({ state }) => state));

/**
 * E3d: the answer is lost, and the gateway is down for longer than the hold. A failed lookup must not count as "not
 * charged".
 */
export async function unreachable(testWorker: TestWorker, invoices = sized(20, 4)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const bills = await addBills(testWorker, invoices);
  await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: invoices });
  await payAll(testWorker, bills);
  const failures = ['500', 'html-502', 'drop-before', '429'];
  for (let round = 0; round < 25; round++) {
    await clusterWorld.sandbox('POST', 'faults', { on: LOOK_UP, do: failures[round % failures.length], times: 1_000 });
    await runCron(testWorker, 2 * MINUTE);
    await clusterWorld.sandbox('DELETE', 'faults');
  }
  // Only lookups fail now, so a card sent to the gateway would be charged.
  await clusterWorld.sandbox('POST', 'faults', { on: LOOK_UP, do: '500', times: 1_000 });
  await payAll(testWorker, bills);
  await clusterWorld.sandbox('DELETE', 'faults');
  await runCron(testWorker, 10 * MINUTE);
  const { bookedAfter } = await runUntilQuiet(testWorker, 1);
  const records = await readRecords(testWorker);
  return {
    experiment: 'E3d gateway silent for 50 minutes',
    size: `${invoices} invoices`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: `booked after ${bookedAfter === null ? 'more than 2' : bookedAfter + 1} passes, ${endsOf(records.attempts)}`,
    violations: await violations(testWorker, records),
  };
}

/**
 * E3e: the gateway charges a dollar less than requested. The product must not settle that by itself but put it into
 * manual review.
 */
export async function wrongAmount(testWorker: TestWorker, invoices = sized(10, 3)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  const bills = await addBills(testWorker, invoices);
  await payAll(testWorker, bills, {
    knobs: { settings: { GATEWAY_BASE_URL: `${clusterWorld.control.url}/short-change` } },
  });
  await runUntilQuiet(testWorker);
  await payAll(testWorker, bills);
  const records = await readRecords(testWorker);
  const inReview = records.attempts.filter(({ state }) => state === 'needs_human').length;
  return {
    experiment: 'E3e gateway charges another amount',
    size: `${invoices} invoices`,
    extraCharges: extraCharges(records.charges),
    lostCharges: 0,
    control: null,
    note: endsOf(records.attempts),
    violations: [
      ...(inReview === invoices ? [] : [`${inReview} of ${invoices} payments went to manual review`]),
      ...(await violations(testWorker, records)),
    ],
  };
}

/**
 * E3f: two invoices have the same number and amount. If their deduplication keys came from the number, the gateway
 * would answer the second sale with the first transaction. Both must be paid.
 */
export async function sameNumber(testWorker: TestWorker, pairs = sized(5, 2)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'commit' });
  for (let pair = 0; pair < pairs; pair++) {
    const twins = await addBills(testWorker, 2, `TWIN-${pair}`);
    for (const bill of twins) await pay(testWorker, bill);
  }
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  const paid = records.attempts.filter(({ state }) => state === 'approved').length;
  return {
    experiment: 'E3f two invoices of one number',
    size: `${pairs} pairs`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: endsOf(records.attempts),
    violations: [
      ...(paid === 2 * pairs ? [] : [`${paid} of ${2 * pairs} invoices were paid`]),
      ...(await violations(testWorker, records)),
    ],
  };
}

/**
 * E3i: the gateway answers the second sale with the transaction of the first one, which was for another invoice of the
 * same amount.
 */
export async function answerOfAnotherSale(testWorker: TestWorker, pairs = sized(5, 2)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  for (let pair = 0; pair < pairs; pair++) {
    const settings = { GATEWAY_BASE_URL: `${clusterWorld.control.url}/first-answer/${crypto.randomUUID()}` };
    const twins = await addBills(testWorker, 2, `EQUAL-${pair}`);
    for (const bill of twins) await pay(testWorker, bill, { knobs: { settings } });
  }
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  return {
    experiment: "E3i another sale's answer",
    size: `${pairs} pairs`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: endsOf(records.attempts),
    violations: await violations(testWorker, records),
  };
}
