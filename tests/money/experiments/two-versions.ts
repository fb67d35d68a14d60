import type { Version } from '../cluster/cluster-world.ts';
import { violations } from '../invariants.ts';
import { becomeQuiet } from '../quiet.ts';
import { extraCharges, lostCharges, readRecords } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { addBills, passOfCron, pay, type TestWorker } from '../test-worker.ts';
import { SALE } from './gateway-faults.ts';

const MINUTE = 60_000;

/** Adds to the clinic's tables what the product does not know, as every migration does. */
export const LATER =
  "ALTER TABLE payment_attempts ADD COLUMN later TEXT NOT NULL DEFAULT ''; CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;";

/** The versions that run at once, the objects' first, and how many migrations the clinic has more in the end. */
const stages: { what: string; running: Version[]; more: number }[] = [
  { what: 'before', running: ['now'], more: 0 },
  { what: 'a later Worker beside objects that are behind', running: ['now', 'later'], more: 1 },
  { what: 'later objects beside an older Worker', running: ['later', 'now'], more: 1 },
  { what: 'rolled back', running: ['now'], more: 1 },
];

/**
 * E21: a later version is rolled out and back while payers pay, several at once for each invoice, on isolates of both
 * versions. In each stage some charges lose their answers and are settled by the object's own clock.
 */
export async function twoVersions(testWorker: TestWorker, invoices = sized(20, 4), submits = 4): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const schema = async () => (await clusterWorld.steer<{ schema: number }>('standing', {})).schema;
  const first = await schema();
  const wrong: string[] = [];
  const told: number[] = [];
  for (const { what, running, more } of stages) {
    // The next version finds what the one before has left open.
    const bills = await addBills(testWorker, invoices);
    await clusterWorld.runVersions(...running);
    await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: Math.ceil(invoices / 4) });
    const answers = await Promise.all(
      bills.flatMap((bill) => Array.from({ length: submits }, () => pay(testWorker, bill))),
    );
    told.push(...answers.map(({ status }) => status));
    wrong.push(
      ...answers
        .filter(({ status }) => ![200, 202, 409].includes(status))
        .map(({ status, text }) => `${what}: a payer was told ${status} ${text.slice(0, 80)}`),
    );
    const has = (await schema()) - first;
    if (has !== more) wrong.push(`${what}: the clinic has ${has} migrations more, not ${more}`);
    clusterWorld.clockMs += 2 * MINUTE;
    if (!(await clusterWorld.steer<boolean>('ring', {}))) wrong.push(`${what}: the clock did not ring`);
    await passOfCron(testWorker, MINUTE);
  }
  await becomeQuiet(testWorker);
  const records = await readRecords(testWorker);
  return {
    experiment: 'E21 two versions at once',
    size: `${stages.length} stages x ${invoices} invoices x ${submits}`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: `told ${countOf(told)}`,
    violations: [...wrong, ...(await violations(testWorker, records))],
  };
}
