import { violations } from '../invariants.ts';
import { becomeQuiet, until } from '../quiet.ts';
import { extraCharges, lostCharges, readCharges, readRecords, saleCalls } from '../records.ts';
import { type Figures, sized } from '../report.ts';
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
  await till.farm.sandbox('POST', 'settings', { dedupe });
  for (let tries = 0; tries < TRIES; tries++) {
    // A busy machine may need so long that the charges arrive first: that proves nothing, so it is done again, slower.
    const round = await goThrough(newTill(till.farm), newTill(till.farm), invoices, lateMs * 2 ** tries);
    if (round) {
      return {
        ...round,
        experiment: options.name ?? `E3c retry in flight, gateway dedupe ${dedupe}`,
        size: `${invoices} invoices`,
      };
    }
  }
  throw new Error('the machine is too slow: charges came before the payers tried again');
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
  const charges = await readCharges(farm, all);
  const attempts = [...(await readRecords(held)).attempts, ...(await readRecords(unheld)).attempts];
  const firstOf = ({ id }: Bill) => attempts.find(({ invoice_id }) => invoice_id === id)?.id;
  const isTooLate = all.some((bill) => charges.some(({ order_id }) => order_id === firstOf(bill)));

  // Each attempt has sent one sale, and the gateway notes a call once it has carried it out.
  const isOver = async () => (await saleCalls(farm)) - before === attempts.length;
  await until('every charge is carried out', isOver, lateMs + 20_000);
  const { bookedAfter } = await becomeQuiet(held);
  if (isTooLate) return null;
  const records = await readRecords(held);
  return {
    extraCharges: extraCharges(records.charges),
    lost: lostCharges(records),
    control: String(extraCharges(await readCharges(farm, unheld.bills))),
    note: `booked after ${bookedAfter} passes, ${endsOf(records.attempts)}`,
    violations: await violations(held, records),
  };
}
