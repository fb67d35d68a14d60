import type { Farm } from '../farm/farm.ts';
import { violations } from '../invariants.ts';
import { becomeQuiet, until } from '../quiet.ts';
import { type AttemptRow, extraCharges, lostCharges, readCharges, readRecords, saleCalls } from '../records.ts';
import { countOf, type Figures, sized } from '../report.ts';
import { addBills, type Bill, newTill, passOfCron, payAll, type Till } from '../till.ts';
import { endsOf, SALE } from './gateway-faults.ts';

const MINUTE = 60_000;
const TRIES = 4;

/** A charge is given up by the Worker long before the gateway carries it out. */
export const IMPATIENT = { CHARGE_TIMEOUT_MS: 800 };

export type LateSuccess = {
  /** What the gateway's duplicate check looks at. */
  dedupe: 'none' | 'arrival' | 'commit';
  invoices?: number;
  lateMs?: number;
  name?: string;
};

/**
 * E3b and E3c: charges are still on their way when the cron has looked for them, in vain, more than often enough, and the
 * payers try again. The control has no hold. Both groups go through the same minutes.
 */
export async function lateSuccess(till: Till, options: LateSuccess): Promise<Figures> {
  const { dedupe, invoices = sized(20, 4), lateMs = sized(8_000, 4_000) } = options;
  const { farm } = till;
  await farm.sandbox('POST', 'settings', { dedupe });
  const round = await slowEnough(lateMs, (ms) => goThrough(newTill(farm), newTill(farm), invoices, ms));
  const experiment = options.name ?? `E3c retry in flight, gateway dedupe ${dedupe}`;
  return { ...round, experiment, size: `${invoices} invoices` };
}

/** On a busy machine the charges may arrive before the payers try again. That proves nothing: null, and again, slower. */
async function slowEnough<T>(lateMs: number, run: (lateMs: number) => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await run(lateMs * 2 ** tries);
    if (found) return found;
  }
  throw new Error('the machine is too slow: charges came before the payers tried again');
}

/** Whether the charge of any first attempt is there already. */
async function isTooLate(farm: Farm, bills: Bill[], attempts: AttemptRow[]): Promise<boolean> {
  const charges = await readCharges(farm, bills);
  const firstOf = ({ id }: Bill) => attempts.find(({ invoice_id }) => invoice_id === id)?.id;
  return bills.some((bill) => charges.some(({ order_id }) => order_id === firstOf(bill)));
}

type Round = Omit<Figures, 'experiment' | 'size'>;

async function goThrough(held: Till, unheld: Till, invoices: number, lateMs: number): Promise<Round | null> {
  const { farm } = held;
  const before = await saleCalls(farm);
  await addBills(held, invoices);
  await addBills(unheld, invoices);
  const all = [...held.bills, ...unheld.bills];
  await farm.sandbox('POST', 'faults', { on: SALE, do: 'late', times: all.length, ms: lateMs });
  await Promise.all([payAll(held, held.bills), payAll(unheld, unheld.bills, { knobs: { settings: { HOLD_MS: 0 } } })]);
  for (let pass = 0; pass < 4; pass++) await passOfCron(held, 2 * MINUTE);
  await Promise.all([payAll(held, held.bills), payAll(unheld, unheld.bills)]);
  const attempts = [...(await readRecords(held)).attempts, ...(await readRecords(unheld)).attempts];
  const isBlind = await isTooLate(farm, all, attempts);

  // Each attempt has sent one sale, and the gateway notes a call once it has carried it out.
  const isOver = async () => (await saleCalls(farm)) - before === attempts.length;
  await until('every charge is carried out', isOver, lateMs + 20_000);
  const { bookedAfter } = await becomeQuiet(held);
  if (isBlind) return null;
  const records = await readRecords(held);
  return {
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: String(extraCharges(await readCharges(farm, unheld.bills))),
    note: `booked after ${bookedAfter} passes, ${endsOf(records.attempts)}`,
    violations: await violations(held, records),
  };
}

/**
 * E3g: a charge is carried out after its hold is over and the payer has paid again. No program can prevent that; what it
 * must do is find out, within the day, and put it before a person.
 */
export async function laterThanTheHold({ farm }: Till, invoices = sized(20, 4)): Promise<Figures> {
  await farm.sandbox('POST', 'settings', { dedupe: 'none' });
  return slowEnough(sized(8_000, 4_000), (lateMs) => chargeAfterHold(newTill(farm), invoices, lateMs));
}

async function chargeAfterHold(till: Till, invoices: number, lateMs: number): Promise<Figures | null> {
  const { farm } = till;
  const before = await saleCalls(farm);
  const bills = await addBills(till, invoices);
  await farm.sandbox('POST', 'faults', { on: SALE, do: 'late', times: invoices, ms: lateMs });
  await payAll(till, bills);
  for (const minutes of [2, 2, 12]) await passOfCron(till, minutes * MINUTE);
  await payAll(till, bills);
  const sent = (await readRecords(till)).attempts;
  const isBlind = await isTooLate(farm, bills, sent);
  await until(
    'every charge is carried out',
    async () => (await saleCalls(farm)) - before === sent.length,
    lateMs + 20_000,
  );
  for (let hour = 0; hour < 26; hour++) await passOfCron(till, 60 * MINUTE);
  if (isBlind) return null;

  const { attempts, charges, ledger } = await readRecords(till);
  const unseen = charges.filter(({ id, order_id }) => {
    const isBooked = ledger.some((row) => row.provider_txn_id === id);
    return !isBooked && attempts.find((attempt) => attempt.id === order_id)?.state !== 'needs_human';
  });
  const payAgain = await payAll(till, bills);
  const charged = (await saleCalls(farm)) - before - sent.length;
  return {
    experiment: 'E3g charge later than the hold',
    size: `${invoices} invoices`,
    extraCharges: charged,
    lost: unseen.length,
    control: null,
    note: `${extraCharges(charges)} charged late by the gateway: ${endsOf(attempts)}; then answers ${countOf(payAgain.map(({ status }) => status))}`,
    violations: unseen.map(({ id }) => `charge ${id} is neither booked nor before a person`),
  };
}
