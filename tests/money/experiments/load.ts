import { compareAll, plantErrors } from '../compare-answers.ts';
import { violations } from '../invariants.ts';
import { runUntilQuiet } from '../quiet.ts';
import { extraCharges, lostCharges, readRecords } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { addBills, type Bill, type TestWorker } from '../test-worker.ts';
import { clientsOf } from './clients.ts';
import { desks } from './terminals.ts';

const BY_LINK = '/rest/v2/mobile/transactions/sale';
const AT_DESK = '/rest/v2/terminal/transactions/sale';
const LOOK_UP = '/rest/v2/transactions';
const PAYERS_AT_ONCE = 4;
const BILLS_AT_ONCE = 40;

type Fault = { on: string; do: string };
const faultsOf = (sale: string): Fault[] => [
  { on: sale, do: 'drop-after' },
  { on: 'crm', do: '500' },
  { on: sale, do: 'drop-before' },
  { on: sale, do: 'html-after' },
  { on: LOOK_UP, do: 'drop-before' },
  { on: 'crm', do: '429' },
  { on: sale, do: '500-after' },
  { on: sale, do: 'wrong-amount' },
  { on: 'crm', do: 'html-502' },
  { on: sale, do: '500' },
  { on: sale, do: 'bad-json' },
  { on: 'crm', do: 'drop-before' },
  { on: sale, do: '429' },
  { on: LOOK_UP, do: '500' },
  { on: 'crm', do: '401-expired' },
  { on: sale, do: 'html-502' },
];

/** The fault that a payment meets: one in twenty has one, on both channels in turn. */
function faultFor(index: number): Fault | null {
  const turn = Math.floor(index / 40);
  const faults = index % 40 === 5 ? faultsOf(AT_DESK) : index % 40 === 22 ? faultsOf(BY_LINK) : [];
  return faults[turn % faults.length] ?? null;
}

/** Divides the payments equally between links and terminals; some invoices are in both queues. */
function queuesOf(payments: number) {
  const all = Array.from({ length: payments }, (_, index) => index);
  return {
    link: all.filter((index) => index % 2 === 0 || index % 30 === 15),
    desk: all.filter((index) => index % 2 === 1),
  };
}

/**
 * E15: many concurrent payments by link and on card readers. Some are declined, cancelled or submitted twice; one in
 * twenty meets a fault of the gateway or the CRM. The test records every answer to a client and finally compares it
 * with ledger and gateway.
 */
export async function answersUnderLoad(testWorker: TestWorker, payments = sized(600, 100)): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none', auto_tap: false });
  for (let added = 0; added < payments; added += BILLS_AT_ONCE)
    await addBills(testWorker, Math.min(BILLS_AT_ONCE, payments - added));
  const clients = clientsOf(testWorker);
  const queues = queuesOf(payments);
  let faults = 0;

  const work = async (queue: number[], step: (bill: Bill, index: number) => Promise<void>) => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
      const bill = testWorker.bills[index];
      const fault = faultFor(index);
      if (!bill) throw new Error(`bill ${index} does not exist`);
      if (fault) {
        faults++;
        // The product retries the CRM once before it reports an error.
        await clusterWorld.sandbox('POST', 'faults', { ...fault, times: fault.on === 'crm' ? 2 : 1 });
      }
      await step(bill, index);
    }
  };
  await Promise.all([
    ...Array.from({ length: PAYERS_AT_ONCE }, () => work(queues.link, clients.payByLink)),
    ...desks.map((desk) => work(queues.desk, (bill, index) => clients.sellAtDesk(desk, bill, index))),
  ]);
  const unusedFaults = await clusterWorld.sandbox<Fault[]>('GET', 'faults');
  await clusterWorld.sandbox('DELETE', 'faults');
  await runUntilQuiet(testWorker, 4);
  await clients.readFinalAnswers();

  const records = await readRecords(testWorker);
  const comparisons = compareAll(clients.clientAnswers, records);
  const { planted, found, falseAlarms } = plantErrors(clients.clientAnswers, records);
  const kinds = countOf(comparisons.map(({ kind }) => kind));
  const isJoinCorrect = found === planted && falseAlarms === 0;
  return {
    experiment: 'E15 every word kept and joined',
    size: `${payments} payments, ${faults} faults (${unusedFaults.length} not met)`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: `${found} of ${planted} planted found`,
    note: `${clients.clientAnswers.length} words: ${kinds}; ${countOf(records.attempts.map(({ state }) => state))}`,
    violations: [
      ...comparisons.flatMap(({ bill, kind, reason }) =>
        kind === 'match' ? [] : [`${bill.number}: ${kind}, ${reason}`],
      ),
      ...(isJoinCorrect ? [] : [`of ${planted} planted errors ${found} were found, with ${falseAlarms} false alarms`]),
      ...(await violations(testWorker, records)),
    ],
  };
}
