import { becomeQuiet } from '../quiet.ts';
import { readRecords } from '../records.ts';
import { type Bill, pay, type Till } from '../till.ts';

/** The three ways in which a worried payer tries again. */
export async function retryThreeTimes(till: Till, bill: Bill, token: string, attemptId: string): Promise<void> {
  await pay(till, bill, { token, attemptId });
  await pay(till, bill, { attemptId });
  await pay(till, bill);
}

/**
 * Once all is quiet, those whose card was not charged pay with another card. Answers what is wrong with the end: each
 * invoice must have been paid exactly once.
 */
export async function payUntilPaid(till: Till, bills: Bill[]): Promise<string[]> {
  const before = await readRecords(till);
  await Promise.all(bills.filter(({ id }) => before.overlays.get(id) === 'none').map((bill) => pay(till, bill)));
  await becomeQuiet(till);
  const after = await readRecords(till);
  return bills.flatMap(({ id, number }) => {
    const booked = after.ledger.filter((row) => row.invoice_id === id).length;
    return booked === 1 ? [] : [`${number} was booked ${booked} times in the end`];
  });
}
