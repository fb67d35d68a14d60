import { runUntilQuiet } from '../quiet.ts';
import { readRecords } from '../records.ts';
import { type Bill, pay, payAll, type TestWorker } from '../test-worker.ts';

/** Retries in the three ways open to a worried payer: same token and form, new token, new form. */
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
 * Lets uncharged payers pay with another card after all payments have settled. For an invoice in parts, they pay a part
 * of `partCents` and then the remaining balance. Returns the errors of the end state: each invoice must be paid exactly
 * once, or its parts must add up to its amount.
 */
export async function payUntilPaid(testWorker: TestWorker, bills: Bill[], partCents?: number): Promise<string[]> {
  const unpaid = async () => {
    const { localStatuses } = await readRecords(testWorker);
    return bills.filter(({ id }) => localStatuses.get(id) === 'none');
  };
  // A part that was released as not charged accepts only its former amount for a day.
  if (partCents) {
    const inParts = (await unpaid()).filter((bill) => bill.inParts);
    await payAll(testWorker, inParts, { partCents });
  }
  await payAll(testWorker, await unpaid());
  await runUntilQuiet(testWorker);
  const { ledger } = await readRecords(testWorker);
  return bills.flatMap(({ id, number, inParts, amountCents }) => {
    const booked = ledger.filter((row) => row.invoice_id === id).map((row) => row.amount_cents);
    const cents = booked.reduce((sum, amount) => sum + amount, 0);
    const isPaid = inParts ? cents === amountCents : booked.length === 1;
    return isPaid ? [] : [`${number} has ${booked.length} ledger entries of ${cents} cents at the end`];
  });
}
