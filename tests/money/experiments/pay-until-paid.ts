import { becomeQuiet } from '../quiet.ts';
import { readRecords } from '../records.ts';
import { type Bill, pay, payAll, type TestWorker } from '../test-worker.ts';

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
 * Once all is quiet, uncharged payers pay with another card. Of an invoice in parts, they pay a part of `partCents` and
 * then what is left. Returns the errors of the end state: each invoice must be paid exactly once, or with its parts come
 * to its amount.
 */
export async function payUntilPaid(testWorker: TestWorker, bills: Bill[], partCents?: number): Promise<string[]> {
  const unpaid = async () => {
    const { localStatuses } = await readRecords(testWorker);
    return bills.filter(({ id }) => localStatuses.get(id) === 'none');
  };
  // A part that was released as not charged takes only its own amount for a day.
  if (partCents) {
    const inParts = (await unpaid()).filter((bill) => bill.inParts);
    await payAll(testWorker, inParts, { partCents });
  }
  await payAll(testWorker, await unpaid());
  await becomeQuiet(testWorker);
  const { ledger } = await readRecords(testWorker);
  return bills.flatMap(({ id, number, inParts, amountCents }) => {
    const booked = ledger.filter((row) => row.invoice_id === id).map((row) => row.amount_cents);
    const cents = booked.reduce((sum, one) => sum + one, 0);
    const isPaid = inParts ? cents === amountCents : booked.length === 1;
    return isPaid ? [] : [`${number} has ${booked.length} ledger entries of ${cents} cents in the end`];
  });
}
