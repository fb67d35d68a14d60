import { type Knobs, type Point, points } from '../cluster/knobs.ts';
import { violations, violationsNow } from '../invariants.ts';
import { becomeQuiet, until } from '../quiet.ts';
import { dedupeKey, extraCharges, lostCharges, readCharges, readRecords } from '../records.ts';
import { countOf, type Figures, isFull, sized } from '../report.ts';
import {
  type Answer,
  addBills,
  addBillsInParts,
  type Bill,
  cardToken,
  newTestWorker,
  passOfCron,
  pay,
  payAll,
  type TestWorker,
} from '../test-worker.ts';
import { payUntilPaid } from './pay-until-paid.ts';

const SALE = '/rest/v2/mobile/transactions/sale';

type Crash = { points: Point[]; how: 'kill' | 'reload' };

const isOfCron = (point: Point) => point.startsWith('reconcile');
/** First, because the fault delays the gateway's next calls. */
const ofPayers: Point[] = ['mid-gateway', ...points.filter((point) => !isOfCron(point) && point !== 'mid-gateway')];
const aroundTheCharge: Point[] = ['mid-gateway', 'after-claim', 'after-gateway', 'mid-batch'];

/** Each point with SIGKILL, and those around the charge also with a deployment in the middle. */
const apart: Crash[] = [
  ...points.map((point): Crash => ({ points: [point], how: 'kill' })),
  ...aroundTheCharge.map((point): Crash => ({ points: [point], how: 'reload' })),
];

/** The same with fewer crashes: payers at different points crash together. */
const together: Crash[] = [
  { points: ofPayers, how: 'kill' },
  ...points.filter(isOfCron).map((point): Crash => ({ points: [point], how: 'kill' })),
  { points: aroundTheCharge, how: 'reload' },
];

/** Amount of each part except the last. */
const PART_CENTS = 2_000;

/** Deduplication key of the payment held at the point: a whole payment, or the second of two equal parts. */
const keyAtPoint = (bill: Bill) => dedupeKey(bill, bill.inParts ? 2 : 1);

/**
 * E2: the Worker crashes repeatedly, with whole payments and parts held at each point, one of each per isolate. Any
 * remainder of an invoice in parts is then paid in full.
 */
async function crashAt(testWorker: TestWorker, { points: at, how }: Crash, rounds = sized(5, 1)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const wrong: string[] = [];
  const foundWhole: string[] = [];
  const foundInParts: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const standing: Standing[] = [];
    for (const point of at) standing.push(await bringTo(testWorker, point, await addPayers(testWorker)));
    const bills = standing.flatMap((one) => one.bills);
    await letGo(testWorker, at.filter(isMidWrite), round);
    if (how === 'kill') {
      await clusterWorld.kill();
      await clusterWorld.restart();
    } else {
      await clusterWorld.reload();
      clusterWorld.control.release();
    }
    await Promise.allSettled(standing.flatMap(({ going }) => going));
    const sent = standing.filter(({ point }) => point === 'mid-gateway').flatMap((one) => one.bills);
    await until(
      'the charges that were under way are recorded',
      async () => (await chargedAtPoint(testWorker, sent)).length === sent.length,
    );
    wrong.push(...(await violationsNow(testWorker)));
    foundWhole.push(
      ...(await statesOf(
        testWorker,
        bills.filter(({ inParts }) => !inParts),
      )),
    );
    foundInParts.push(
      ...(await statesOf(
        testWorker,
        bills.filter(({ inParts }) => inParts),
      )),
    );
    const tokens = standing.flatMap((one) => one.tokens);
    await Promise.all(bills.map((bill, index) => payAtPoint(testWorker, bill, tokens[index])));
    await payAll(testWorker, bills);
    const { bookedAfter } = await becomeQuiet(testWorker);
    if (bookedAfter === null) wrong.push('not every charge was in the ledger after two passes of the cron');
    wrong.push(...(await payUntilPaid(testWorker, bills, PART_CENTS)));
  }
  const records = await readRecords(testWorker);
  return {
    experiment: `E2 ${how} ${at.length > 1 ? `payers at ${at.length} points` : at}`,
    size: `${rounds} rounds x ${at.length * PAYERS.whole} whole, ${at.length * PAYERS.inParts} in parts`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: `left ${countOf(foundWhole)}; in parts ${countOf(foundInParts)}; ${records.mails.length} receipts for ${records.ledger.length} payments`,
    violations: [...wrong, ...(await violations(testWorker, records))],
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

/** Releases the writes and waits briefly, so that the crash comes during them; a little later each round. */
async function letGo({ clusterWorld }: TestWorker, at: Point[], round: number) {
  if (at.length === 0) return;
  for (const point of at) clusterWorld.control.release(point);
  await new Promise((resolve) => setTimeout(resolve, (round % 5) * 4));
}

type Standing = { point: Point; bills: Bill[]; going: Promise<unknown>[]; tokens: string[] };

/** Brings payments, or the cron's work for them, to the point and holds them there. */
async function bringTo(testWorker: TestWorker, point: Point, bills: Bill[]): Promise<Standing> {
  const { clusterWorld } = testWorker;
  const tokens = await Promise.all(bills.map(() => cardToken(testWorker)));
  if (isOfCron(point)) {
    await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: bills.length });
    await Promise.all(bills.map((bill, index) => payAtPoint(testWorker, bill, tokens[index])));
    const going = [passOfCron(testWorker, 120_000, { stopAt: point })];
    await clusterWorld.control.waitFor(point, 1);
    return { point, bills, going: going.map(silently), tokens };
  }
  if (point === 'mid-gateway')
    await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'late', times: bills.length, ms: 300 });
  const going: Promise<Answer>[] = bills.map((bill, index) =>
    payAtPoint(testWorker, bill, tokens[index], { stopAt: point }),
  );
  await clusterWorld.control.waitFor(point, bills.length);
  if (point === 'mid-gateway') {
    await until(
      'the gateway has the calls',
      async () => (await clusterWorld.sandbox<unknown[]>('GET', 'faults')).length === 0,
    );
  }
  return { point, bills, going, tokens };
}

const silently = (work: Promise<unknown>) => work.catch(() => undefined);

/** The figures of all points in one world, one row each. */
export async function allCrashes({ clusterWorld }: TestWorker, each: (figures: Figures) => void): Promise<void> {
  for (const crash of isFull ? apart : together) each(await crashAt(newTestWorker(clusterWorld), crash));
}
