import { violations } from '../invariants.ts';
import { runUntilQuiet, until } from '../quiet.ts';
import { extraCharges, lostCharges, readCharges, readRecords } from '../records.ts';
import { type Figures, sized } from '../report.ts';
import { addBills, type Bill, pay, runCron, type TestWorker } from '../test-worker.ts';
import { endsOf, SALE, UNTIL_RELEASED_MS } from './gateway-faults.ts';

const LOOK_UP = '/rest/v2/transactions';
const MINUTE = 60_000;

/** How a charge becomes visible between the two lookups of one status inquiry. */
export type Way = 'one index lags' | 'the charge is late';

/**
 * E17: the answer to a charge is lost, and the charge becomes visible after the lookup by order id and before the
 * lookup by the invoice's key. It is the attempt's own charge, so the attempt must not move to `needs_human`.
 */
export async function lateSighting(testWorker: TestWorker, way: Way, invoices = sized(20, 3)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const round = way === 'one index lags' ? lagOnce : lateCharge;
  const bills = await addBills(testWorker, invoices);
  for (const bill of bills) await round(testWorker, bill);
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  const reviewed = records.moves.filter(({ became }) => became === 'needs_human').length;
  const stuck = records.attempts.filter(({ state }) => state !== 'approved').length;
  return {
    experiment: `E17 ${way} between two look-ups`,
    size: `${invoices} rounds`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: `${stuck} stuck, ${reviewed} before a person, ${endsOf(records.attempts)}`,
    violations: [
      ...(reviewed === 0 ? [] : [`${reviewed} charges of the attempt itself went to manual review`]),
      ...(stuck === 0 ? [] : [`${stuck} payers do not learn of their payment`]),
      ...(await violations(testWorker, records)),
    ],
  };
}

/** The first lookup misses the charge, the second one sees it. */
async function lagOnce(testWorker: TestWorker, bill: Bill): Promise<void> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: 1 });
  await pay(testWorker, bill);
  await clusterWorld.sandbox('POST', 'faults', { on: LOOK_UP, do: 'search-lag', times: 1, ms: 10 * MINUTE });
  await runCron(testWorker, 2 * MINUTE);
}

/** The Worker gives up, the cron's first lookup finds nothing, and only then the gateway charges. */
async function lateCharge(testWorker: TestWorker, bill: Bill): Promise<void> {
  const { clusterWorld } = testWorker;
  const isCharged = async () => (await readCharges(clusterWorld, [bill])).length > 0;
  await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'late', times: 1, ms: UNTIL_RELEASED_MS });
  await pay(testWorker, bill);
  const cron = runCron(testWorker, 2 * MINUTE, { stopAt: 'reconcile-after-find' });
  await clusterWorld.control.waitFor('reconcile-after-find', 1);
  if (await isCharged()) throw new Error('the charge came before the first lookup');
  clusterWorld.endPauses();
  await until('the charge is carried out', isCharged);
  clusterWorld.control.release();
  await cron;
}
