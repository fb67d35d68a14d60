import type { DatabaseFault, Point } from '../cluster/knobs.ts';
import { violations, violationsNow } from '../invariants.ts';
import { becomeQuiet, until } from '../quiet.ts';
import { extraCharges, lostCharges, readRecords } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { type Answer, addBills, type Bill, cardToken, pay, payAll, type TestWorker } from '../test-worker.ts';
import { SALE } from './gateway-faults.ts';
import { payUntilPaid } from './pay-until-paid.ts';

const LOOK_UP = '/rest/v2/transactions';
const AT_ONCE = 3;

/** At a fail point of the payment, inside the write itself, or while the object's own clock settles. */
type Reset = { point: Point } | Pick<DatabaseFault, 'on' | 'do'> | 'while it settles';

const aroundAWrite = ['reset-before', 'reset-after', 'reset-after-commit'] as const;
const resets: Reset[] = [
  { point: 'before-claim' },
  { point: 'mid-claim' },
  { point: 'after-claim' },
  { point: 'mid-gateway' },
  { point: 'after-gateway' },
  { point: 'mid-batch' },
  { point: 'after-batch' },
  { point: 'before-answer' },
  ...aroundAWrite.map((how) => ({ on: 'claim' as const, do: how })),
  ...aroundAWrite.map((how) => ({ on: 'settle' as const, do: how })),
  'while it settles',
];

const nameOf = (reset: Reset) =>
  typeof reset === 'string' ? reset : 'point' in reset ? reset.point : `${reset.do} at ${reset.on}`;

/**
 * E19: the clinic's object ends in the middle of charges, with all calls to it, and lives on as a new one. The Worker
 * lives through it. The gateway's duplicate check is off.
 */
export async function resetObject(
  testWorker: TestWorker,
  rounds = sized(100, resets.length),
  ways = resets,
): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const wrong: string[] = [];
  const told: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const reset = ways[round % ways.length] ?? 'while it settles';
    const from = testWorker.answers.length;
    const bills = await addBills(testWorker, AT_ONCE);
    const tokens = await Promise.all(bills.map(() => cardToken(testWorker)));
    const { answers, wrong: found } = await payAndReset(testWorker, reset, bills, tokens);
    told.push(...answers.map(({ status }) => status));
    found.push(...(await violationsNow(testWorker)));
    // A card that was refused for certain may be charged when its payer asks again; that answer is no promise then.
    const unsure = answers.filter(({ status }) => status !== 503);
    await Promise.all(unsure.map(({ bill, token }) => pay(testWorker, bill, { token })));
    await payAll(testWorker, bills);
    const { bookedAfter } = await becomeQuiet(testWorker);
    if (bookedAfter === null) found.push('not every charge was in the ledger after two passes of the clock');
    found.push(...(await payUntilPaid(testWorker, bills)));
    found.push(...testWorker.answers.slice(from).flatMap(bare));
    wrong.push(...found.map((sentence) => `${nameOf(reset)}: ${sentence}`));
  }
  const records = await readRecords(testWorker);
  return {
    experiment: 'E19 object reset in a charge',
    size: `${rounds} rounds x ${AT_ONCE}`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: `first answers ${countOf(told)}; bare 500: ${testWorker.answers.flatMap(bare).length}`,
    violations: [...wrong, ...(await violations(testWorker, records))],
  };
}

/** An answer that tells a payer nothing. */
const bare = ({ status, text, bill }: Answer): string[] =>
  status === 0 || status === 500 ? [`${bill.number}: the payer was told ${status} ${text}`] : [];

async function payAndReset(
  testWorker: TestWorker,
  reset: Reset,
  bills: Bill[],
  tokens: string[],
): Promise<{ answers: Answer[]; wrong: string[] }> {
  const { clusterWorld } = testWorker;
  const { control } = clusterWorld;
  const payWith = (knobs: Parameters<typeof pay>[2]) =>
    Promise.all(bills.map((bill, index) => pay(testWorker, bill, { token: tokens[index] ?? '', ...knobs })));
  if (reset === 'while it settles') {
    await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: bills.length });
    const answers = await payWith({});
    return { answers, wrong: await resetWhileItSettles(testWorker) };
  }
  if (!('point' in reset))
    return { answers: await payWith({ knobs: { database: { ...reset, times: 1 } } }), wrong: [] };
  const { point } = reset;
  const going = payWith({ knobs: { stopAt: point } });
  await control.waitFor(point, bills.length);
  const isBeforeAWrite = point === 'mid-claim' || point === 'mid-batch';
  // So that the write is on its way.
  if (isBeforeAWrite) control.release(point);
  await clusterWorld.steer('reset', {});
  control.release(point);
  return { answers: await going, wrong: [] };
}

/** The clock rings, asks the gateway and ends there; it has set its next alarm before, which then settles. */
async function resetWhileItSettles({ clusterWorld }: TestWorker): Promise<string[]> {
  clusterWorld.clockMs += 120_000;
  await clusterWorld.sandbox('POST', 'faults', { on: LOOK_UP, do: 'delay', times: 1, ms: 500 });
  const ringing = clusterWorld.steer('ring', {}).catch(() => undefined);
  await until(
    'the gateway is asked',
    async () => (await clusterWorld.sandbox<unknown[]>('GET', 'faults')).length === 0,
  );
  await clusterWorld.steer('reset', {});
  if ((await ringing) !== undefined) throw new Error('the clock lived through its end');
  clusterWorld.clockMs += 120_000;
  const rings = await clusterWorld.steer<boolean>('ring', {});
  return rings ? [] : ['no alarm was set before the object ended'];
}
