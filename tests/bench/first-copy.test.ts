import { afterAll, beforeAll, expect, it } from 'vitest';
import { crmApp, hubs } from '#sandbox/credentials';
import { type Cluster, openCluster } from '#tests/money/cluster/cluster';
import { type ClusterWorld, startClusterWorld } from '#tests/money/cluster/cluster-world';
import { addBills, openTestWorker, pay } from '#tests/money/test-worker';
import { until } from '#tests/support/product/product';
import { createHubSpot } from '#worker/vendors/hubspot/hubspot';
import { isFull, printFigures, recordFigure } from './report.ts';

const INVOICES = isFull ? 20_000 : 1500;
/** One fault per this many calls: 5%. */
const PER_FAULT = 20;
/** The full sync at its stated size takes two minutes. */
const LONG_MS = 600_000;
const FAULTS = ['500', 'html-502', 'bad-json', '429', '401-expired', 'drop-after'];
const [account] = hubs;

let cluster: Cluster;
let clusterWorld: ClusterWorld;
beforeAll(async () => {
  cluster = await openCluster(1);
  clusterWorld = await startClusterWorld(cluster);
});
afterAll(async () => {
  await clusterWorld.stop();
  await cluster.stop();
});
printFigures();

/** The sum of all invoices, read from the CRM's own pages. */
async function billedInCrm(): Promise<number> {
  await clusterWorld.sandbox('POST', 'settings', { limits: false });
  await clusterWorld.sandbox('DELETE', 'faults');
  const crm = createHubSpot({
    baseUrl: clusterWorld.sandboxUrl,
    authorizeBase: clusterWorld.sandboxUrl,
    redirectUri: 'http://localhost:8787/oauth',
    ...crmApp,
    timeoutMs: 10_000,
  });
  const { accessToken } = await crm.refreshTokens(account.refreshToken);
  let [sum, after, isFirst] = [0, null as string | null, true];
  for (; isFirst || after !== null; isFirst = false) {
    const page: { records: { billedCents: number | null }[]; next: string | null } = await crm.listRecords(
      accessToken,
      'invoices',
      after,
      'UTC',
    );
    for (const { billedCents } of page.records) sum += billedCents ?? 0;
    after = page.next;
  }
  return sum;
}

type Sums = { n: number; ids: number; billed: number };

it(`copies ${INVOICES} invoices within the CRM's limits, despite faults and a kill, while payers pay`, async () => {
  const testWorker = await openTestWorker(clusterWorld);
  const bills = await addBills(testWorker, 6);
  await clusterWorld.sandbox('POST', `hubs/${account.hubId}/invoices`, { count: INVOICES });
  await clusterWorld.sandbox('POST', 'settings', { limits: true });
  const copy = async () => {
    const [row] = await clusterWorld.sql<{ complete_at: number | null; copied: number }>(
      'SELECT complete_at, copied FROM crm_sync_states WHERE account_id = ?',
      account.hubId,
    );
    return { isComplete: row?.complete_at !== null, copied: row?.copied ?? 0 };
  };
  const requestCount = async () => (await clusterWorld.sandbox<unknown[]>('GET', 'requests?since=0')).length;

  // The payer's page reads customers too, so no fault meant for the sync may be pending while a payer pays.
  let lastTurn: Promise<unknown> = Promise.resolve();
  const inSequence = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastTurn.then(work);
    lastTurn = turn.catch(() => undefined);
    return turn;
  };
  let faults = 0;
  let isOver = false;
  const faultLoop = (async () => {
    for (;;) {
      await until(async () => isOver || (await requestCount()) / PER_FAULT > faults + 1, Boolean, LONG_MS);
      if (isOver) return;
      const kind = FAULTS[faults++ % FAULTS.length];
      const fault = { on: '/crm/objects/2026-09/contacts', do: kind, times: 1 };
      await inSequence(() => clusterWorld.sandbox('POST', 'faults', fault));
    }
  })();

  const from = performance.now();
  let kills = 0;
  const answers: number[] = [];
  for (let turn = 0; turn < 60 && !(await copy()).isComplete; turn++) {
    const copying = clusterWorld.steer('copy', {}).catch(() => undefined);
    const bill = bills[answers.length];
    if (bill) {
      const payment = inSequence(async () => {
        await clusterWorld.sandbox('DELETE', 'faults');
        return pay(testWorker, bill);
      });
      answers.push((await payment).status);
    }
    let isEnded = false;
    void copying.then(() => (isEnded = true));
    if (kills === 0) await until(async () => isEnded || (await copy()).copied >= INVOICES / 4, Boolean, LONG_MS);
    if (kills === 0 && !isEnded) {
      kills++;
      await clusterWorld.kill();
      await clusterWorld.restart();
      clusterWorld.clockMs += 46_000;
    }
    await copying;
    clusterWorld.clockMs += 6000;
  }
  const seconds = (performance.now() - from) / 1000;
  isOver = true;
  await faultLoop;
  expect((await copy()).isComplete).toBe(true);
  expect(new Set(answers)).toEqual(new Set([200]));

  const state = await clusterWorld.sandbox<{ hubs: { hub_id: number; invoices: number; contacts: number }[] }>(
    'GET',
    'state',
  );
  const crm = state.hubs.find(({ hub_id }) => hub_id === account.hubId);
  const [copied] = await clusterWorld.sql<Sums>(
    'SELECT count(*) AS n, count(DISTINCT invoice_id) AS ids, sum(billed_cents) AS billed FROM invoices WHERE account_id = ?',
    account.hubId,
  );
  expect([copied?.n, copied?.ids]).toEqual([crm?.invoices, crm?.invoices]);
  const requests = await clusterWorld.sandbox<{ path: string; status: number }[]>('GET', 'requests?since=0');
  expect(kills).toBe(1);
  expect(copied?.billed).toBe(await billedInCrm());
  const limited = requests.filter(({ path, status }) => status === 429 && !path.includes('/contacts')).length;
  expect(limited).toBe(0);
  const text = `${copied?.n} of ${crm?.invoices}, ${requests.length} calls, ${faults} faults, ${kills} kill, ${seconds.toFixed(0)} s`;
  recordFigure(
    `first copy of ${INVOICES} invoices`,
    text,
    'every one once, no payer refused',
    copied?.n === crm?.invoices,
  );
});
