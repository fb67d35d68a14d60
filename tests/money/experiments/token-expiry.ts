import type { ClusterWorld } from '../cluster/cluster-world.ts';
import type { Point } from '../cluster/knobs.ts';
import { violations } from '../invariants.ts';
import { becomeQuiet } from '../quiet.ts';
import { extraCharges, lostCharges, readRecords } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { type Answer, addBills, type Bill, cardToken, newTestWorker, pay, type TestWorker } from '../test-worker.ts';

/** Longer than a CRM access token lasts (30 minutes). */
const EXPIRY_S = 3600;
const CALLS = 30;
const RECOVERED_MS = 15_000;
/** The skipped part of the ten-second lease; the test waits for the rest. */
const SKIPPED_MS = 9_000;

type Asked = { at: string; path: string; status: number };

/** The Worker's requests to the CRM's token endpoint, including refused renewals. */
const renewals = async (clusterWorld: ClusterWorld): Promise<Asked[]> =>
  (await clusterWorld.sandbox<Asked[]>('GET', 'requests')).filter(({ path }) => /^\/oauth\/.*\/token$/.test(path));

/** Advances both clocks: the Worker knows when its token expires, and the CRM refuses it afterwards. */
async function expire(clusterWorld: ClusterWorld) {
  clusterWorld.clockMs += EXPIRY_S * 1000;
  await clusterWorld.sandbox('POST', 'clock', { add_s: EXPIRY_S });
}

type Ready = { bill: Bill; token: string };

/** Bills whose payers have their cards ready just after the CRM's token expired. */
async function readyToPay(testWorker: TestWorker): Promise<Ready[]> {
  const bills = await addBills(testWorker, CALLS);
  await expire(testWorker.clusterWorld);
  return Promise.all(bills.map(async (bill) => ({ bill, token: await cardToken(testWorker) })));
}

const notPaid = (answers: Answer[]): string[] =>
  answers
    .filter(({ status }) => status !== 200)
    .map(({ bill, status, text }) => `${bill.number} was answered ${status} ${text.slice(0, 80)}`);

/** E7: thirty payers at once, on all isolates, when the token has just expired and the renewal is slow. */
export async function tokenExpiry(testWorker: TestWorker, rounds = sized(10, 2)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { rotate_refresh: true });
  const wrong: string[] = [];
  const calls: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const ready = await readyToPay(testWorker);
    await clusterWorld.sandbox('POST', 'faults', { on: '/oauth', do: 'delay', times: CALLS, ms: 400 });
    const before = (await renewals(clusterWorld)).length;
    const answers = await Promise.all(ready.map(({ bill, token }) => pay(testWorker, bill, { token })));
    await clusterWorld.sandbox('DELETE', 'faults');
    calls.push((await renewals(clusterWorld)).length - before);
    wrong.push(...notPaid(answers));
  }
  if (calls.some((count) => count !== 1)) wrong.unshift(`${calls.join(', ')} token calls in a round`);
  await becomeQuiet(testWorker);
  const records = await readRecords(testWorker);
  return {
    experiment: 'E7 token expires under load',
    size: `${rounds} rounds x ${CALLS} calls`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: `token calls per round ${countOf(calls)}; ${notPaid(testWorker.answers).length} calls failed`,
    violations: [...wrong, ...(await violations(testWorker, records))],
  };
}

export type HolderDies = {
  /** Before its request to the CRM, or with an unsaved response. */
  point: Extract<Point, 'before-renewal' | 'after-renewal'>;
  rounds?: number;
};

/**
 * E7b: the request that holds the lease is killed. A CRM that rotates refresh tokens revokes the old grant once it has
 * responded, so a later crash is survivable only without rotation.
 */
export async function holderDies(
  { clusterWorld }: TestWorker,
  { point, rounds = sized(4, 1) }: HolderDies,
): Promise<Figures> {
  const testWorker = newTestWorker(clusterWorld);
  await clusterWorld.sandbox('POST', 'settings', { rotate_refresh: point === 'before-renewal' });
  const wrong: string[] = [];
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const ready = await readyToPay(testWorker);
    const [first, ...others] = ready as [Ready, ...Ready[]];
    // One request takes the lease and stops; the others wait for it.
    const holder = pay(testWorker, first.bill, { token: first.token, knobs: { stopAt: point } });
    await clusterWorld.control.waitFor(point, 1);
    const waiting = others.slice(0, 10).map(({ bill, token }) => pay(testWorker, bill, { token }));
    const died = Date.now();
    await clusterWorld.kill();
    await Promise.all([holder, ...waiting]);
    await clusterWorld.restart();
    // The test process's restart time does not count as a payer's wait.
    const restarted = Date.now();
    const skipped = Math.max(0, SKIPPED_MS - (restarted - died));
    clusterWorld.clockMs += skipped;
    wrong.push(...notPaid(await Promise.all(ready.map(({ bill, token }) => pay(testWorker, bill, { token })))));
    const renewed = (await renewals(clusterWorld)).find(({ at, status }) => Date.parse(at) >= died && status === 200);
    took.push(renewed ? skipped + Math.max(0, Date.parse(renewed.at) - restarted) : Number.POSITIVE_INFINITY);
  }
  const slowest = Math.max(...took);
  if (slowest > RECOVERED_MS) wrong.push(`renewed only after ${slowest} ms`);
  await becomeQuiet(testWorker);
  const records = await readRecords(testWorker);
  return {
    experiment: `E7b holder of the renewal dies ${point}`,
    size: `${rounds} rounds x ${CALLS} calls`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: `renewed ${(slowest / 1000).toFixed(1)} s after the restart at most`,
    violations: [...wrong, ...(await violations(testWorker, records))],
  };
}
