import { violations } from '../invariants.ts';
import { becomeQuiet, until } from '../quiet.ts';
import { extraCharges, lostCharges, readCharges, readRecords } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { addBills, type Bill, cardToken, passOfCron, pay, payAll, type Till } from '../till.ts';
import { payUntilPaid, retryThreeTimes } from './pay-until-paid.ts';

export const SALE = '/rest/v2/mobile/transactions/sale';
const LOOK_UP = '/rest/v2/transactions';
const MINUTE = 60_000;

export const gatewayFaults = ['drop-before', 'drop-after', '500-after', 'html-after', 'wrong-amount', 'late'] as const;
export type GatewayFault = (typeof gatewayFaults)[number];

/** The longest that the sandbox holds a call; the test ends it before. */
export const UNTIL_RELEASED_MS = 600_000;

const isCharged = async (till: Till, bills: Bill[]) => (await readCharges(till.farm, bills)).length >= bills.length;

/** E3: the answer to every first charge is lost or broken in the same way; each payer tries three times more. */
export async function lostAnswers(till: Till, fault: GatewayFault, invoices = sized(20, 4)): Promise<Figures> {
  const { farm } = till;
  await farm.sandbox('POST', 'settings', { dedupe: 'none' });
  const bills = await addBills(till, invoices);
  const first = await Promise.all(
    bills.map(async (bill) => ({ bill, token: await cardToken(till), attemptId: `form-${bill.id}` })),
  );
  await farm.sandbox('POST', 'faults', { on: SALE, do: fault, times: invoices, ms: UNTIL_RELEASED_MS });
  await Promise.all(first.map(({ bill, ...payment }) => pay(till, bill, payment)));
  // Half of the payers do not wait for the cron, and settle their own payment by asking again.
  const [eager, patient] = [first.filter((_, index) => index % 2 === 0), first.filter((_, index) => index % 2 === 1)];
  await Promise.all(eager.map(({ bill, token, attemptId }) => retryThreeTimes(till, bill, token, attemptId)));
  farm.endPauses();
  if (fault !== 'drop-before') await until('every charge is recorded', () => isCharged(till, bills));
  const { bookedAfter } = await becomeQuiet(till);
  await Promise.all(patient.map(({ bill, token, attemptId }) => retryThreeTimes(till, bill, token, attemptId)));
  const unpaid = await payUntilPaid(till, bills);
  const records = await readRecords(till);
  const late = bookedAfter === null ? ['not every charge was booked after two passes of the cron'] : [];
  return {
    experiment: `E3 ${fault}`,
    size: `${invoices} invoices, 3 retries each`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: `booked after ${bookedAfter} passes, ${endsOf(records.attempts)}`,
    violations: [...unpaid, ...late, ...(await violations(till, records))],
  };
}

export const endsOf = (attempts: { state: string }[]) => countOf(attempts.map(({ state }) => state));

/** E3d: the answer is lost and the gateway cannot be asked for longer than the hold. Silence is not "no". */
export async function unreachable(till: Till, invoices = sized(20, 4)): Promise<Figures> {
  const { farm } = till;
  await farm.sandbox('POST', 'settings', { dedupe: 'none' });
  const bills = await addBills(till, invoices);
  await farm.sandbox('POST', 'faults', { on: SALE, do: 'drop-after', times: invoices });
  await payAll(till, bills);
  const silences = ['500', 'html-502', 'drop-before', '429'];
  for (let round = 0; round < 25; round++) {
    await farm.sandbox('POST', 'faults', { on: LOOK_UP, do: silences[round % silences.length], times: 1_000 });
    await passOfCron(till, 2 * MINUTE);
    await farm.sandbox('DELETE', 'faults');
  }
  // Only look-ups fail: a card that went through to the gateway now would be charged.
  await farm.sandbox('POST', 'faults', { on: LOOK_UP, do: '500', times: 1_000 });
  await payAll(till, bills);
  await farm.sandbox('DELETE', 'faults');
  await passOfCron(till, 10 * MINUTE);
  const { bookedAfter } = await becomeQuiet(till, 1);
  const records = await readRecords(till);
  return {
    experiment: 'E3d gateway silent for 50 minutes',
    size: `${invoices} invoices`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: `booked after ${bookedAfter === null ? 'more than 2' : bookedAfter + 1} passes, ${endsOf(records.attempts)}`,
    violations: await violations(till, records),
  };
}

/** E3e: the gateway charges a dollar less than it was asked to. No program may book that; a person must see it. */
export async function shortChange(till: Till, invoices = sized(10, 3)): Promise<Figures> {
  const { farm } = till;
  const bills = await addBills(till, invoices);
  await payAll(till, bills, { knobs: { settings: { GATEWAY_BASE_URL: `${farm.control.url}/short-change` } } });
  await becomeQuiet(till);
  await payAll(till, bills);
  const records = await readRecords(till);
  const human = records.attempts.filter(({ state }) => state === 'needs_human').length;
  return {
    experiment: 'E3e gateway charges another amount',
    size: `${invoices} invoices`,
    extraCharges: extraCharges(records.charges),
    lost: 0,
    control: null,
    note: endsOf(records.attempts),
    violations: [
      ...(human === invoices ? [] : [`${human} of ${invoices} payments were put before a person`]),
      ...(await violations(till, records)),
    ],
  };
}

/** E3f: two invoices of one number and one amount: the gateway answers the second sale with the first one's transaction. */
export async function sameNumber(till: Till, pairs = sized(5, 2)): Promise<Figures> {
  const { farm } = till;
  await farm.sandbox('POST', 'settings', { dedupe: 'commit' });
  for (let pair = 0; pair < pairs; pair++) {
    const twins = await addBills(till, 2, `TWIN-${pair}`);
    for (const bill of twins) await pay(till, bill);
  }
  await becomeQuiet(till);
  const records = await readRecords(till);
  return {
    experiment: 'E3f two invoices of one number',
    size: `${pairs} pairs`,
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: null,
    note: endsOf(records.attempts),
    violations: await violations(till, records),
  };
}
