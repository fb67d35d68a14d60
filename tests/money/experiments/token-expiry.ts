import type { ClusterWorld } from '../cluster/cluster-world.ts';
import type { Point } from '../cluster/knobs.ts';
import { violations } from '../invariants.ts';
import { runUntilQuiet } from '../quiet.ts';
import { extraCharges, lostCharges, readRecords } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { type Answer, addBills, type Bill, cardToken, newTestWorker, pay, type TestWorker } from '../test-worker.ts';

/** Longer than a CRM access token lasts (30 minutes). */
const EXPIRY_S = 3600;
const CALLS = 30;
const RECOVERED_MS = 15_000;
/** The part of the ten-second lease that the test skips; it waits for the rest (ms). */
const SKIPPED_MS = 9_000;

type TokenCall = { at: string; path: string; status: number };

/** The Worker's requests to the CRM's token endpoint, including refused renewals. */
const renewals = async (clusterWorld: ClusterWorld): Promise<TokenCall[]> =>
  (await clusterWorld.sandbox<TokenCall[]>('GET', 'requests')).filter(({ path }) => /^\/oauth\/.*\/token$/.test(path));

/** Advances both clocks: the Worker knows when its token expires, and the CRM refuses it afterwards. */
async function expire(clusterWorld: ClusterWorld) {
  clusterWorld.clockMs += EXPIRY_S * 1000;
  await clusterWorld.sandbox('POST', 'clock', { add_s: EXPIRY_S });
}

type ReadyPayer = { bill: Bill; token: string };

/** Adds bills whose payers have card tokens ready just after the CRM's token has expired. */
async function readyToPay(testWorker: TestWorker): Promise<ReadyPayer[]> {
  const bills = await addBills(testWorker, CALLS);
  await expire(testWorker.clusterWorld);
  return Promise.all(bills.map(async (bill) => ({ bill, token: await cardToken(testWorker) })));
}

const unpaid = (answers: Answer[]): string[] =>
  answers
    .filter(({ status }) => status !== 200)
    .map(({ bill, status, text }) => `${bill.number} got ${status} ${text.slice(0, 80)}`);

/** E7: thirty payers at once, on all isolates, when the token has just expired and the renewal is slow. */
export async function tokenExpiry(testWorker: TestWorker, rounds = sized(10, 2)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { rotate_refresh: true });
  const errors: string[] = [];
  const calls: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const readyPayers = await readyToPay(testWorker);
    await clusterWorld.sandbox('POST', 'faults', { on: '/oauth', do: 'delay', times: CALLS, ms: 400 });
    const renewalsBefore = (await renewals(clusterWorld)).length;
    const answers = await Promise.all(readyPayers.map(({ bill, token }) => pay(testWorker, bill, { token })));
    await clusterWorld.sandbox('DELETE', 'faults');
    calls.push((await renewals(clusterWorld)).length - renewalsBefore);
    errors.push(...unpaid(answers));
  }
  if (calls.some((count) => count !== 1)) errors.unshift(`${calls.join(', ')} token calls per round`);
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  return {
    experiment: 'E7 token expires under load',
    size: `${rounds} rounds x ${CALLS} calls`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: `token calls per round ${countOf(calls)}; ${unpaid(testWorker.answers).length} calls failed`,
    violations: [...errors, ...(await violations(testWorker, records))],
  };
}

export type KillLeaseHolder = {
  /** The holder is killed before its request to the CRM, or before it saves the response. */
  point: Extract<Point, 'before-renewal' | 'after-renewal'>;
  rounds?: number;
};

/**
 * E7b: the request that holds the lease is killed. A CRM that rotates refresh tokens revokes the old one as soon as it
 * responds, so a crash after the response is survivable only without rotation.
 */
export async function killLeaseHolder(
  { clusterWorld }: TestWorker,
  { point, rounds = sized(4, 1) }: KillLeaseHolder,
): Promise<Figures> {
  const testWorker = newTestWorker(clusterWorld);
  await clusterWorld.sandbox('POST', 'settings', { rotate_refresh: point === 'before-renewal' });
  const errors: string[] = [];
  const durations: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const readyPayers = await readyToPay(testWorker);
    const [first, ...others] = readyPayers as [ReadyPayer, ...ReadyPayer[]];
    // One request takes the lease and stops; the others wait for it.
    const holder = pay(testWorker, first.bill, { token: first.token, knobs: { stopAt: point } });
    await clusterWorld.control.waitFor(point, 1);
    const waiting = others.slice(0, 10).map(({ bill, token }) => pay(testWorker, bill, { token }));
    const killedAt = Date.now();
    await clusterWorld.kill();
    await Promise.all([holder, ...waiting]);
    await clusterWorld.restart();
    // The restart time of the test process does not count as a payer's wait.
    const restartedAt = Date.now();
    const skippedMs = Math.max(0, SKIPPED_MS - (restartedAt - killedAt));
    clusterWorld.clockMs += skippedMs;
    const answers = await Promise.all(readyPayers.map(({ bill, token }) => pay(testWorker, bill, { token })));
    errors.push(...unpaid(answers));
    const tokenCalls = await renewals(clusterWorld);
    const renewed = tokenCalls.find(({ at, status }) => Date.parse(at) >= killedAt && status === 200);
    durations.push(renewed ? skippedMs + Math.max(0, Date.parse(renewed.at) - restartedAt) : Number.POSITIVE_INFINITY);
  }
  const slowest = Math.max(...durations);
  if (slowest > RECOVERED_MS) errors.push(`renewed only after ${slowest} ms`);
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  return {
    experiment: `E7b holder of the renewal dies ${point}`,
    size: `${rounds} rounds x ${CALLS} calls`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: `renewed ${(slowest / 1000).toFixed(1)} s after the restart at most`,
    violations: [...errors, ...(await violations(testWorker, records))],
  };
}
