import { type Knobs, type Point, points } from '../cluster/knobs.ts';
import { violations, violationsNow } from '../invariants.ts';
import { runUntilQuiet, until } from '../quiet.ts';
import { dedupeKey, extraCharges, lostCharges, readCharges, readRecords } from '../records.ts';
import { countOf, type Figures, isFull, sized } from '../report.ts';
import {
  type Answer,
  addBills,
  addBillsInParts,
  type Bill,
  cardToken,
  newTestWorker,
  pay,
  payAll,
  runCron,
  type TestWorker,
} from '../test-worker.ts';
import { payUntilPaid } from './pay-until-paid.ts';

const SALE = '/rest/v2/mobile/transactions/sale';

type Crash = { points: Point[]; action: 'kill' | 'reload' };

const isOfCron = (point: Point) => point.startsWith('reconcile');
/** `mid-gateway` comes first, because its fault delays the gateway's next calls. */
const payerPoints: Point[] = ['mid-gateway', ...points.filter((point) => !isOfCron(point) && point !== 'mid-gateway')];
const chargePoints: Point[] = ['mid-gateway', 'after-claim', 'after-gateway', 'mid-batch'];

/** Each point with SIGKILL, and the points around the charge also with a deployment. */
const separateCrashes: Crash[] = [
  ...points.map((point): Crash => ({ points: [point], action: 'kill' })),
  ...chargePoints.map((point): Crash => ({ points: [point], action: 'reload' })),
];

/** The same points with fewer crashes: payers at different points crash together. */
const groupedCrashes: Crash[] = [
  { points: payerPoints, action: 'kill' },
  ...points.filter(isOfCron).map((point): Crash => ({ points: [point], action: 'kill' })),
  { points: chargePoints, action: 'reload' },
];

/** Amount of each part except the last. */
const PART_CENTS = 2_000;

/** Deduplication key of the payment held at the point: a whole payment, or the second of two equal parts. */
const keyAtPoint = (bill: Bill) => dedupeKey(bill, bill.inParts ? 2 : 1);

/**
 * E2: the Worker crashes repeatedly, with whole payments and parts held at each point, one of each per isolate. The
 * remainder of each invoice in parts is then paid in full.
 */
async function crashAt(testWorker: TestWorker, { points: at, action }: Crash, rounds = sized(5, 1)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const errors: string[] = [];
  const statesWhole: string[] = [];
  const statesInParts: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const held: HeldPayments[] = [];
    for (const point of at) held.push(await holdAtPoint(testWorker, point, await addPayers(testWorker)));
    const bills = held.flatMap((group) => group.bills);
    await releaseWrites(testWorker, at.filter(isMidWrite), round);
    if (action === 'kill') {
      await clusterWorld.kill();
      await clusterWorld.restart();
    } else {
      await clusterWorld.reload();
      clusterWorld.control.release();
    }
    await Promise.allSettled(held.flatMap(({ requests }) => requests));
    const chargedBills = held.filter(({ point }) => point === 'mid-gateway').flatMap((group) => group.bills);
    await until(
      'the charges that were under way are recorded',
      async () => (await chargedAtPoint(testWorker, chargedBills)).length === chargedBills.length,
    );
    errors.push(...(await violationsNow(testWorker)));
    statesWhole.push(
      ...(await statesOf(
        testWorker,
        bills.filter(({ inParts }) => !inParts),
      )),
    );
    statesInParts.push(
      ...(await statesOf(
        testWorker,
        bills.filter(({ inParts }) => inParts),
      )),
    );
    const tokens = held.flatMap((group) => group.tokens);
    await Promise.all(bills.map((bill, index) => payAtPoint(testWorker, bill, tokens[index])));
    await payAll(testWorker, bills);
    const { bookedAfter } = await runUntilQuiet(testWorker);
    if (bookedAfter === null) errors.push('not every charge was in the ledger after two passes of the cron');
    errors.push(...(await payUntilPaid(testWorker, bills, PART_CENTS)));
  }
  const records = await readRecords(testWorker);
  return {
    experiment: `E2 ${action} ${at.length > 1 ? `payers at ${at.length} points` : at}`,
    size: `${rounds} rounds x ${at.length * PAYERS.whole} whole, ${at.length * PAYERS.inParts} in parts`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: `left ${countOf(statesWhole)}; in parts ${countOf(statesInParts)}; ${records.mails.length} receipts for ${records.ledger.length} payments`,
    violations: [...errors, ...(await violations(testWorker, records))],
  };
}

