import { becomeQuiet } from '../quiet.ts';
import { readRecords } from '../records.ts';
import { type Bill, pay, type TestWorker } from '../test-worker.ts';

/** The three ways in which a worried payer retries. */
export async function retryThreeTimes(
  testWorker: TestWorker,
  bill: Bill,
  token: string,
  attemptId: string,
): Promise<void> {
  await pay(testWorker, bill, { token, attemptId });
  await pay(testWorker, bill, { attemptId });
  await pay(testWorker, bill);
}

/**
 * Once all is quiet, uncharged payers pay with another card. Returns the errors of the end state: each invoice must
 * be paid exactly once.
 */
export async function payUntilPaid(testWorker: TestWorker, bills: Bill[]): Promise<string[]> {
  const before = await readRecords(testWorker);
  await Promise.all(
    bills.filter(({ id }) => before.localStatuses.get(id) === 'none').map((bill) => pay(testWorker, bill)),
  );
  await becomeQuiet(testWorker);
  const after = await readRecords(testWorker);
  return bills.flatMap(({ id, number }) => {
    const booked = after.ledger.filter((row) => row.invoice_id === id).length;
    return booked === 1 ? [] : [`${number} has ${booked} ledger entries in the end`];
  });
}
