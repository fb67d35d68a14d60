import { readRecords } from './records.ts';
import { runCron, type TestWorker } from './test-worker.ts';

const MINUTE = 60_000;
const HOLD_MS = 15 * MINUTE;

export type Quiet = {
  /** The cron passes until the ledger held every charge; null if the allowed passes were too few. */
  bookedAfter: number | null;
};

/**
 * Runs the cron until nothing is open: first the passes allowed for settling charges, then past the end of the hold
 * for attempts without a charge. A pass comes two minutes after the previous one.
 */
export async function runUntilQuiet(testWorker: TestWorker, allowedPasses = 2): Promise<Quiet> {
  let bookedAfter: number | null = null;
  for (let pass = 0; pass <= allowedPasses && bookedAfter === null; pass++) {
    if (pass > 0) await runCron(testWorker, 2 * MINUTE);
    if (await isBooked(testWorker)) bookedAfter = pass;
  }
  for (const laterMs of [MINUTE, MINUTE, HOLD_MS, MINUTE, MINUTE]) {
    if (await isOver(testWorker)) break;
    await runCron(testWorker, laterMs);
  }
  return { bookedAfter };
}

async function isBooked(testWorker: TestWorker): Promise<boolean> {
  const { charges, ledger } = await readRecords(testWorker);
  return charges.every(({ id }) => ledger.some((row) => row.provider_txn_id === id));
}

/** True if no attempt is open and every receipt is sent. */
async function isOver({ clusterWorld }: TestWorker): Promise<boolean> {
  const [row] = await clusterWorld.sql<{ n: number }>(
    "SELECT (SELECT count(*) FROM payment_attempts WHERE state IN ('sent', 'unknown')) + (SELECT count(*) FROM outbox WHERE state = 'due') AS n",
  );
  return row?.n === 0;
}

/** Polls a condition of the outside world, which gives no other signal. Throws after `withinMs`. */
export async function until(condition: string, isTrue: () => Promise<boolean>, withinMs = 20_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`timed out waiting until ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