/** Payers per point: of whole invoices, and of invoices with one part already paid. */
const PAYERS = { whole: 3, inParts: sized(3, 1) };

async function addPayers(testWorker: TestWorker): Promise<Bill[]> {
  const inParts = await addBillsInParts(testWorker, PAYERS.inParts);
  await payAll(testWorker, inParts, { partCents: PART_CENTS });
  return [...(await addBills(testWorker, PAYERS.whole)), ...inParts];
}

const payAtPoint = (testWorker: TestWorker, bill: Bill, token = '', knobs: Knobs = {}) =>
  pay(testWorker, bill, { token, knobs, ...(bill.inParts ? { partCents: PART_CENTS } : {}) });

/** The charges of the payments that were held at the point. */
async function chargedAtPoint({ clusterWorld }: TestWorker, bills: Bill[]) {
  const keys = new Set(bills.map(keyAtPoint));
  return (await readCharges(clusterWorld, bills)).filter(({ invoice }) => keys.has(invoice));
}

/** The result of a crash for each payment: the state of its attempt, and whether its card was charged. */
async function statesOf(testWorker: TestWorker, bills: Bill[]): Promise<string[]> {
  const { attempts } = await readRecords(testWorker);
  const charged = new Set((await chargedAtPoint(testWorker, bills)).map(({ invoice }) => invoice));
  return bills.map(keyAtPoint).map((key) => {
    const state = attempts.findLast(({ dedupe_key }) => dedupe_key === key)?.state ?? 'nothing';
    return charged.has(key) ? `${state} (charged)` : state;
  });
}

const isMidWrite = (point: Point) => point.includes('mid-') && point !== 'mid-gateway';

/** Releases the writes and waits briefly, a little longer each round, so that the crash hits them midway. */
async function releaseWrites({ clusterWorld }: TestWorker, at: Point[], round: number) {
  if (at.length === 0) return;
  for (const point of at) clusterWorld.control.release(point);
  await new Promise((resolve) => setTimeout(resolve, (round % 5) * 4));
}

type HeldPayments = { point: Point; bills: Bill[]; requests: Promise<unknown>[]; tokens: string[] };

/** Brings payments, or the cron's work for them, to the point and holds them there. */
async function holdAtPoint(testWorker: TestWorker, point: Point, bills: Bill[]): Promise<HeldPayments> {
  const { clusterWorld } = testWorker;
  const tokens = await Promise.all(bills.map(() => cardToken(testWorker)));
  if (isOfCron(point)) {
    await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: bills.length });
    await Promise.all(bills.map((bill, index) => payAtPoint(testWorker, bill, tokens[index])));
    const requests = [runCron(testWorker, 120_000, { stopAt: point })];
    await clusterWorld.control.waitFor(point, 1);
    return { point, bills, requests: requests.map(ignoreFailure), tokens };
  }
  if (point === 'mid-gateway')
    await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'late', times: bills.length, ms: 300 });
  const requests: Promise<Answer>[] = bills.map((bill, index) =>
    payAtPoint(testWorker, bill, tokens[index], { stopAt: point }),
  );
  await clusterWorld.control.waitFor(point, bills.length);
  if (point === 'mid-gateway') {
    await until(
      'the gateway has the calls',
      async () => (await clusterWorld.sandbox<unknown[]>('GET', 'faults')).length === 0,
    );
  }
  return { point, bills, requests, tokens };
}

const ignoreFailure = (work: Promise<unknown>) => work.catch(() => undefined);

/** Crashes at all points in one world and reports one row of figures per crash. */
export async function allCrashes({ clusterWorld }: TestWorker, report: (figures: Figures) => void): Promise<void> {
  const crashes = isFull ? separateCrashes : groupedCrashes;
  for (const crash of crashes) report(await crashAt(newTestWorker(clusterWorld), crash));
}
