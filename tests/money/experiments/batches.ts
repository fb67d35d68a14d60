import { hubs, terminals } from '#sandbox/credentials';
import { type Figures, sized } from '../report.ts';
import { addBills, pay, type TestWorker } from '../test-worker.ts';

const [account] = hubs;
const online = terminals.find(({ channel }) => channel === 'ecommerce') ?? terminals[0];
export const merchant = { sessionId: 'money', accountId: account.hubId, userId: 1, role: 'admin' };

type Batch = { id: string; status: string };

/** The gateway's batches of the online terminal. */
async function batchesOf({ clusterWorld }: TestWorker): Promise<Batch[]> {
  const response = await fetch(`${clusterWorld.sandboxUrl}/rest/v2/batches`, {
    headers: { 'api-key': online?.apiKey ?? '', accept: 'application/json' },
  });
  if (response.status === 204) return [];
  const { payload } = (await response.json()) as { payload: { batches: { batch: Batch[] } } };
  return payload.batches.batch;
}

const closeCalls = async ({ clusterWorld }: TestWorker): Promise<number> => {
  const requests = await clusterWorld.sandbox<{ method: string; path: string }[]>('GET', 'requests');
  return requests.filter(({ method, path }) => method === 'PUT' && path.endsWith('/batches/open')).length;
};

/**
 * E8: twenty people press 'Close Batch' at the same moment, and a payer pays as soon as the batch is closed. In
 * alternate pairs of rounds the gateway answers or loses its answer.
 */
export async function concurrentCloses(
  testWorker: TestWorker,
  { rounds, presses }: { rounds: number; presses: number } = { rounds: sized(20, 4), presses: 20 },
): Promise<Figures> {
  const { clusterWorld } = testWorker;
  const errors: string[] = [];
  let extraCloses = 0;
  const bills = await addBills(testWorker, rounds * 2);
  for (let round = 0; round < rounds; round++) {
    const [first, second] = bills.slice(round * 2);
    if (!first || !second) throw new Error('too few bills');
    if (round === 0) await pay(testWorker, first);
    const previousBatches = await batchesOf(testWorker);
    const open = previousBatches.find(({ status }) => status === 'OPEN');
    if (!open) throw new Error('no batch is open');
    const calls = await closeCalls(testWorker);
    if (round % 4 >= 2)
      await clusterWorld.sandbox('POST', 'faults', { on: '/rest/v2/batches/open', do: 'drop-after', times: 1 });
    await clusterWorld.sandbox('POST', 'faults', { on: '/rest/v2/batches/open', do: 'delay', times: 1, ms: 40 });
    const press = () =>
      clusterWorld.steer<{ kind: string; batchId?: string }>('close', {
        merchant,
        terminalId: online?.terminalId,
        named: open.id,
      });
    const sale = async () => {
      while ((await batchesOf(testWorker)).find(({ id }) => id === open.id)?.status === 'OPEN')
        await new Promise((r) => setTimeout(r, 5));
      await pay(testWorker, second);
    };
    const [answers] = await Promise.all([Promise.all(Array.from({ length: presses }, press)), sale()]);
    // Presses after the next batch has opened still concern the first batch.
    answers.push(...(await Promise.all(Array.from({ length: 5 }, press))));
    await clusterWorld.sandbox('DELETE', 'faults');
    const closeCount = (await closeCalls(testWorker)) - calls;
    extraCloses += Math.max(0, closeCount - 1);
    if (closeCount !== 1) errors.push(`round ${round}: ${closeCount} closes at the gateway`);
    const next = (await batchesOf(testWorker)).filter(({ id }) => !previousBatches.some((known) => known.id === id));
    if (next.length !== 1 || next[0]?.status !== 'OPEN')
      errors.push(`round ${round}: the next batch is ${next[0]?.status}`);
    for (const { kind, batchId } of answers)
      if (batchId !== open.id || !['closed', 'unknown'].includes(kind))
        errors.push(`round ${round}: a press was answered ${kind} for batch ${batchId}`);
    clusterWorld.clockMs += 5_000;
  }
  return {
    experiment: 'E8 closes at once, a sale in between',
    size: `${rounds} rounds x ${presses}`,
    extraCharges: extraCloses,
    lostCharges: 0,
    control: null,
    note: `${rounds} batches closed, answers lost in ${Math.floor(rounds / 2)}`,
    violations: errors,
  };
}
