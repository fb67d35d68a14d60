import type { Version } from '../cluster/cluster-world.ts';
import { violations } from '../invariants.ts';
import { runUntilQuiet } from '../quiet.ts';
import { extraCharges, lostCharges, readRecords } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { addBills, pay, runCron, type TestWorker } from '../test-worker.ts';
import { SALE } from './gateway-faults.ts';

const MINUTE = 60_000;

/** A migration with a column and a table that the current product does not know. */
export const LATER =
  "ALTER TABLE payment_attempts ADD COLUMN later TEXT NOT NULL DEFAULT ''; CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;";

/** The versions that run at once, the objects' first, and the number of migrations that this adds to the clinic. */
const stages: { name: string; running: Version[]; addedMigrations: number }[] = [
  { name: 'before', running: ['now'], addedMigrations: 0 },
  { name: 'a later Worker beside objects that are behind', running: ['now', 'later'], addedMigrations: 1 },
  { name: 'later objects beside an older Worker', running: ['later', 'now'], addedMigrations: 1 },
  { name: 'rolled back', running: ['now'], addedMigrations: 1 },
];

/**
 * E21: a later version is rolled out and back while several payers at once pay each invoice, on isolates of both
 * versions. In each stage some charges lose their answers and are settled by the object's alarm.
 */
export async function twoVersions(testWorker: TestWorker, invoices = sized(20, 4), submits = 4): Promise<Figures> {
  const { clusterWorld } = testWorker;
  await clusterWorld.sandbox('POST', 'settings', { dedupe: 'none' });
  const readSchema = async () => (await clusterWorld.steer<{ schema: number }>('standing', {})).schema;
  const first = await readSchema();
  const errors: string[] = [];
  const statuses: number[] = [];
  for (const { name, running, addedMigrations } of stages) {
    // These invoices are added under the version of the stage before.
    const bills = await addBills(testWorker, invoices);
    await clusterWorld.runVersions(...running);
    await clusterWorld.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: Math.ceil(invoices / 4) });
    const answers = await Promise.all(
      bills.flatMap((bill) => Array.from({ length: submits }, () => pay(testWorker, bill))),
    );
    statuses.push(...answers.map(({ status }) => status));
    errors.push(
      ...answers
        .filter(({ status }) => ![200, 202, 409].includes(status))
        .map(({ status, text }) => `${name}: a payer got ${status} ${text.slice(0, 80)}`),
    );
    const added = (await readSchema()) - first;
    if (added !== addedMigrations)
      errors.push(`${name}: the clinic has ${added} more migrations instead of ${addedMigrations}`);
    clusterWorld.clockMs += 2 * MINUTE;
    if (!(await clusterWorld.steer<boolean>('ring', {}))) errors.push(`${name}: no alarm was due`);
    await runCron(testWorker, MINUTE);
  }
  await runUntilQuiet(testWorker);
  const records = await readRecords(testWorker);
  return {
    experiment: 'E21 two versions at once',
    size: `${stages.length} stages x ${invoices} invoices x ${submits}`,
    extraCharges: extraCharges(records.charges),
    lostCharges: lostCharges(records),
    control: null,
    note: `told ${countOf(statuses)}`,
    violations: [...errors, ...(await violations(testWorker, records))],
  };
}
