import { type Point, points } from '../farm/knobs.ts';
import { violations, violationsNow } from '../invariants.ts';
import { becomeQuiet, until } from '../quiet.ts';
import { dedupeKey, extraCharges, lostCharges, readCharges, readRecords } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { type Answer, addBills, type Bill, cardToken, newTill, passOfCron, pay, payAll, type Till } from '../till.ts';
import { payUntilPaid } from './pay-until-paid.ts';

const SALE = '/rest/v2/mobile/transactions/sale';

export type Crash = { point: Point; how: 'kill' | 'reload' };

/** Each point with SIGKILL, and the ones around the charge with a deployment in the middle too. */
export const crashes: Crash[] = [
  ...points.map((point): Crash => ({ point, how: 'kill' })),
  ...(['after-claim', 'mid-gateway', 'after-gateway', 'mid-batch'] as const).map(
    (point): Crash => ({ point, how: 'reload' }),
  ),
];

/** E2: the Worker dies at one point, again and again, with one payment of each isolate standing there. */
export async function crashAt(till: Till, { point, how }: Crash, rounds = sized(10, 1), atOnce = 3): Promise<Figures> {
  const { farm } = till;
  await farm.sandbox('POST', 'settings', { dedupe: 'none' });
  const wrong: string[] = [];
  const found: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const bills = await addBills(till, atOnce);
    const { going, tokens } = await bringTo(till, point, bills);
    if (isMidWrite(point)) await letGo(till, round);
    if (how === 'kill') {
      await farm.kill();
      await farm.restart();
    } else {
      await farm.reload();
      farm.control.release();
    }
    await Promise.allSettled(going);
    if (point === 'mid-gateway') {
      await until(
        'the charges that were under way are recorded',
        async () => (await readCharges(farm, bills)).length === atOnce,
      );
    }
    wrong.push(...(await violationsNow(till)));
    found.push(...(await statesOf(till, bills)));
    await Promise.all(bills.map((bill, index) => pay(till, bill, tokens[index] ? { token: tokens[index] } : {})));
    await payAll(till, bills);
    const { bookedAfter } = await becomeQuiet(till);
    if (bookedAfter === null) wrong.push('not every charge was booked after two passes of the cron');
    wrong.push(...(await payUntilPaid(till, bills)));
  }
  const records = await readRecords(till);
  return {
    experiment: `E2 ${how} ${point}`,
    size: `${rounds} rounds x ${atOnce}`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: `left ${countOf(found)}; ${records.mails.length} receipts for ${records.ledger.length} payments`,
    violations: [...wrong, ...(await violations(till, records))],
  };
}

/** What a crash leaves of each payment: the state of its attempt, and whether its card was charged. */
async function statesOf(till: Till, bills: Bill[]): Promise<string[]> {
  const { attempts, charges } = await readRecords(till);
  return bills.map((bill) => {
    const state = attempts.findLast(({ invoice_id }) => invoice_id === bill.id)?.state ?? 'nothing';
    return charges.some(({ invoice }) => invoice === dedupeKey(bill)) ? `${state} (charged)` : state;
  });
}

const isMidWrite = (point: Point) => point.includes('mid-') && point !== 'mid-gateway';

/** Somewhere between the start of a write and its end: each round strikes a little later. */
async function letGo({ farm }: Till, round: number) {
  farm.control.release();
  await new Promise((resolve) => setTimeout(resolve, (round % 5) * 4));
}

type Standing = { going: Promise<unknown>[]; tokens: string[] };

/** Bring payments, or what the cron does for them, to the point and leave them standing there. */
async function bringTo(till: Till, point: Point, bills: Bill[]): Promise<Standing> {
  const { farm } = till;
  const tokens = await Promise.all(bills.map(() => cardToken(till)));
  if (point.startsWith('reconcile')) {
    await farm.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: bills.length });
    await Promise.all(bills.map((bill, index) => pay(till, bill, { token: tokens[index] ?? '' })));
    const going = [passOfCron(till, 120_000, { stopAt: point })];
    await farm.control.waitFor(point, 1);
    return { going: going.map(silently), tokens };
  }
  if (point === 'mid-gateway')
    await farm.sandbox('POST', 'faults', { on: SALE, do: 'late', times: bills.length, ms: 300 });
  const going: Promise<Answer>[] = bills.map((bill, index) =>
    pay(till, bill, { token: tokens[index] ?? '', knobs: { stopAt: point } }),
  );
  await farm.control.waitFor(point, bills.length);
  if (point === 'mid-gateway') {
    await until('the gateway has the calls', async () => (await farm.sandbox<unknown[]>('GET', 'faults')).length === 0);
  }
  return { going, tokens };
}

const silently = (work: Promise<unknown>) => work.catch(() => undefined);

/** The figures of all points in one world, one row each. */
export async function allCrashes({ farm }: Till, each: (figures: Figures) => void): Promise<void> {
  for (const crash of crashes) each(await crashAt(newTill(farm), crash));
}
