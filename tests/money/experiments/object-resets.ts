import type { DatabaseFault, Point } from '../cluster/knobs.ts';
import { violations, violationsNow } from '../invariants.ts';
import { runUntilQuiet, until } from '../quiet.ts';
import { extraCharges, lostCharges, readRecords } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { type Answer, addBills, type Bill, cardToken, pay, payAll, type TestWorker } from '../test-worker.ts';
import { SALE } from './gateway-faults.ts';
import { payUntilPaid } from './pay-until-paid.ts';

const LOOK_UP = '/rest/v2/transactions';
const AT_ONCE = 3;

/** A reset at a fail point of the payment, inside the write itself, or while the object's alarm settles. */
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
  ...aroundAWrite.map((fault) => ({ on: 'claim' as const, do: fault })),
  ...aroundAWrite.map((fault) => ({ on: 'settle' as const, do: fault })),
  'while it settles',
];

const nameOf = (reset: Reset) =>
  typeof reset === 'string' ? reset : 'point' in reset ? reset.point : `${reset.do} at ${reset.on}`;

/**
 * E19: the clinic's object is reset in the middle of charges, which ends all calls to it, and restarts as a new one.
 * The Worker keeps running. The gateway's duplicate check is off.
 */
export async function resetObject(
  testWorker: TestWorker,
  rounds = sized(100, resets.length),
  ways = resets,
): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const errors: string[] = [];
  const firstStatuses: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const reset = ways[round % ways.length] ?? 'while it settles';
    const firstAnswer = testWorker.answers.length;
    const bills = await addBills(testWorker, AT_ONCE);
    const tokens = await Promise.all(bills.map(() => cardToken(testWorker)));
    const { answers, errors: roundErrors } = await payAndReset(testWorker, reset, bills, tokens);
    firstStatuses.push(...answers.map(({ status }) => status));
    roundErrors.push(...(await violationsNow(testWorker)));
    // A 503 guarantees only that nothing was charged by then; a retry with that card may charge it, so leave these out.
    const retryable = answers.filter(({ status }) => status !== 503);
    await Promise.all(retryable.map(({ bill, token }) => pay(testWorker, bill, { token })));
    await payAll(testWorker, bills);
    const { bookedAfter } = await runUntilQuiet(testWorker);
    if (bookedAfter === null) roundErrors.push('not every charge was in the ledger after two passes of the cron');
    roundErrors.push(...(await payUntilPaid(testWorker, bills)));
    roundErrors.push(...testWorker.answers.slice(firstAnswer).flatMap(uninformative));
    errors.push(...roundErrors.map((error) => `${nameOf(reset)}: ${error}`));
  }
  const records = await readRecords(testWorker);
  return {
    experiment: 'E19 object reset in a charge',
    size: `${rounds} rounds x ${AT_ONCE}`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: `first answers ${countOf(firstStatuses)}; bare 500: ${testWorker.answers.flatMap(uninformative).length}`,
    violations: [...errors, ...(await violations(testWorker, records))],
  };
}

/** The error for an answer without information for the payer, if it is one. */
const uninformative = ({ status, text, bill }: Answer): string[] =>
  status === 0 || status === 500 ? [`${bill.number}: the payer got ${status} ${text}`] : [];

async function payAndReset(
  testWorker: TestWorker,
  reset: Reset,
  bills: Bill[],
  tokens: string[],
): Promise<{ answers: Answer[]; errors: string[] }> {
  const { clusterWorld } = testWorker;
  const { control } = clusterWorld;
  const payWith = (knobs: Parameters<typeof pay>[2]) =>
    Promise.all(bills.map((bill, index) => pay(testWorker, bill, { token: tokens[index] ?? '', ...knobs })));
  if (reset === 'while it settles') {
    await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: bills.length });
    const answers = await payWith({});
    return { answers, errors: await resetWhileItSettles(testWorker) };
  }
  if (!('point' in reset))
    return { answers: await payWith({ knobs: { database: { ...reset, times: 1 } } }), errors: [] };
  const { point } = reset;
  const answers = payWith({ knobs: { stopAt: point } });
  await control.waitFor(point, bills.length);
  const isBeforeAWrite = point === 'mid-claim' || point === 'mid-batch';
  // The reset then hits the write itself.
  if (isBeforeAWrite) control.release(point);
  await clusterWorld.steer('reset', {});
  control.release(point);
  return { answers: await answers, errors: [] };
}

/** Resets the object while its alarm waits for the gateway. It has set its next alarm first, which then settles. */
async function resetWhileItSettles({ clusterWorld }: TestWorker): Promise<string[]> {
  clusterWorld.clockMs += 120_000;
  await clusterWorld.sandbox('POST', 'faults', { on: LOOK_UP, do: 'delay', times: 1, ms: 500 });
  const firstRing = clusterWorld.steer('ring', {}).catch(() => undefined);
  await until(
    'the gateway gets the lookup',
    async () => (await clusterWorld.sandbox<unknown[]>('GET', 'faults')).length === 0,
  );
  await clusterWorld.steer('reset', {});
  if ((await firstRing) !== undefined) throw new Error('the alarm survived the reset');
  clusterWorld.clockMs += 120_000;
  const isSecondDue = await clusterWorld.steer<boolean>('ring', {});
  return isSecondDue ? [] : ['the object had set no alarm before the reset'];
}
